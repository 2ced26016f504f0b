/// One run in memory, as a value that meets the contract of ``CheckpointStore``.
public struct CheckpointTable<Form: CheckpointForm>: Sendable {
  private struct Row {
    let subject: Form.StoredSubject
    var status: Item.Status
    var progress: Form.StoredProgress
    var parts: [ItemKey.Part: Form.StoredPart] = [:]
  }

  private let form: Form
  private let pipeline: Pipeline
  private let events: HistoryCoding?
  private var epoch = 0
  private var state: Form.StoredState?
  private var rows: [[Row]] = []
  private var batches: [HistoryBatch] = []
  private var holders: [UInt64: ItemKey] = [:]

  /// An empty table for a run of `pipeline`; without `events`, history is not stored.
  public init(_ form: Form, of pipeline: Pipeline, events: HistoryCoding? = nil) {
    (self.form, self.pipeline, self.events) = (form, pipeline, events)
  }

  /// See ``CheckpointStore/claim()``.
  public mutating func claim() throws(StoreFailure) -> Int {
    do throws(Damage) {
      try adoptRequeuedItems()
    } catch { throw StoreFailure(.corrupt, message: error.message) }
    epoch += 1
    return epoch
  }

  private mutating func adoptRequeuedItems() throws(Damage) {
    guard let stored = state else { return }
    var state = try form.state(stored)
    let hasChanged = state.adoptRequeued { loop in
      var counts = ItemCounts()
      for row in rows[loop] { counts[row.status] += 1 }
      return (counts[.pending], counts[.paused], counts[.failed])
    }
    if hasChanged { self.state = form.encode(state) }
  }

  /// See ``CheckpointStore/create(_:items:)``.
  public mutating func create(
    _ state: RunState, items: [EnumeratedLoop]
  ) throws(StoreFailure) -> RunState {
    var state = state
    var rows = [[Row]](repeating: [], count: state.loops.count)
    for loop in items {
      do {
        try loop.enumerate { subject in rows[loop.loop].append(row(subject)) }
      } catch { throw error as? StoreFailure ?? StoreFailure(.enumeration, message: "\(error)") }
      state.loops[loop.loop].isEnumerated = true
      state.loops[loop.loop].counts[.pending] = rows[loop.loop].count
    }
    guard self.state == nil else {
      throw StoreFailure(.system, message: "the store already contains a run")
    }
    self.state = form.encode(state)
    self.rows = rows
    return state
  }

  private func row(_ subject: Item.Subject) -> Row {
    Row(subject: form.encode(subject: subject), status: .pending, progress: form.noProgress)
  }

  /// See ``CheckpointStore/load()``.
  public func load() throws(StoreFailure) -> RunState {
    guard let stored = state else { throw Self.noRun }
    do throws(Damage) {
      var state = try form.state(stored)
      for (loop, rows) in rows.enumerated() {
        for (ordinal, row) in rows.enumerated() where row.status == .active {
          state.loops[loop].active[ordinal] = try item(row, ItemKey(loop: loop, ordinal: ordinal))
        }
      }
      return state
    } catch { throw StoreFailure(.corrupt, message: error.message) }
  }

  private func item(_ row: Row, _ key: ItemKey) throws(Damage) -> Item {
    var item = try form.item(key, subject: row.subject, status: row.status, progress: row.progress)
    guard item.hasParts else { return item }
    for (part, values) in row.parts { item.restore(part, try form.part(values), of: pipeline) }
    return item
  }

  private func holds(_ key: ItemKey) -> Bool {
    rows.indices.contains(key.loop) && rows[key.loop].indices.contains(key.ordinal)
  }

  /// See ``CheckpointStore/commit(_:)``.
  @discardableResult
  public mutating func commit(
    _ batch: CheckpointBatch
  ) throws(StoreFailure) -> [TargetClaim.Refusal] {
    guard epoch == batch.epoch else { throw Self.stale }
    guard state != nil else { throw Self.noRun }
    for item in batch.items where !holds(item.key) {
      throw StoreFailure(.corrupt, message: "there is no item \(item.key)")
    }
    for item in batch.items {
      rows[item.key.loop][item.key.ordinal].status = item.status
      rows[item.key.loop][item.key.ordinal].progress = form.encode(progress: item)
    }
    for change in batch.parts { commit(change) }
    for loop in batch.cancelledLoops {
      for index in rows[loop].indices where rows[loop][index].status == .pending {
        rows[loop][index].status = .cancelled
      }
    }
    if let state = batch.state { self.state = form.encode(state) }
    if let events, !batch.events.isEmpty {
      batches.append(
        HistoryBatch(
          sequence: batches.count + 1, at: batch.at,
          events: events.encode(batch.events, items: batch.items)))
    }
    return batch.claims.compactMap { claim($0) }
  }

  private mutating func claim(_ claim: TargetClaim) -> TargetClaim.Refusal? {
    guard let item = claim.item else { return nil }
    guard let holder = holders[claim.target] else {
      if claim.takes { holders[claim.target] = item }
      return nil
    }
    guard holder != item, holds(holder),
      let held = try? self.item(rows[holder.loop][holder.ordinal], holder)
    else { return nil }
    return TargetClaim.Refusal(claim, holder: holder, subject: held.subject)
  }

  private mutating func commit(_ change: PartChange) {
    switch change {
    case .concluded(let key, let values):
      guard let part = key.part, holds(key) else { return }
      rows[key.loop][key.ordinal].parts[part] = form.encode(part: values)
    case .forgotten(let key, let step):
      guard holds(key) else { return }
      rows[key.loop][key.ordinal].parts = rows[key.loop][key.ordinal].parts
        .filter { $0.key.step != step }
    }
  }

  private static var noRun: StoreFailure {
    StoreFailure(.notFound, message: "the store contains no run")
  }

  private static var stale: StoreFailure {
    StoreFailure(.staleOwner, message: "another process has acquired the run")
  }

  /// See ``CheckpointStore/enumerate(loop:subjects:epoch:)``.
  public mutating func enumerate(
    loop: Int, subjects: [Item.Subject], epoch: Int
  ) throws(StoreFailure) {
    guard self.epoch == epoch else { throw Self.stale }
    rows[loop] = subjects.map(row)
  }

  /// See ``CheckpointStore/items(loop:status:after:limit:)``.
  public func items(
    loop: Int, status: Item.Status?, after: Int, limit: Int
  ) throws(StoreFailure) -> [Item] {
    guard rows.indices.contains(loop) else { return [] }
    var found: [Item] = []
    do throws(Damage) {
      for ordinal in rows[loop].indices.dropFirst(max(after + 1, 0)) {
        guard found.count < limit else { break }
        let row = rows[loop][ordinal]
        guard status == nil || row.status == status else { continue }
        found.append(try item(row, ItemKey(loop: loop, ordinal: ordinal)))
      }
    } catch { throw StoreFailure(.corrupt, message: error.message) }
    return found
  }

  /// See ``CheckpointStore/requeue(_:epoch:)``.
  public mutating func requeue(
    _ keys: [ItemKey]?, epoch: Int
  ) throws(StoreFailure) -> [(loop: Int, paused: Int, failed: Int)] {
    guard self.epoch == epoch else { throw Self.stale }
    let wanted = keys.map(Set.init)
    var changes: [(loop: Int, paused: Int, failed: Int)] = []
    for loop in rows.indices {
      var paused = 0
      var failed = 0
      for ordinal in rows[loop].indices {
        if let wanted, !wanted.contains(ItemKey(loop: loop, ordinal: ordinal)) { continue }
        switch rows[loop][ordinal].status {
        case .paused: paused += 1
        case .failed: failed += 1
        case .pending, .active, .done, .skipped, .cancelled: continue
        }
        rows[loop][ordinal].status = .pending
      }
      if paused + failed > 0 { changes.append((loop, paused, failed)) }
    }
    return changes
  }

  /// See ``CheckpointStore/history(after:limit:)``.
  public func history(after sequence: Int, limit: Int) -> [HistoryBatch] {
    Array(batches.dropFirst(max(sequence, 0)).prefix(limit))
  }
}
