/// The words for blockers, the same wherever they are shown.
extension Blocker {
  /// What kinds there are, for programs.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case attempt, probe, compensation, delay, earliest, concurrency, disk, transfers, connections,
      host, rate, network
    case openFiles = "open_files"
    case diskSpace = "disk_space"
    case dependency, renewal, batch, allowance, parts, items, list, process
  }

  /// Its kind, and the event that resolves it.
  public var kind: (Kind, resolvedBy: String) {
    switch self {
    case .attempt: (.attempt, "the server's response, or the timeout")
    case .probe: (.probe, "the server's response, or the timeout")
    case .compensation(nil): (.compensation, "the server's response, or the timeout")
    case .compensation: (.compensation, "time")
    case .delay: (.delay, "time")
    case .earliest: (.earliest, "time")
    case .concurrency: (.concurrency, "an item that ends or waits")
    case .disk: (.disk, "an item that ends and releases its files")
    case .transfers: (.transfers, "a transfer that ends")
    case .connections: (.connections, "a request or a transfer that ends")
    case .host: (.host, "time, and those that wait before it")
    case .rate: (.rate, "time, and those that wait before it")
    case .shortage(.network, _, _, _):
      (.network, "a network; everything continues when a connection succeeds")
    case .shortage(.openFiles, _, _, _):
      (.openFiles, "closing files or connections; `ulimit -n` raises the limit")
    case .shortage(.diskSpace, _, _, _): (.diskSpace, "free disk space")
    case .dependency: (.dependency, "the success of that step")
    case .renewal: (.renewal, "the success of that step, or the end of the execution allowance")
    case .batch(_, _, nil): (.batch, "the other items, or that they cannot come")
    case .batch: (.batch, "more items, the time, or that no more items can come")
    case .batchUnderWay: (.batch, "its results")
    case .allowance: (.allowance, "the foreground, or a wake-up by the transfer service")
    case .parts: (.parts, "the parts, each with its own reason")
    case .loop: (.items, "the items, each with its own reason")
    case .enumeration: (.list, "the end of the list")
    case .stopped: (.process, "a process that continues the run")
    }
  }

  /// The reason for the wait, in a few words.
  public func words(in pipeline: Pipeline) -> String {
    func name(_ step: Int) -> String { "'\(pipeline.steps[step].id)'" }
    return switch self {
    case .attempt(let step): pipeline.steps[step].kind.wordsOfAttempt + " " + name(step)
    case .probe(let step): "probe of \(name(step))"
    case .compensation(nil): "undoing at the server"
    case .compensation: "back-off before undoing at the server"
    case .delay(let step, _):
      (pipeline.steps[step].kind == .poll ? "next question of" : "back-off of") + " \(name(step))"
    case .earliest(let step, _): "earliest start of \(name(step))"
    case .concurrency: "a concurrent item to end"
    case .disk: "disk budget"
    case .transfers: "a free transfer slot"
    case .connections: "a connection"
    case .host(let name, _, _): "a pause that \(name) asked for"
    case .rate(let rate, _, _): "the " + pipeline.budgets.rates[rate].title
    case .shortage(.network, _, _, _): "a network"
    case .shortage(.openFiles, _, _, _): "a free file descriptor"
    case .shortage(.diskSpace, _, _, _): "free disk space"
    case .dependency(_, let other): "step \(name(other))"
    case .renewal(let step, let other):
      "step \(name(other)), for the request of the transfer of \(name(step))"
    case .batch(let step, _, _): "a batch for \(name(step))"
    case .batchUnderWay(let step): "the batch of \(name(step)) before it"
    case .allowance: "execution allowance"
    case .parts(let step): "the parts of \(name(step))"
    case .loop(let loop): "the items of '\(pipeline.loops[loop].label)'"
    case .enumeration(let loop): "the list of '\(pipeline.loops[loop].label)'"
    case .stopped: "the run to be continued"
    }
  }
}

extension StepKind {
  fileprivate var wordsOfAttempt: String {
    isTransfer ? "transfer of" : hasResponse ? "response to" : "file of"
  }
}
