/// States for everything that waits: its blocker, since when, and what would unblock it.
public struct Explanation {
  /// What has happened to the file of an item since the run started.
  public enum FileChange: Hashable, Sendable {
    /// It no longer exists.
    case gone
    /// It has changed.
    case changed
    /// It has changed, and a later run of the same series includes it.
    case passed(toRun: String)
  }

  private let run: ReportedRun
  private let now: Instant
  private let limit: Int
  private let change: (Item) -> FileChange?
  private var pipeline: Pipeline { run.pipeline }

  /// - Parameters:
  ///   - now: The time of the run.
  ///   - limit: Maximum number of items of each kind to describe one by one.
  ///   - change: What has happened to an item's file; `nil` if it is unchanged.
  public init(
    _ run: ReportedRun, at now: Instant, limit: Int,
    change: @escaping (Item) -> FileChange? = { _ in nil }
  ) { (self.run, self.now, self.limit, self.change) = (run, now, limit, change) }

  /// Everything that waits, as JSON.
  public func json() async throws -> String { EncodedJSON.of(try await form()) }

  /// An item with its steps and what it waits for, as JSON; `nil` if the run has no such item.
  public func json(of key: ItemKey) async throws -> String? {
    try await form(of: key).map { EncodedJSON.of($0) }
  }

  /// - Parameter listsMany: Whether some of the items are described even if there are more than the limit.
  package func form(listsMany: Bool = true) async throws -> ExplainedRunForm {
    let report = run.report
    var entries: [EntryForm] = []
    if let reason = run.state.reason {
      entries.append(
        EntryForm {
          $0.name = "the run"
          $0.status = report.statusWord
          $0.waits_for = reason.message
          $0.since = run.state.ended?.description
          // What the user asked for has no cause.
          let isFailure = reason.status != nil || reason.message.hasPrefix("step '")
          $0.unblocked_by = (isFailure ? "fix the cause, then " : "") + report.continuing
          $0.response = ResponseForm(reason)
        })
    }
    var more = 0
    let waits = waiting(&more)
    entries += waits.filter { !$0.isPending }.map(entry)
    var causes: [CauseForm] = []
    for loop in pipeline.loops.indices {
      for status in [Item.Status.paused, .failed] {
        let count = run.state.loops[loop].counts[status]
        // Those of one cause are a line, unless all can be listed.
        if count > limit {
          causes += try await CauseForm.all(in: run.store, loop: loop, status)
          more += count - limit
          if !listsMany { continue }
        }
        entries += try await settled(loop, status)
      }
    }
    entries += waits.filter(\.isPending).map(entry)
    return ExplainedRunForm {
      $0.run = run.state.id.rawValue
      $0.shard = report.shard?.description
      $0.status = report.statusWord
      $0.worked_on = run.isWorkedOn
      $0.entries = entries
      $0.more = more
      $0.causes = causes
    }
  }

  private func entry(of wait: WaitText) -> EntryForm {
    let isCancelling = run.state.status == .cancelling
    return wait.entry(
      at: now, isCancelling: isCancelling,
      idle: run.isWorkedOn ? nil : idle(isCancelling ? "cancel" : "resume"))
  }

  /// Why nothing works on the run, and the command or the worker that would.
  private func idle(_ verb: String) -> (why: String, end: String) {
    guard let shard = run.place.shardPlace, run.state.status == .running, !shard.isPaused,
      shard.trouble == nil
    else { return ("no process is working on it", "`\(run.place.command(verb))`") }
    return shard.waitsForLead
      ? ("the run's lead must reach its items first", "the lead, for a reason of its own")
      : ("no worker is working on it", "`\(shard.workCommand)`")
  }

  /// What waits, of each loop at most ``limit`` items with their parts; adds those that are left out to `more`.
  private func waiting(_ more: inout Int) -> [WaitText] {
    var hidden: Set<ItemKey> = []
    for active in run.state.loops.map(\.active.values) {
      hidden.formUnion(active.map(\.key).sorted().dropFirst(limit))
    }
    more += hidden.count
    return run.waits(at: now).filter { text in
      if case .item(let key) = text.wait.subject { !hidden.contains(key.whole) } else { true }
    }
  }

  private static func since(_ item: Item) -> String? {
    let moments = item.frame.map(\.since) + [item.abandoning?.since].compactMap { $0 }
    return moments.filter { $0 > Instant(milliseconds: 0) }.max()?.description
  }

  private func settled(_ loop: Int, _ status: Item.Status) async throws -> [EntryForm] {
    try await run.store.items(loop: loop, status: status, after: -1, limit: limit).map { item in
      EntryForm {
        $0.item = item.key.description
        $0.name = ReportFormatting.label(item)
        $0.status = status.word
        $0.waits_for = item.reason?.message ?? "no reason is known"
        $0.since = Self.since(item)
        $0.unblocked_by = remedy(for: item)
        $0.left_at_server = item.isLeftAtServer ? true : nil
        $0.response = item.reason.flatMap(ResponseForm.init)
      }
    }
  }

  package func remedy(for item: Item) -> String {
    let place = run.place
    if run.state.status == .cancelled || run.state.status == .cancelling {
      return item.isLeftAtServer
        ? "`\(place.command("cancel"))`, which tries to undo it again"
        : "nothing: the run was cancelled"
    }
    // In a database, items are tried again all together.
    let items = place.shardPlace == nil ? [item.key.description] : []
    let retry = place.command("retry", more: items)
    if case .file(let file) = item.subject, file.problem != nil {
      return "correcting that, then `\(retry)`"
    }
    switch change(item) {
    case .gone: return "restoring the original file, then `\(retry)`"
    case .passed(let later):
      return "nothing: run '\(later)' of the same series includes the current file"
    case .changed:
      let accepting = place.command("retry", more: items + ["--accept-changed-files"])
      return "`\(accepting)`, which accepts the file as it is now"
    case nil: return "`\(retry)`"
    }
  }

  // MARK: One item

  /// A step's status; a step to be reissued also states how its last attempt ended.
  private static func word(of state: StepState, in item: Item) -> String {
    guard state.status == .pending, state.attempt > 0, state.failure != nil else {
      return state.status.rawValue
    }
    switch item.status {
    case .failed: return "failed"
    case .paused: return "paused"
    case .active, .pending: return "to be repeated"
    case .done, .skipped, .cancelled: return "abandoned"
    }
  }

  /// An item with its steps and what it waits for; `nil` if the run has no such item.
  package func form(of key: ItemKey) async throws -> ExplainedItemForm? {
    guard let item = try await run.store.item(key) else { return nil }
    let again = try await repeatReasons(of: key)
    let steps = zip(pipeline.loops[key.loop].steps, item.frame).map { step, state in
      StepForm {
        $0.step = pipeline.steps[step].id.rawValue
        $0.status = Self.word(of: state, in: item)
        $0.generation = state.generation
        $0.attempt = state.attempt
        $0.since = state.generation > 0 ? state.since.description : nil
        $0.reason = state.failure?.message
        $0.expires = state.outputs.compactMap(\.expires).min()?.description
        $0.response = state.failure.flatMap(ResponseForm.init)
        $0.again = again[pipeline.steps[step].id.rawValue]
      }
    }
    let waits = run.waits(at: now).filter { text in
      switch text.wait.subject {
      case .item(let other): other.whole == key
      case .pending(key.loop, _): item.status == .pending
      case .run, .step, .pending: false
      }
    }
    return ExplainedItemForm {
      $0.item = key.description
      $0.name = ReportFormatting.label(item)
      $0.status = item.status.word
      $0.reason = item.reason?.message
      $0.steps = steps
      $0.waits = waits.map(entry)
    }
  }

  /// Why the steps of an item were last done again, by step.
  private func repeatReasons(of key: ItemKey) async throws -> [String: String] {
    var reasons = RepeatReasons(run.pipeline)
    var found: [String: String] = [:]
    try await run.store.eachBatch { batch in
      for event in (try? Value(json: batch.events))?.listValue ?? [] {
        guard let fields = event.mapValue, let reason = reasons.reason(fields, at: batch.at),
          fields["loop"] == .int(Int64(key.loop)), fields["item"] == .int(Int64(key.ordinal)),
          fields["part"] == nil, let step = fields["step"]?.stringValue
        else { continue }
        found[step] = reason
      }
    }
    return found
  }
}

extension CauseForm {
  /// Counts the items of one state by cause, the most frequent cause first.
  static func all(
    in store: any CheckpointStore, loop: Int, _ status: Item.Status
  ) async throws -> [CauseForm] {
    var found: [String: CauseForm] = [:]
    try await store.eachPage(of: loop, status) { page in
      for item in page {
        let cause = FailureTally.cause(of: item)
        if found[cause] == nil {
          found[cause] = CauseForm {
            $0.status = status.word
            $0.reason = item.reason.map(ReportFormatting.reason) ?? "no reason is known"
            $0.first = item.key.description
            $0.name = ReportFormatting.label(item)
          }
        }
        found[cause]?.items += 1
      }
    }
    return found.values.sorted { ($1.items, $0.first) < ($0.items, $1.first) }
  }
}
