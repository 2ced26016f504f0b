import Dispatch

/// A new run with the inputs of an earlier one: the values, and the items of its loops over files, row by row.
///
/// What chose the files, such as `--exclude`, is not stored with a run; the files are. Each is described again, because
/// it may have changed.
final class Rerun: Sendable {
  private let pipeline: Pipeline
  private let old: RunState
  private let store: any RunStore
  private let changes = Mutex(Changes())

  struct Changes {
    var changed: [String] = []
    var gone: [String] = []
    var count = 0
  }

  init(_ pipeline: Pipeline, _ old: RunState, _ store: any RunStore) {
    (self.pipeline, self.old, self.store) = (pipeline, old, store)
  }

  /// Creates the run in `new`; `frame` has the states of the run's steps, if some have started.
  func create(
    _ id: RunID, in new: any RunStore, secrets: [String: Value], server: String?, frame: Frame?
  ) async throws -> RunState {
    var inputs = try old.inputs.mapValues(described)
    if let server { inputs["server"] = .string(server) }
    var state = RunState(
      id: id, pipeline: pipeline, inputs: inputs, secrets: secrets,
      seed: UInt64.random(in: .min ... .max), began: SteadyClock().now(),
      keySeed: RunState.randomKeySeed(), shard: old.shard)
    if let frame { state.frame = frame }
    // The list of any other loop is evaluated when the run reaches it.
    let loops = pipeline.loops.indices.filter { pipeline.loops[$0].filesInput != nil }.map { loop in
      EnumeratedLoop(loop: loop) { yield in
        var after = -1
        while true {
          let items = try self.page(loop, after: after)
          guard let last = items.last else { return }
          after = last.key.ordinal
          for item in items { try yield(self.subject(of: item)) }
        }
      }
    }
    return try await new.create(state, items: loops)
  }

  /// Items of the earlier run, read by another task: the thread of the new run's store may wait for that.
  private func page(_ loop: Int, after: Int) throws -> [Item] {
    let result = Mutex(Result<[Item], any Error>.success([]))
    let isRead = DispatchSemaphore(value: 0)
    Task.detached { [store] in
      let items = await Result {
        try await store.items(loop: loop, status: nil, after: after, limit: 1000)
      }
      result.withLock { $0 = items }
      isRead.signal()
    }
    isRead.wait()
    return try result.withLock { $0 }.get()
  }

  private func subject(of item: Item) -> Item.Subject {
    guard case .file(let file) = item.subject else { return item.subject }
    changes.withLock { $0.count += 1 }
    switch ChangedFiles.change(of: item) {
    case nil: return item.subject
    case .changed(let now):
      changes.withLock { $0.changed.append(file.relative) }
      return .file(now)
    case .gone:
      // It stays an item, which fails with the reason.
      changes.withLock { $0.gone.append(file.relative) }
      return item.subject
    }
  }

  /// A value with its files as they are now.
  private func described(_ value: Value) throws -> Value {
    if let list = value.listValue { return .list(try list.map(described)) }
    guard let file = FileValue(value), file.path.hasPrefix("/") else { return value }
    do {
      return try SourceFile.describe(file.path, in: "/").with(relative: file.relative).value
    } catch {
      throw CommandFailure.invalid("an input of the earlier run cannot be used: \(error.message)")
    }
  }

  private static let shown = 5

  var remarks: [String] {
    changes.withLock { changes in
      [("changed", changes.changed), ("gone", changes.gone)].compactMap { word, names in
        guard !names.isEmpty else { return nil }
        let more = names.count > Self.shown ? ", and \(names.count - Self.shown) more" : ""
        let list = names.prefix(Self.shown).map { "'\($0)'" }.joined(separator: ", ")
        return
          "\(names.count) of \(ReportFormatting.count(changes.count, "file")) \(names.count == 1 ? "is" : "are") "
          + "\(word) since the earlier run started: \(list)\(more)"
      }
    }
  }

  /// The states of the run's steps with the results of those before `step`, as far as they are still valid.
  func frame(from step: String, at now: Instant) throws(CommandFailure) -> Frame {
    guard let index = pipeline.steps.firstIndex(where: { $0.id.rawValue == step }) else {
      let names = pipeline.steps.map { "'\($0.id)'" }.joined(separator: ", ")
      throw CommandFailure.invalid(
        "pipeline '\(pipeline.name)' has no step '\(step)'; expected one of \(names)")
    }
    try refuse(index)
    var kept: Set<Int> = []
    return zip(pipeline.runSteps, old.frame).map { position, before in
      let step = pipeline.steps[position]
      let isMadeFromKept = step.uses.allSatisfy { kept.contains($0.step) }
      if position < index, isMadeFromKept, step.turnOf == nil, before.isSelfContained(at: now) {
        kept.insert(position)
        return before
      }
      // The generation stays, so that results derived from the old result are recreated.
      var state = StepState()
      state.generation = before.generation
      return state
    }
  }

  private func refuse(_ index: Int) throws(CommandFailure) {
    let step = pipeline.steps[index]
    let first = pipeline.loops.first?.steps.first
    guard step.turnOf == nil, step.partOf == nil else {
      throw CommandFailure.invalid(
        "a run cannot start at step '\(step.id)', which is inside another step")
    }
    guard let first, index > first else { return }
    throw CommandFailure.invalid(
      "a run cannot start at step '\(step.id)': the results of finished items are not kept, so the loop before it "
        + "starts with its first step; --from \(pipeline.steps[first].id) does that")
  }
}

extension StepState {
  /// Whether it succeeded with a result that is still valid, and that does not need the run that made it.
  fileprivate func isSelfContained(at now: Instant) -> Bool {
    status == .succeeded && !isInvalidated && batch == nil && parts == nil && turn == 0 && !isOver
      && file?.isUsers != false && outputs.allSatisfy { !$0.isSecret && $0.isValid(at: now) }
  }
}
