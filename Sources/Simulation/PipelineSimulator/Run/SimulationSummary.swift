/// The results of one simulation, in numbers.
public struct SimulationSummary: Hashable, Sendable {
  /// How it ended.
  public let outcome: SimulatedRun.Outcome
  /// All items.
  public let items: Int
  /// Items by final status; those that are `pending` or `active` are unfinished.
  public let counts: [Item.Status: Int]
  /// Whether the run, or one of its items, waits for the user.
  public let isPaused: Bool
  /// Virtual time.
  public let deviceTime: Duration
  /// The completion time of each completed item, after the start, in order.
  public let completions: [Duration]
  /// Resumes by the transfer service.
  public let wakes: Int
  /// Time during which the resume delay held up a transfer or a resume (RL4); overlaps count once.
  public let addedWait: Duration
  /// Bytes that transfers sent, and those of them that were sent again (TX9) or rejected.
  public let bytesSent, bytesWasted: Int64
  /// How many times transfers continued with a renewed request.
  public let renewals: Int
  /// How many times each step was reissued, by id.
  public let reissues: [StepID: Int]
  /// How many times steps were reissued, by cause (``Tally/cause(of:)``).
  public let reissueCauses: [String: Int]
  /// How long items waited (``Tally/stalls``); holds of the transfer service are listed by rule, such as `RL4`.
  public let stalls: [String: Duration]
  /// Maximum bytes in materialized files.
  public let peakDiskBytes: Int64

  /// Sums up a run that has ended.
  public init(_ run: SimulatedRun) {
    outcome = run.outcome ?? .outOfTime
    var counts: [Item.Status: Int] = [:]
    for loop in run.state?.loops ?? [] {
      for status in Item.Status.allCases where loop.counts[status] > 0 {
        counts[status, default: 0] += loop.counts[status]
      }
    }
    self.counts = counts
    items = counts.values.reduce(0, +)
    deviceTime = run.now - run.start
    renewals = run.tally.renewals
    completions = run.tally.completions.map { $0 - run.start }
    let steps = run.pipeline.steps
    reissues = Dictionary(run.tally.reissues.map { (steps[$0].id, $1) }) { $1 }
    reissueCauses = run.tally.reissueCauses
    peakDiskBytes = run.disk.peak
    stalls = run.tally.stalls
    let phone = run.device as? PhoneDevice
    wakes = phone?.counts.wakes ?? 0
    addedWait = phone?.addedWait(at: run.now) ?? .zero
    isPaused = Self.isPaused(run)
    bytesSent = Int64((phone?.daemon.bytesSent ?? 0).rounded())
    bytesWasted = Int64((phone?.daemon.bytesWasted ?? 0).rounded()) + run.tally.refusedBytes
  }

  private static func isPaused(_ run: SimulatedRun) -> Bool {
    guard let state = run.state, run.outcome == .rested else { return false }
    return state.status == .paused || state.loops.contains { $0.counts[.paused] > 0 }
  }

  /// How it ended, in words: a run that has stopped is finished, paused or cancelled.
  public var end: String {
    guard outcome == .rested else { return TraceText.word(outcome) }
    if isPaused { return "paused: it waits for the user" }
    if let failed = counts[.failed], failed > 0 {
      return "finished, with \(Words.count(failed, "item")) failed"
    }
    return (counts[.cancelled] ?? 0) > 0 ? "cancelled" : "finished"
  }

  /// The time after which the given part of all items was complete; `nil` if it never was.
  public func completed(part: Double) -> Duration? {
    let wanted = Int((Double(items) * part).rounded(.up))
    return wanted == 0 ? .zero : completions.count < wanted ? nil : completions[wanted - 1]
  }

  /// The numbers as a JSON object; durations are seconds.
  public func json() -> String { Value.object(members).jsonText() + "\n" }

  var members: [(String, Value)] {
    func sorted(_ members: [String: Value]) -> Value {
      .object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }
    func count(_ statuses: Item.Status...) -> Value {
      .number(statuses.reduce(0) { $0 + (counts[$1] ?? 0) })
    }
    let parts = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)].map { name, part in
      (name, Value.seconds(completed(part: part)))
    }
    return [
      ("items", .number(items)), ("completed", count(.done)), ("failed", count(.failed)),
      ("paused", count(.paused)), ("skipped", count(.skipped)), ("cancelled", count(.cancelled)),
      ("unfinished", count(.pending, .active)), ("device_seconds", .seconds(deviceTime)),
      ("completed_at", .object(parts)), ("wakes", .number(wakes)),
      ("added_wait_seconds", .seconds(addedWait)), ("bytes_sent", .int(bytesSent)),
      ("bytes_wasted", .int(bytesWasted)),
      ("reissues", sorted(reissuesByStep.mapValues(Value.number))),
      ("reissue_causes", sorted(reissueCauses.mapValues(Value.number))),
      ("stalls", sorted(stalls.mapValues(Value.seconds))),
      ("peak_disk_bytes", .int(peakDiskBytes)), ("outcome", .string(end)),
    ]
  }
}
