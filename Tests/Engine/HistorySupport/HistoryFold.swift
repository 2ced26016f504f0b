import CEL
package import PipelineCore
package import PipelineEngine

/// Replays a run's history: the machine is applied to the events again, from the run's start, and
/// must arrive at the stored state.
///
/// The history does not contain, so this does not compare: values of secrets, the bounds of servers' clocks, and
/// the reference of the run's time. The subjects of items come from the store, and so do the
/// items that the user retried, because rows are requeued before the run learns of it.
package struct HistoryFold: Sendable {
  private let coding: HistoryCoding
  private let evaluator: Evaluator
  private let secrets: [String: Value]
  private var table: CheckpointTable<ValueForm>
  private var core: RunCore?
  package private(set) var sequence = 0

  package init(_ created: RunState, items: [[Item]], pipeline: Pipeline) throws(StoreFailure) {
    coding = HistoryCoding(pipeline)
    evaluator = Evaluator(pipeline)
    secrets = created.secrets
    table = CheckpointTable(ValueForm(), of: pipeline)
    let loops = created.loops.indices.filter { created.loops[$0].isEnumerated }
    _ = try table.create(
      created,
      items: loops.map { loop in
        EnumeratedLoop(loop: loop) { yield in for item in items[loop] { try yield(item.subject) } }
      })
  }

  /// Applies the next batch; `stored` is the run in the store before it.
  package mutating func fold(
    _ batch: HistoryBatch, over stored: CheckpointTable<some CheckpointForm>
  ) throws(StoreFailure) {
    sequence = batch.sequence
    let events: [Event]
    let id = try table.load().id
    do throws(CheckpointCoding.Damage) {
      events = try coding.decode(batch.events, of: id) { key in
        let found = try? table.items(loop: key.loop, status: nil, after: key.ordinal - 1, limit: 1)
        return found?.first
      }
    } catch { throw StoreFailure(.corrupt, message: "batch \(batch.sequence): \(error.message)") }
    // The process's limits, or a pause that was requested before it started, may come first.
    if events.contains(.runBegan) || events.contains(.runResumed) { try begin(stored) }
    for case .itemsEnumerated(let loop, _) in events {
      let items = try stored.items(loop: loop, status: nil, after: -1, limit: .max)
      try table.enumerate(loop: loop, subjects: items.map(\.subject), epoch: core?.epoch ?? 0)
    }
    guard let turn = core?.turn(events, at: batch.at) else {
      throw StoreFailure(.corrupt, message: "the history does not start with a process")
    }
    try table.commit(turn.batch)
  }

  private mutating func begin(_ stored: CheckpointTable<some CheckpointForm>) throws(StoreFailure) {
    var epoch = try table.claim()
    if try requeue(stored, epoch) { epoch = try table.claim() }
    var state = try table.load()
    state.secrets = secrets
    core = RunCore(state, epoch: epoch, evaluator: evaluator)
  }

  /// Makes retried rows pending; returns whether the run learnt of it without an event.
  private mutating func requeue(
    _ stored: CheckpointTable<some CheckpointForm>, _ epoch: Int
  ) throws(StoreFailure) -> Bool {
    var keys: [ItemKey] = []
    var isAdopted = true
    let counts = try stored.load().loops.map(\.counts)
    for loop in evaluator.pipeline.loops.indices {
      let told = try table.items(loop: loop, status: nil, after: -1, limit: .max)
      let known = try stored.items(loop: loop, status: .pending, after: -1, limit: .max)
      let pending = Set(known.map(\.key))
      if counts[loop][.pending] != known.count { isAdopted = false }
      keys += told.filter { pending.contains($0.key) && $0.status != .pending }.map(\.key)
    }
    guard !keys.isEmpty else { return false }
    _ = try table.requeue(keys, epoch: epoch)
    return isAdopted
  }

  package func differences(
    from stored: CheckpointTable<some CheckpointForm>
  ) throws(StoreFailure) -> [String] {
    var told = Self.compared(try table.load())
    var kept = Self.compared(try stored.load())
    // The history does not contain the host of a secret URL.
    if told.pauses[""] != nil { (told.pauses, kept.pauses) = ([:], [:]) }
    var found: [String] = []
    if told.status != kept.status {
      found.append("the run is \(kept.status), but \(told.status) according to its history")
    }
    found += Self.differences(kept.frame, told.frame, of: "the run")
    for loop in evaluator.pipeline.loops.indices {
      let items = try table.items(loop: loop, status: nil, after: -1, limit: .max)
      let rows = try stored.items(loop: loop, status: nil, after: -1, limit: .max)
      for (item, row) in zip(items, rows) where item != row {
        let differences = Self.differences(row.frame, item.frame, of: "item \(row.key)")
        found += differences
        if row.status != item.status || differences.isEmpty {
          found.append(
            "item \(row.key) is \(row.status), but \(item.status) according to its history")
        }
      }
      if items.count != rows.count {
        found.append(
          "loop \(loop) has \(rows.count) items, but \(items.count) according to its history")
      }
    }
    if found.isEmpty, told != kept {
      let names = zip(Mirror(reflecting: kept).children, Mirror(reflecting: told).children)
        .compactMap { "\($0.value)" == "\($1.value)" ? nil : $0.label }
      found.append("the run's row differs from its history: \(names.joined(separator: ", "))")
    }
    return found
  }

  private static func compared(_ state: RunState) -> RunState {
    var state = state
    state.time = nil
    state.clocks = [:]
    state.secrets = [:]
    return state
  }

  private static func differences(_ kept: Frame, _ told: Frame, of name: String) -> [String] {
    if kept.count != told.count {
      return ["\(name) has begun \(kept.count) steps, but \(told.count) according to its history"]
    }
    return zip(kept, told).enumerated().compactMap { index, pair in
      let names = Self.members.filter { !$0.isSame(pair.0, pair.1) }.map(\.name)
      return names.isEmpty
        ? nil
        : "step \(index) of \(name) is \(text(pair.0)), but \(text(pair.1)) according to its history: "
          + "\(names.joined(separator: ", ")) differ"
    }
  }

  private static func text(_ step: StepState) -> String {
    "\(step.status) \(step.generation).\(step.attempt)"
  }

  private static let members: [(name: String, isSame: @Sendable (StepState, StepState) -> Bool)] = [
    ("status", { $0.status == $1.status }), ("generation", { $0.generation == $1.generation }),
    ("attempt", { $0.attempt == $1.attempt }), ("failures", { $0.failures == $1.failures }),
    ("reissues", { $0.reissues == $1.reissues }),
    ("dead", { $0.isInvalidated == $1.isInvalidated }), ("since", { $0.since == $1.since }),
    ("begun", { $0.begun == $1.begun }), ("not_before", { $0.notBefore == $1.notBefore }),
    ("failure", { $0.failure == $1.failure }), ("statuses", { $0.statuses == $1.statuses }),
    ("outputs", { $0.outputs == $1.outputs }), ("file", { $0.file == $1.file }),
    ("sources", { $0.sources == $1.sources }),
    ("reserved", { $0.reservedBytes == $1.reservedBytes }), ("batch", { $0.batch == $1.batch }),
  ]
}
