/// Renders a trace as a text timeline.
public struct TraceText: Sendable {
  /// `the first`, `the second`, then `the 3rd`, `the 4th` and so on.
  public static func ordinal(_ number: Int) -> String {
    let ending =
      switch (number % 100, number % 10) {
      case (11...13, _): "th"
      case (_, 1): "st"
      case (_, 2): "nd"
      case (_, 3): "rd"
      default: "th"
      }
    return number == 1 ? "the first" : number == 2 ? "the second" : "the \(number)\(ending)"
  }

  /// How much of each event to show.
  public enum Detail: Sendable {
    case short
    /// Everything, so that two traces are equal if their texts are.
    case full
  }

  private let pipeline: Pipeline
  private let start: Instant
  private let labels: [ItemKey: String]

  /// A renderer for traces of a run that started at `start`; `labels` name its items.
  public init(_ pipeline: Pipeline, from start: Instant, labels: [ItemKey: String] = [:]) {
    (self.pipeline, self.start, self.labels) = (pipeline, start, labels)
  }

  /// A renderer for the trace of `run`, which names items by their files.
  public init(_ run: SimulatedRun) {
    var labels: [ItemKey: String] = [:]
    for loop in run.pipeline.loops.indices {
      for item in run.items(loop: loop) { labels[item.key] = item.subject.name }
    }
    self.init(run.pipeline, from: run.start, labels: labels)
  }

  /// One line per event, each with a line end; at most the last `limit`.
  public func render(_ trace: Trace, _ detail: Detail = .short, limit: Int = .max) -> String {
    let lines = trace.events.compactMap { line($0, detail) }
    let left = lines.count - limit
    let head = left > 0 ? "  … \(left) earlier events\n" : ""
    return head + lines.suffix(limit).map { "  \($0)\n" }.joined()
  }

  private func line(_ event: TraceEvent, _ detail: Detail) -> String? {
    guard let (place, text) = content(event.fact, detail) else { return nil }
    let time = Self.time(event.at - start)
    return Self.padded(time, 10) + "  " + Self.padded(place.visibleLine, 24) + "  "
      + text.visibleLine
  }

  private func content(
    _ fact: TraceEvent.Fact, _ detail: Detail
  ) -> (place: String, text: String)? {
    switch fact {
    case .processBegan(let resumed): return ("", resumed ? "process restarted" : "run started")
    case .processEnded: return ("", "process was killed")
    case .sent(let exchange): return (place(exchange.id), text(exchange, detail))
    case .odd(let id, let oddity): return (place(id), oddity.words)
    case .answered(let id, let response): return (place(id), text(response, detail))
    case .interrupted(let id): return (place(id), "interrupted")
    case .transferQueued(let id, let bytes):
      return detail == .full ? (place(id), "queued \(bytes) B") : nil
    case .asked(let id, .challenge): return (place(id), "was challenged, and asks for a request")
    case .asked(let id, .begin): return (place(id), "is about to start, and asks for a request")
    case .renewed(let id, let isAnew):
      return (place(id), isAnew ? "continues with a new request" : "continues with the old request")
    case .wrote(let id, let file): return (place(id), "wrote \(file.path), \(file.size) B")
    case .writeFailed(let id, let failure):
      return (place(id), "could not write: \(failure.message)")
    case .concluded(let id, let verdict): return text(verdict, detail).map { (place(id), $0) }
    case .reissued(let id, let cause):
      return (
        place(id),
        "is reissued" + (cause.map { ": \($0.message)" } ?? ", because its source has changed")
      )
    case .itemLeft(let key, let status, let reason):
      return (label(key), status.word + (reason.map { ": \($0.message)" } ?? ""))
    case .blocked(let key, let blocker):
      return (key.map(label) ?? "run", "waits for " + text(blocker))
    case .allowance(.granted(nil)): return ("", "may run")
    case .allowance(.granted(let until?)): return ("", "may run until \(Self.time(until - start))")
    case .allowance(.expiring): return ("", "allowance is about to end")
    case .suspended(let transfers):
      let queued = transfers == 1 ? "1 transfer is queued" : "\(transfers) transfers are queued"
      return ("", "suspended, \(queued)")
    case .device(let fact): return content(fact, detail)
    case .clockChanged(let step): return ("", Self.text(clockChange: step))
    case .deviceRestarted: return ("", "the device restarts")
    case .ended(let outcome): return ("", Self.word(outcome))
    }
  }

  // MARK: Parts

  func place(_ id: EffectID) -> String {
    (id.item.map { "\(label($0)) " } ?? "") + pipeline.name(of: id)
  }

  private func label(_ key: ItemKey) -> String {
    let whole = labels[key.whole] ?? "\(key.whole)"
    return key.part.map { "\(whole) part \($0.number + 1)" } ?? whole
  }

  private func text(_ exchange: SimulatedRequest, _ detail: Detail) -> String {
    var text = "→ \(exchange.request.method) \(exchange.request.url)"
    if exchange.purpose != .attempt { text += " (\(exchange.purpose.rawValue))" }
    guard detail == .full else { return text }
    text += " #\(exchange.id)"
    for header in exchange.request.headers { text += " [\(header.name): \(header.value)]" }
    if let file = exchange.file { text += " <\(file.path), \(file.size) B>" }
    return text + " " + (exchange.body.map { Self.escaped($0) } ?? "…")
  }

  private func text(_ response: Response, _ detail: Detail) -> String {
    var text = "← \(response.status)"
    if let error = response.error { text = "✗ \(error.kind.rawValue): \(error.message)" }
    guard detail == .full else { return text }
    for header in response.headers { text += " [\(header.name): \(header.value)]" }
    return text + " " + Self.escaped(response.body)
  }

  private func text(_ verdict: Verdict, _ detail: Detail) -> String? {
    switch verdict {
    case .success: detail == .full ? "ok" : nil
    case .results(_, let verdicts): text(ofMembers: verdicts, detail)
    case .retry(let failure, let after, _):
      "retry" + (after.map { ", not before \(Self.time($0 - start))" } ?? "")
        + ": \(failure.message)"
    case .expired(let step, let failure, let after):
      "'\(pipeline.steps[step].id)' has expired"
        + (after.map { ", not again before \(Self.time($0 - start))" } ?? "")
        + ": \(failure.message)"
    case .fail(let failure): "failed: \(failure.message)"
    case .pause(let failure): "paused: \(failure.message)"
    case .pauseRun(let failure): "pauses the run: \(failure.message)"
    case .unknown(let failure): "outcome unknown: \(failure.message)"
    case .stale(let failure): "repeated at once: \(failure.message)"
    case .unavailable(let resource, let failure):
      "\(Self.shortageText(of: resource)): \(failure.message)"
    case .uncertain(let answered): text(answered, detail).map { "\($0) (it may have taken effect)" }
    case .poll(let instant, _, let words, _):
      "not ready" + (words.map { " (\($0))" } ?? "")
        + (instant.map { ", asks again at \(Self.time($0 - start))" } ?? "")
    case .interrupted: detail == .full ? "was interrupted" : nil
    case .notDone: "was not done"
    case .itemDone: "item is complete"
    case .itemSkipped(let failure): "item is skipped: \(failure.message)"
    }
  }

  private func text(ofMembers verdicts: [Verdict], _ detail: Detail) -> String? {
    let count = verdicts.count { if case .success = $0 { true } else { false } }
    guard detail == .full || count < verdicts.count else { return nil }
    return "\(count) of \(verdicts.count) items succeeded"
  }

  /// The reason of a blocker, as the end of a sentence.
  public func text(_ blocker: Blocker) -> String {
    let named: Set<Blocker.Kind> = [.attempt, .probe, .delay, .earliest, .disk, .allowance]
    let shared: Set<Blocker.Kind> = [
      .disk, .allowance, .transfers, .connections, .rate, .network, .openFiles, .diskSpace,
    ]
    let kind = blocker.kind.0
    let step = shared.contains(kind) ? blocker.step : nil
    return (named.contains(kind) ? "the " : "") + blocker.words(in: pipeline)
      + (step.map { " for '\(pipeline.steps[$0].id)'" } ?? "")
      + (blocker.until.map { ", until \(Self.time($0 - start))" } ?? "")
  }

  private static func shortageText(of resource: Resource) -> String {
    switch resource {
    case .network: "no network"
    case .openFiles: "too many open files"
    case .diskSpace: "no space"
    }
  }

  /// How a simulation ended, in words.
  public static func word(_ outcome: SimulatedRun.Outcome) -> String {
    switch outcome {
    case .rested: "the run has stopped"
    case .stuck: "the run is stuck"
    case .outOfTime: "the simulated time has ended"
    case .endless: "the run loops without time passing"
    case .tooManySteps(let count):
      "the run had not ended after \(count) steps of the simulation (too-costly)"
    case .storeFailed(let failure): "a checkpoint could not be stored: \(failure.message)"
    }
  }

  /// A duration as `1.250s`, `2m03s`, `1h00m` or `3d04h`.
  public static func time(_ duration: Duration) -> String {
    let sign = duration < .zero ? "-" : ""
    let milliseconds = duration.milliseconds.magnitude
    let seconds = milliseconds / 1000
    func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    if seconds < 60 {
      let rest = String(milliseconds % 1000)
      return "\(sign)\(seconds).\(String(repeating: "0", count: 3 - rest.count))\(rest)s"
    }
    if seconds < 3600 { return "\(sign)\(seconds / 60)m\(two(seconds % 60))s" }
    if seconds < 86400 { return "\(sign)\(seconds / 3600)h\(two(seconds % 3600 / 60))m" }
    return "\(sign)\(seconds / 86400)d\(two(seconds % 86400 / 3600))h"
  }

  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func escaped(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The text for a fact about the device; transfers are mentioned only in full texts.
  func content(_ fact: DeviceFact, _ detail: Detail) -> (place: String, text: String)? {
    switch fact {
    // The allowance already shows whether the process runs or is suspended.
    case .life(.inFront), .life(.behind), .life(.asleep), .life(.gone):
      guard detail == .full, case .life(let life) = fact else { return nil }
      return ("", Self.word(life))
    case .life(.forceQuit): return ("", Self.word(.forceQuit))
    case .conditions(let conditions): return ("", Self.text(conditions))
    case .woken(let delay):
      return ("", "resumed by the transfer service; the delay is now \(Self.time(delay))")
    case .transferHeld(let id, let hold):
      return detail == .full ? (place(id), "held by \(hold.rule)") : nil
    case .transferMoves(let id): return detail == .full ? (place(id), "moves") : nil
    case .transferSent(let id): return detail == .full ? (place(id), "is sent") : nil
    case .transferOver(let id): return detail == .full ? (place(id), "has ended") : nil
    case .transferGone(let id): return detail == .full ? (place(id), "is reported") : nil
    case .diskUse(let bytes): return detail == .full ? ("", "\(bytes) B on the disk") : nil
    }
  }

  static func word(_ life: DeviceLife) -> String {
    switch life {
    case .inFront: "app in the foreground"
    case .behind: "app in the background, running"
    case .asleep: "app suspended"
    case .gone: "app not in memory"
    case .forceQuit: "app swiped away"
    }
  }

  static func text(clockChange step: Duration) -> String {
    step < .zero
      ? "the clock is moved back by \(time(.zero - step))"
      : "the clock is moved forward by \(time(step))"
  }

  static func text(_ conditions: DeviceConditions) -> String {
    var parts = [
      conditions.network == .none ? "no network" : conditions.network.rawValue,
      conditions.hasPower ? "charging" : "battery \(Int((conditions.battery * 100).rounded())) %",
    ]
    if conditions.isExpensive { parts.append("expensive") }
    if conditions.isConstrained { parts.append("constrained") }
    if conditions.isLowPowerMode { parts.append("low-power mode") }
    if conditions.isLocked { parts.append("locked") }
    return parts.joined(separator: ", ")
  }
}

extension Item.Subject {
  /// The item's label: the file's path below the folder of its input, or the value.
  var name: String { if case .file(let file) = self { file.relative } else { label } }
}
