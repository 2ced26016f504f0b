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
  }

  var rows: [Row]
  let slots: Int
  let lease: Duration
  let bug: ShardBug?

  /// A shard that is free, for a worker whose clock says `local`.
  mutating func claim(_ worker: Int, at now: Instant, local: Instant) -> (shard: Int, epoch: Int)? {
    let clock = bug == .leaseByWorkersClock ? local : now
    let held = rows.count { $0.worker != nil && $0.leaseUntil >= clock && !$0.hasEnded }
    guard held < slots || bug == .slotsNotCounted,
      let shard = rows.firstIndex(where: {
        !$0.hasEnded && ($0.worker == nil || $0.leaseUntil < clock)
      })
    else { return nil }
    rows[shard].worker = worker
    rows[shard].leaseUntil = now + lease
    // The store below counts its owners too.
    rows[shard].epoch = (try? rows[shard].table.claim()) ?? rows[shard].epoch + 1
    return (shard, rows[shard].epoch)
  }

  mutating func renew(_ worker: Int, _ shard: Int, _ epoch: Int, at now: Instant) -> Bool {
    guard rows[shard].worker == worker, rows[shard].epoch == epoch else { return false }
    rows[shard].leaseUntil = now + lease
    return true
  }

  mutating func release(_ worker: Int, _ shard: Int, _ epoch: Int, hasEnded: Bool) {
    guard rows[shard].worker == worker, rows[shard].epoch == epoch else { return }
    rows[shard].worker = nil
    rows[shard].hasEnded = rows[shard].hasEnded || hasEnded
  }

  /// What the server says of a batch.
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
