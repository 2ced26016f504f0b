import Synchronization

/// Stores a run in memory: for embedding when nothing has to outlive the process, and for tests.
///
/// It uses the same encoding as a durable store, so that data that the encoding omits is lost here too.
public final class InMemoryCheckpointStore: CheckpointStore {
  private let table: Mutex<CheckpointTable<CheckpointCoding>>

  /// An empty store for a run of `pipeline`.
  public init(_ pipeline: Pipeline) {
    table = Mutex(
      CheckpointTable(CheckpointCoding(pipeline), of: pipeline, events: HistoryCoding(pipeline)))
  }

  /// A lock passes typed errors on only as results.
  private func locked<Value: Sendable>(
    _ body: (inout CheckpointTable<CheckpointCoding>) throws(StoreFailure) -> Value
  ) throws(StoreFailure) -> Value {
    let result: Result<Value, StoreFailure> = table.withLock { table in
      do throws(StoreFailure) { return .success(try body(&table)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// See ``CheckpointStore/claim()``.
  public func claim() async throws(StoreFailure) -> Int {
    try locked { (table) throws(StoreFailure) in try table.claim() }
  }

  /// See ``CheckpointStore/create(_:items:)``.
  public func create(
    _ state: RunState, items: [EnumeratedLoop]
  ) async throws(StoreFailure) -> RunState {
    try locked { (table) throws(StoreFailure) in try table.create(state, items: items) }
  }

  /// See ``CheckpointStore/load()``.
  public func load() async throws(StoreFailure) -> RunState {
    try locked { (table) throws(StoreFailure) in try table.load() }
  }

  /// See ``CheckpointStore/commit(_:)``.
  @discardableResult
  public func commit(
    _ batch: CheckpointBatch
  ) async throws(StoreFailure) -> [TargetClaim.Refusal] {
    try locked { (table) throws(StoreFailure) in try table.commit(batch) }
  }

  /// See ``CheckpointStore/enumerate(loop:subjects:epoch:)``.
  public func enumerate(
    loop: Int, subjects: [Item.Subject], epoch: Int
  ) async throws(StoreFailure) {
    try locked { (table) throws(StoreFailure) in
      try table.enumerate(loop: loop, subjects: subjects, epoch: epoch)
    }
  }

  /// See ``CheckpointStore/items(loop:status:after:limit:)``.
  public func items(
    loop: Int, status: Item.Status?, after: Int, limit: Int
  ) async throws(StoreFailure) -> [Item] {
    try locked { (table) throws(StoreFailure) in
      try table.items(loop: loop, status: status, after: after, limit: limit)
    }
  }

  /// See ``CheckpointStore/requeue(_:epoch:)``.
  public func requeue(
    _ keys: [ItemKey]?, epoch: Int
  ) async throws(StoreFailure) -> [(loop: Int, paused: Int, failed: Int)] {
    try locked { (table) throws(StoreFailure) in try table.requeue(keys, epoch: epoch) }
  }

  /// See ``CheckpointStore/history(after:limit:)``.
  public func history(
    after sequence: Int, limit: Int
  ) async throws(StoreFailure) -> [HistoryBatch] {
    table.withLock { $0.history(after: sequence, limit: limit) }
  }

  /// See ``CheckpointStore/close()``.
  public func close() async {}
}
