/// Counters kept during a simulation, with or without a trace.
package struct Tally: Sendable {
  package private(set) var completions: [Instant] = []
  /// How many times each step was reissued because a result had expired, by index.
  package private(set) var reissues: [Int: Int] = [:]
  package private(set) var reissueCauses: [String: Int] = [:]
  package private(set) var requests = 0
  /// Bytes of uploads that the server received completely, and rejected.
  package private(set) var refusedBytes: Int64 = 0
  package private(set) var renewals = 0
  package private(set) var launches = 0
  /// How long items waited, by cause, if blockers are traced; a time counts once, for the first cause in ``words``.
  package private(set) var stalls: [String: Duration] = [:]
  private var waiting: [ItemKey?: Stall] = [:]
  private var numbers: [Stall: Int] = [:]

  /// All causes of waiting, most informative first: rules that hold transfers, then the blockers of items.
  package static let words: [String] = {
    let holds = TransferHold.allCases.filter { $0 != .connections }.map(\.rule)
    let stalls = Stall.allCases.map(\.rawValue)
    let place = stalls.firstIndex(of: Stall.answer.rawValue) ?? 0
    var seen: Set<String> = []
    return (holds + stalls[..<place] + [TransferHold.connections.rule] + stalls[place...])
      .filter { seen.insert($0).inserted }
  }()

  package enum Stall: String, Hashable, Sendable, CaseIterable {
    case allowance, network, disk
    /// Space on the disk itself.
    case space
    /// Back-off, `Retry-After` or a poll's interval.
    case delay
    case transfers, connections, rate, batch
    case dependency
    case answer
    case person
    /// One of its loop's concurrent places.
    case concurrency
    /// A loop, or its list, for run-level steps; the parts of an item, for the item.
    case loop

    /// Whether it ranks after "others go first" (TX24).
    fileprivate var isOutweighed: Bool {
      switch self {
      case .answer, .person, .concurrency, .loop: true
      default: false
      }
    }

    package init(_ blocker: Blocker) {
      let kind = blocker.kind.0
      self = Stall(rawValue: kind.rawValue) ?? Self.others[kind] ?? .loop
    }

    private static let others: [Blocker.Kind: Stall] = [
      .attempt: .answer, .probe: .answer, .compensation: .answer, .earliest: .delay, .host: .delay,
      .openFiles: .connections, .diskSpace: .space, .renewal: .dependency, .process: .person,
    ]
  }

  /// Why a step is reissued: `answered 410`, `expired`, `file released`, `source changed` or `other`.
  package static func cause(of failure: Failure?) -> String {
    guard let failure else { return "source changed" }
    if let status = failure.status { return "answered \(status)" }
    if failure.message.hasSuffix("was released") { return "file released" }
    return failure.message.hasSuffix("has expired") ? "expired" : "other"
  }

  /// Counts the bytes of an upload whose response does not let the pipeline continue.
  mutating func count(_ verdict: Verdict, of file: FileValue) {
    switch verdict {
    case .success, .results, .poll, .itemDone, .itemSkipped: break
    case .retry, .unknown, .expired, .fail, .pause, .pauseRun, .stale, .unavailable, .uncertain,
      .interrupted, .notDone:
      refusedBytes += file.size
    }
  }

  mutating func count(_ fact: TraceEvent.Fact, at now: Instant, _ pipeline: Pipeline) {
    switch fact {
    case .processBegan: launches += 1
    case .sent: requests += 1
    case .reissued(let id, let cause):
      guard let step = id.step else { return }
      reissues[step, default: 0] += 1
      reissueCauses[Self.cause(of: cause), default: 0] += 1
    case .itemLeft(_, .done, _): completions.append(now)
    case .ended: forgetWaits()
    case .renewed(_, let isAnew): if isAnew { renewals += 1 }
    case .processEnded, .odd, .answered, .interrupted, .transferQueued, .asked, .wrote,
      .writeFailed, .concluded, .itemLeft, .blocked, .allowance, .suspended, .clockChanged,
      .deviceRestarted, .device:
      break
    }
  }

  /// Records new waits and ended ones.
  mutating func count(_ changed: [ItemKey?: Blocker], gone: [ItemKey?]) {
    for key in gone { close(key) }
    for (key, blocker) in changed {
      close(key)
      // That the run waits for its items is not informative.
      let stall = Stall(blocker)
      guard stall != .loop else { continue }
      waiting[key] = stall
      numbers[stall, default: 0] += 1
    }
  }

  private mutating func close(_ key: ItemKey?) {
    guard let stall = waiting.removeValue(forKey: key) else { return }
    numbers[stall, default: 0] -= 1
  }

  /// A new process reports all waits from the start.
  mutating func forgetWaits() {
    waiting = [:]
    numbers = [:]
  }

  /// Advances time while nothing changes; `hold` is the hold of transfers.
  mutating func pass(_ time: Duration, heldBy hold: TransferHold?) {
    guard time > .zero else { return }
    let stall = Stall.allCases.first { numbers[$0, default: 0] > 0 }
    let isHeld = hold != .connections || stall == nil || stall?.isOutweighed == true
    if let word = (isHeld ? hold?.rule : nil) ?? stall?.rawValue {
      stalls[word, default: .zero] += time
    }
  }
}
