import PipelineCore
import PipelineEngine

/// The table of simulations, as a store: it has values where other stores have a form of their own.
actor TableStore: CheckpointStore {
  private var table: CheckpointTable<ValueForm>

  init(_ pipeline: Pipeline) {
    table = CheckpointTable(ValueForm(), of: pipeline, events: HistoryCoding(pipeline))
  }

  func claim() async throws(StoreFailure) -> Int { try table.claim() }

  func create(_ state: RunState, items: [EnumeratedLoop]) async throws(StoreFailure) -> RunState {
    try table.create(state, items: items)
  }

  func load() async throws(StoreFailure) -> RunState { try table.load() }

  func commit(_ batch: CheckpointBatch) async throws(StoreFailure) -> [TargetClaim.Refusal] {
    try table.commit(batch)
  }

  func enumerate(loop: Int, subjects: [Item.Subject], epoch: Int) async throws(StoreFailure) {
    try table.enumerate(loop: loop, subjects: subjects, epoch: epoch)
  }

  func items(
    loop: Int, status: Item.Status?, after: Int, limit: Int
  ) async throws(StoreFailure) -> [Item] {
    try table.items(loop: loop, status: status, after: after, limit: limit)
  }

  func item(_ key: ItemKey) async throws(StoreFailure) -> Item? {
    try table.items(loop: key.loop, status: nil, after: key.ordinal - 1, limit: 1)
      .first { $0.key == key }
  }

  func requeue(
    _ keys: [ItemKey]?, epoch: Int
  ) async throws(StoreFailure) -> [(loop: Int, paused: Int, failed: Int)] {
    try table.requeue(keys, epoch: epoch)
  }

  func history(after sequence: Int, limit: Int) async throws(StoreFailure) -> [HistoryBatch] {
    table.history(after: sequence, limit: limit)
  }

  func close() async {}
}
