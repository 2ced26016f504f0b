/// A run in shards, as stored.
public struct StoredRun: Hashable, Sendable {
  let row: Int
  public let id: RunID
  /// Its name from the user.
  public let name: String?
  /// Name of its pipeline.
  public let pipeline: String
  /// How many shards it has.
  public let shards: Int
  /// How many of them may be worked on at once.
  public let slots: Int
  /// Whether its pipeline has rates, which the shards that are worked on divide.
  package let isPaced: Bool
  /// The sources that it was created from.
  public let material: Material
  /// Whether all of its items are in the store; until then no shard can be claimed.
  public let isLoaded: Bool
  /// Why it was asked to pause; then no shard can be claimed, except to be cancelled.
  public let pauseReason: String?
  /// Whether its shards with items may start: a lead has reached its first loop, or the run has no lead.
  public let isOpen: Bool

  /// What workers need to work on a run, as texts that the store does not look into.
  public struct Material: Hashable, Sendable {
    /// The pipeline's YAML.
    public let definition: String
    /// The files that it uses, as JSON.
    public let used: String
    /// Where it came from, as JSON.
    public let origin: String

    /// Stores the texts.
    public init(definition: String, used: String, origin: String) {
      (self.definition, self.used, self.origin) = (definition, used, origin)
    }
  }

  init(_ rows: Rows, _ row: Int, from first: Int = 0) throws {
    self.row = try rows.integer(row, first)
    id = RunID(try rows.text(row, first + 1))
    name = try rows.optionalText(row, first + 2)
    pipeline = try rows.text(row, first + 3)
    shards = try rows.integer(row, first + 4)
    material = Material(
      definition: try rows.text(row, first + 5), used: try rows.text(row, first + 6),
      origin: try rows.text(row, first + 7))
    isLoaded = try rows.bool(row, first + 8)
    pauseReason = try rows.optionalText(row, first + 9)
    slots = try rows.integer(row, first + 10)
    isOpen = try rows.bool(row, first + 11)
    isPaced = try rows.bool(row, first + 12)
  }
}

/// The stored state of a shard that can be read without its pipeline.
public struct StoredShard: Hashable, Sendable {
  /// Its number, from 1; 0 is the lead.
  public let number: Int
  /// Its state, as last stored by its owner.
  public let summary: RunSummary
  /// Who holds its lease, if that has not run out.
  public let worker: String?
  /// The requests that no worker has carried out yet.
  public let wish: ShardWish?
  /// Why workers no longer try it: it ended those that did, or they lacked something.
  public let trouble: String?
  /// Why it waits: which workers left it to others, or until when there is nothing to do.
  public let refusal: String?
}

/// Why a worker leaves a shard to others: its machine lacks something.
public struct ShardRefusal: Error, Hashable, Sendable {
  /// The missing resource.
  public let reason: String
  /// What it lacks.
  public let lack: Lack
  /// Whether all workers may lack it for a while.
  public var isPassing: Bool { lack.isPassing }
  /// Whether the shard fails to run when three workers lack it: their number proves nothing of what may pass, and of what operators want.
  var isProof: Bool { !isPassing && !lack.isDeliberate }

  /// Describes the missing resource of a worker.
  public init(_ reason: String, _ lack: Lack) { (self.reason, self.lack) = (reason, lack) }
}

/// The requests for a shard in addition to continuing it.
public enum ShardWish: String, Hashable, Sendable, CaseIterable {
  case resume
  /// Try paused and failed items again.
  case retry
  /// Try paused and failed items again, with their files as they are now.
  case retryAccepting
  case retryFailed
  case retryPaused
  /// Undo the effects of unfinished items on the server.
  case cancel
}

/// A shard that a worker may work on until its lease runs out.
public struct ShardLease: Hashable, Sendable {
  public let run: StoredRun
  /// Number of the shard, from 1; 0 is the lead.
  public let shard: Int
  /// The owner's epoch, which its commits must have.
  public let epoch: Int
  /// The requests for it.
  public let wish: ShardWish?
  /// Among how many shards its worker divides the server's limits.
  public var shares: Int
}

/// The result of renewing a lease.
public struct LeaseNews: Hashable, Sendable {
  /// Why the run was asked to pause, if it was.
  public let pauseReason: String?
  /// The requests for the shard in the meantime.
  public let wish: ShardWish?
  /// Among how many shards the server's limits are divided from now on; `nil` is as before.
  public internal(set) var shares: Int?
}

/// A worker's view of the others when it reports that it is running.
public struct WorkerNews: Sendable {
  /// How few shards one of the other live workers holds that could claim one more; `nil` if none could.
  public let fewestHeld: Int?
  /// Whether a shard waits for a worker.
  public let isShardFree: Bool
  let spare: (run: Int, shard: Int)?

  /// Whether the worker should release a shard, since another run has less than its share, or comes first.
  public func isSpare(_ lease: ShardLease) -> Bool {
    spare.map { $0 == (lease.run.row, lease.shard) } ?? false
  }
}
