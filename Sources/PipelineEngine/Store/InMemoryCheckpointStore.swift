public import PipelineCore
import Synchronization

/// Keeps a run in memory: for embedding where nothing has to outlive the process, and for tests.
///
/// It goes through the same form as a durable store, so that what that form does not carry is lost
/// here too.
public final class InMemoryCheckpointStore: CheckpointStore {
  private struct Row {
    let subject: [UInt8]
    var status: Item.Status
    var progress: [UInt8]
  }

  private struct Content {
    var epoch = 0
    var state: [UInt8]?
    var rows: [[Row]] = []
    var history: [HistoryBatch] = []

    func holds(_ key: ItemKey) -> Bool {
      rows.indices.contains(key.loop) && rows[key.loop].indices.contains(key.ordinal)
    }
  }

  private let coding: CheckpointCoding
  private let events: HistoryCoding
  private let content = Mutex(Content())

  /// An empty store for a run of `pipeline`.
  public init(_ pipeline: Pipeline) {
    coding = CheckpointCoding(pipeline)
    events = HistoryCoding(pipeline)
  }

  /// See ``CheckpointStore/claim()``.
  public func claim() async throws(StoreFailure) -> Int {
    let result: Result<Int, CheckpointCoding.Damage> = content.withLock { content in
      do throws(CheckpointCoding.Damage) {
        try adoptRequeuedItems(&content)
      } catch {
        return .failure(error)
      }
      content.epoch += 1
      return .success(content.epoch)
    }
    switch result {
    case .success(let epoch): return epoch
    case .failure(let damage): throw StoreFailure(.corrupt, message: damage.message)
    }
  }

  private func adoptRequeuedItems(_ content: inout Content) throws(CheckpointCoding.Damage) {
    guard let bytes = content.state else { return }
    var state = try coding.state(bytes)
    var hasChanged = false
    for (loop, rows) in content.rows.enumerated() where state.loops[loop].isEnumerated {
      var counts = ItemCounts()
      for row in rows { counts[row.status] += 1 }
      let isNew = state.adoptRequeued(
        loop: loop, pending: counts[.pending], paused: counts[.paused], failed: counts[.failed])
      hasChanged = hasChanged || isNew
    }
    if hasChanged { content.state = coding.encode(state) }
  }

  /// See ``CheckpointStore/create(_:items:)``.
  public func create(
    _ state: RunState, items: [EnumeratedLoop]
  ) async throws(StoreFailure) -> RunState {
    var state = state
    var rows = [[Row]](repeating: [], count: state.loops.count)
    for loop in items {
      do {
        try loop.enumerate { subject in
          rows[loop.loop].append(
            Row(subject: coding.encode(subject: subject), status: .pending, progress: []))
        }
      } catch {
        throw error as? StoreFailure ?? StoreFailure(.enumeration, message: "\(error)")
      }
      state.loops[loop.loop].isEnumerated = true
      state.loops[loop.loop].counts[.pending] = rows[loop.loop].count
    }
    let bytes = coding.encode(state)
    let kept = rows
    let isFree = content.withLock { content in
      guard content.state == nil else { return false }
      content.state = bytes
      content.rows = kept
      return true
    }
    guard isFree else {
      throw StoreFailure(.system, message: "the store holds a run already")
    }
    return state
  }

  /// See ``CheckpointStore/load()``.
  public func load() async throws(StoreFailure) -> RunState {
    let (bytes, rows) = content.withLock { ($0.state, $0.rows) }
    guard let bytes else { throw Self.noRun }
    do {
      var state = try coding.state(bytes)
      for (loop, rows) in rows.enumerated() {
        for (ordinal, row) in rows.enumerated() where row.status == .active {
          let key = ItemKey(loop: loop, ordinal: ordinal)
          state.loops[loop].active[ordinal] = try coding.item(
            key, subject: row.subject, status: row.status, progress: row.progress)
        }
      }
      return state
    } catch {
      throw StoreFailure(.corrupt, message: error.message)
    }
  }

  /// See ``CheckpointStore/commit(_:)``.
  public func commit(_ batch: CheckpointBatch) async throws(StoreFailure) {
    let failure: StoreFailure? = content.withLock { content in
      guard content.epoch == batch.epoch else { return Self.stale }
      guard content.state != nil else { return Self.noRun }
      for item in batch.items where !content.holds(item.key) {
        return StoreFailure(.corrupt, message: "item \(item.key) is not there")
      }
      for item in batch.items {
        content.rows[item.key.loop][item.key.ordinal].status = item.status
        content.rows[item.key.loop][item.key.ordinal].progress = coding.encode(progress: item)
      }
      for loop in batch.cancelledLoops {
        for index in content.rows[loop].indices where content.rows[loop][index].status == .pending {
          content.rows[loop][index].status = .cancelled
        }
      }
      if let state = batch.state { content.state = coding.encode(state) }
      if !batch.events.isEmpty {
        content.history.append(
          HistoryBatch(
            sequence: content.history.count + 1, at: batch.at, events: events.encode(batch.events)))
      }
      return nil
    }
    if let failure { throw failure }
  }

  private static let noRun = StoreFailure(.notFound, message: "the store holds no run")

  private static let stale = StoreFailure(
    .staleOwner, message: "another process has taken the run over")

  /// See ``CheckpointStore/enumerate(loop:subjects:epoch:)``.
  public func enumerate(
    loop: Int, subjects: [Item.Subject], epoch: Int
  ) async throws(StoreFailure) {
    let isOwner = content.withLock { content in
      guard content.epoch == epoch else { return false }
      content.rows[loop] = subjects.map {
        Row(subject: coding.encode(subject: $0), status: .pending, progress: [])
      }
      return true
    }
    guard isOwner else { throw Self.stale }
  }

  /// See ``CheckpointStore/items(loop:status:after:limit:)``.
  public func items(
    loop: Int, status: Item.Status?, after: Int, limit: Int
  ) async throws(StoreFailure) -> [Item] {
    let rows = content.withLock { $0.rows.indices.contains(loop) ? $0.rows[loop] : [] }
    let found = rows.enumerated().dropFirst(max(after + 1, 0))
      .filter { status == nil || $1.status == status }.prefix(limit)
    do {
      return try found.map { ordinal, row in
        try coding.item(
          ItemKey(loop: loop, ordinal: ordinal), subject: row.subject, status: row.status,
          progress: row.progress)
      }
    } catch {
      throw StoreFailure(.corrupt, message: "\(error)")
    }
  }

  /// See ``CheckpointStore/item(_:)``.
  public func item(_ key: ItemKey) async throws(StoreFailure) -> Item? {
    try await items(loop: key.loop, status: nil, after: key.ordinal - 1, limit: 1)
      .first { $0.key == key }
  }

  /// See ``CheckpointStore/requeue(_:epoch:)``.
  public func requeue(
    _ keys: [ItemKey]?, epoch: Int
  ) async throws(StoreFailure) -> [(loop: Int, paused: Int, failed: Int)] {
    let wanted = keys.map(Set.init)
    let result: [(loop: Int, paused: Int, failed: Int)]? = content.withLock { content in
      guard content.epoch == epoch else { return nil }
      return content.rows.indices.compactMap { loop in
        var paused = 0
        var failed = 0
        for ordinal in content.rows[loop].indices {
          if let wanted, !wanted.contains(ItemKey(loop: loop, ordinal: ordinal)) { continue }
          switch content.rows[loop][ordinal].status {
          case .paused: paused += 1
          case .failed: failed += 1
          case .pending, .active, .done, .skipped, .cancelled: continue
          }
          content.rows[loop][ordinal].status = .pending
        }
        return paused + failed > 0 ? (loop, paused, failed) : nil
      }
    }
    guard let result else { throw Self.stale }
    return result
  }

  /// See ``CheckpointStore/history(after:limit:)``.
  public func history(
    after sequence: Int, limit: Int
  ) async throws(StoreFailure) -> [HistoryBatch] {
    content.withLock { Array($0.history.dropFirst(max(sequence, 0)).prefix(limit)) }
  }

  /// See ``CheckpointStore/close()``.
  public func close() async {}
}
