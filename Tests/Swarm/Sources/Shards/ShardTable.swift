import PipelineCore
import PipelineEngine
import PipelineSimulator

/// What PostgreSQL promises to workers, in virtual time: the rows of shards, as `commit_batch` and `PostgreSQLRuns` treat them.
struct ShardTable {
  struct Row {
    var epoch = 0
    var worker: Int?
    var leaseUntil = Instant(milliseconds: 0)
    var last: UInt64 = 0
    var table: CheckpointTable<ValueForm>
    /// The tokens of all batches, in order.
    var stored: [UInt64] = []
    var hasEnded = false
    /// Among how many shards the rate is divided for it, at most.
    var shares = 1
    /// The machines that left it to others, and until when they do not get it again.
    var refusedBy: [Int: Instant] = [:]
    /// Of a lead: it has paused until the others are done.
    var waits = false
    /// Of a lead: a worker must continue it.
    var wakes = false
    /// Its initial state, and its items; a shard with items is stored when the lead has opened the run.
    let first: RunState
    let items: [EnumeratedLoop]
  }

  /// The first is the lead.
  var rows: [Row]
  var isOpen = false
  let slots: Int
  let lease: Duration
  let bug: ShardBug?

  /// A shard that is free, for a worker whose clock shows `local`.
  mutating func claim(
    _ worker: Int, at now: Instant, local: Instant
  ) -> (shard: Int, epoch: Int, shares: Int)? {
    let clock = bug == .leaseByWorkersClock ? local : now
    guard held(at: clock) < slots || bug == .slotsNotCounted,
      let shard = rows.firstIndex(where: {
        isWorkable($0) && ($0.worker == nil || $0.leaseUntil < clock)
          && ($0.refusedBy[worker].map { $0 < clock } ?? true)
      })
    else { return nil }
    if rows[shard].waits {
      rows[shard].waits = false
      rows[shard].wakes = bug != .wakingForgotten
    }
    rows[shard].shares = shares(of: 1, others: rows.filter { isHeld($0, at: now) })
    rows[shard].worker = worker
    rows[shard].leaseUntil = now + lease
    // The store below counts its owners too.
    rows[shard].epoch = (try? rows[shard].table.claim()) ?? rows[shard].epoch + 1
    return (shard, rows[shard].epoch, rows[shard].shares)
  }

  /// The items of a shard that wait for another machine than those that tried them.
  func left(_ shard: Int, _ state: RunState) -> [ItemKey] {
    guard state.status == .finished || state.status == .paused,
      state.loops[0].counts[.paused] > 0
    else { return [] }
    let paused = try? rows[shard].table.items(loop: 0, status: .paused, after: -1, limit: 1000)
    return (paused ?? []).filter { $0.reason?.lacking != nil }.map(\.key)
  }

  /// Makes items that others left pending; returns the events for the new owner.
  mutating func requeueLeft(_ shard: Int, _ epoch: Int) -> [Event] {
    guard let state = try? rows[shard].table.load() else { return [] }
    let keys = left(shard, state)
    guard !keys.isEmpty, let changes = try? rows[shard].table.requeue(keys, epoch: epoch) else {
      return []
    }
    return changes.filter { $0.paused + $0.failed > 0 }
      .map { .itemsRequeued(loop: $0.loop, paused: $0.paused, failed: $0.failed) }
  }

  /// A worker releases a shard because its machine lacks something.
  mutating func leave(_ worker: Int, _ shard: Int, _ epoch: Int, at now: Instant) {
    guard rows[shard].worker == worker, rows[shard].epoch == epoch else { return }
    rows[shard].worker = nil
    rows[shard].refusedBy[worker] = now + .seconds(60)
  }

  /// The user's request: everything is retried.
  mutating func resume() { for shard in rows.indices { rows[shard].refusedBy = [:] } }

  /// Whether there is something to do for a shard.
  private func isWorkable(_ row: Row) -> Bool {
    guard row.first.shard?.isLead == true else { return !row.hasEnded && isOpen }
    let isPaused = (try? row.table.load().status) == .paused
    return !row.hasEnded && (!isPaused || row.wakes || row.waits && areOthersDone)
  }

  private var areOthersDone: Bool {
    bug == .leadNotHeldBack || rows.dropFirst().allSatisfy(\.hasEnded)
  }

  /// The lead is at its loop: the others start with its results, and it waits for them.
  ///
  /// - Returns: Whether they are done; `nil` if the lead is another worker's.
  mutating func awaitShards(_ epoch: Int) -> Bool? {
    guard rows[0].epoch == epoch, let lead = try? rows[0].table.load() else { return nil }
    if !isOpen {
      for shard in rows.indices.dropFirst() {
        var state = rows[shard].first
        if bug != .resultsNotGiven { state.frame = lead.frame }
        _ = try? rows[shard].table.create(state, items: rows[shard].items)
      }
      isOpen = true
    }
    rows[0].waits = !areOthersDone
    return areOthersDone
  }

  mutating func renew(_ worker: Int, _ shard: Int, _ epoch: Int, at now: Instant) -> Bool {
    guard rows[shard].worker == worker, rows[shard].epoch == epoch else { return false }
    guard rows[shard].leaseUntil >= now || held(at: now) < slots || bug == .slotsNotCountedAgain
    else { return false }
    rows[shard].leaseUntil = now + lease
    return true
  }

  /// Among how many shards a worker that has renewed `mine` divides the rate from now on; now it divides it among `used`.
  mutating func divide(_ shard: Int, using used: Int, of mine: Set<Int>, at now: Instant) -> Int {
    // What the worker is only about to hear that it has claimed counts as another's.
    let others = rows.indices.filter { isHeld(rows[$0], at: now) && !mine.contains($0) }
    let target = shares(of: mine.count, others: others.map { rows[$0] })
    rows[shard].shares = bug == .partLeftUnheard ? target : min(used, target)
    return target
  }

  private func shares(of mine: Int, others: [Row]) -> Int {
    let rest = 1 - others.reduce(0) { $0 + 1 / Double($1.shares) }
    guard Double(mine) < rest * 16 * Double(slots) else { return 16 * slots }
    return max(others.count + mine, Int((Double(mine) / rest - 1e-6).rounded(.up)))
  }

  private func isHeld(_ row: Row, at clock: Instant) -> Bool {
    row.worker != nil && row.leaseUntil >= clock && !row.hasEnded
  }

  /// How many leases are valid.
  func held(at clock: Instant) -> Int { rows.count { isHeld($0, at: clock) } }

  mutating func release(_ worker: Int, _ shard: Int, _ epoch: Int, hasEnded: Bool) {
    guard rows[shard].worker == worker, rows[shard].epoch == epoch else { return }
    rows[shard].worker = nil
    rows[shard].wakes = false
    rows[shard].hasEnded = rows[shard].hasEnded || hasEnded
  }

  /// The server's response to a batch.
  enum Answer {
    case stored, stale
  }

  mutating func commit(
    _ batch: CheckpointBatch, _ shard: Int, token: UInt64, previous: UInt64
  ) -> Answer {
    var batch = batch
    if batch.epoch != rows[shard].epoch {
      guard bug == .epochNotChecked else { return .stale }
      batch = CheckpointBatch(
        epoch: rows[shard].epoch, at: batch.at, events: batch.events, checkpoint: batch.checkpoint)
    }
    if bug != .tokenNotChecked {
      if rows[shard].last == token { return .stored }
      guard rows[shard].last == previous else { return .stale }
    }
    guard (try? rows[shard].table.commit(batch)) != nil else { return .stale }
    rows[shard].last = token
    rows[shard].stored.append(token)
    return .stored
  }
}
