/// What waits, and why, in the words of reports.
struct WaitText {
  let wait: Wait
  let pipeline: Pipeline
  /// A command for the run with a verb, such as `pipeline resume photos`.
  let command: (_ verb: String) -> String

  /// With the numbers after the words.
  private var why: String {
    func name(_ step: Int) -> String { "'\(pipeline.steps[step].id)'" }
    let words = wait.blocker.words(in: pipeline)
    switch wait.blocker {
    case .attempt, .probe, .compensation(nil): return words + " in flight"
    case .compensation, .delay, .earliest: return words
    case .concurrency(let limit):
      return limit == 1 ? "another item is busy" : "all \(limit) concurrent items are busy"
    case .disk(let step, let needed, let available):
      return "step \(name(step)) needs \(ReportFormatting.bytes(needed)) of the disk budget, "
        + "\(ReportFormatting.bytes(max(available, 0))) are free"
    case .transfers(_, let limit):
      return limit == 1
        ? "another transfer has the budget's only slot"
        : "all \(limit) transfers of the budget are queued"
    case .connections(_, let limit): return "all \(limit) connections of this process are in use"
    case .host(let host, let step, _):
      return "\(host) asked for a pause; the request of step \(name(step)) waits for its turn"
    case .rate(let rate, let step, _):
      return "\(words) with step \(name(step)): \(pipeline.budgets.rates[rate].words)"
    case .shortage(let resource, _, let since, _):
      let lack =
        switch resource {
        case .network: "no network"
        case .openFiles: "too many open files"
        case .diskSpace: "the disk is full"
        }
      return "\(lack) since \(since)"
    case .dependency(_, let other): return "step \(name(other)) must succeed first"
    case .renewal(let step, let other):
      return "the transfer of \(name(step)) asked for a new request, and step \(name(other)) is "
        + "being reissued for it"
    case .batch(let step, let items, nil):
      return "batch: \(wait.standing) of the \(items) items whose step \(name(step)) is sent again "
        + "are ready"
    case .batch(let step, let items, _):
      return "batch: \(wait.standing) of \(items) items wait for step \(name(step))"
    case .batchUnderWay(let step):
      return "another batch of step \(name(step)) is in progress; batches are sent one at a time"
    case .allowance(_, let needed):
      return "the request needs \(ReportFormatting.duration(needed)), longer than the execution "
        + "allowance"
    case .parts, .loop: return words + " must end first"
    case .enumeration: return words + " is being read"
    case .stopped: return "no process is working on it"
    }
  }

  /// When the wait ends, as a part of the sentence; empty if time does not end it.
  private func end(_ now: Instant) -> String {
    guard let until = wait.blocker.until else { return "" }
    let preposition =
      switch wait.blocker {
      case .shortage: "tried again at"
      case .host, .rate: "next at"
      default: "until"
      }
    return ", \(preposition) \(until) (in \(ReportFormatting.duration(until - now)))"
  }

  private var resolution: String {
    let (kind, resolvedBy) = wait.blocker.kind
    return switch wait.blocker {
    case .delay: "\(resolvedBy); `\(command("cancel"))` ends the wait"
    case .compensation(_?): "\(resolvedBy); `\(command("cancel"))` retries later"
    default: kind == .process ? "`\(command("resume"))`" : resolvedBy
    }
  }

  var isPending: Bool { if case .pending = wait.subject { true } else { false } }

  /// - Parameter idle: Why no process works on the run, and how to resolve that;
  ///   `nil` if a process does.
  func entry(at now: Instant, isCancelling: Bool, idle: (why: String, end: String)?) -> EntryForm {
    let failure = wait.failure
    let after = failure?.duration.map { " (after \(ReportFormatting.duration($0)))" } ?? ""
    let rest =
      (wait.place.isEmpty ? "" : ", " + wait.place)
      + (failure.map { ", after: \($0.message)\(after)" } ?? "")
    return EntryForm {
      if case .item(let key) = wait.subject { $0.item = key.whole.description }
      $0.name = ReportFormatting.shortened(wait.name)
      $0.kind = (idle == nil ? wait.blocker.kind.0 : .process).rawValue
      $0.since = wait.since.description
      $0.failure = failure?.message
      $0.failed_after_seconds = failure?.duration.map { Double($0.milliseconds) / 1000 }
      $0.response = failure.flatMap(ResponseForm.init)
      if let idle {
        $0.status = isPending ? "pending" : "interrupted"
        let next = "; next: \(wait.blocker.words(in: pipeline))\(rest)"
        $0.waits_for = idle.why + (isPending ? rest : next)
        $0.unblocked_by = idle.end
        return
      }
      $0.status = isPending ? "pending" : isCancelling ? "cancelling" : "active"
      $0.waits_for = why + end(now) + rest
      $0.until = wait.blocker.until?.description
      $0.unblocked_by = resolution
    }
  }
}
