public import PipelineCore

/// Keeps one run: its state, its items, and the history of its events.
///
/// Contract, checked for every implementation by one conformance suite:
/// - a batch is kept whole or not at all, and an acknowledged batch with
///   ``CheckpointBatch/isDurable`` survives a power cut;
/// - the store accepts batches of its latest owner only (``claim()``), any other fails with
///   ``StoreFailure/Kind/staleOwner`` and changes nothing;
/// - values of secret outputs and inputs never reach it: they come back as `nil`.
public protocol CheckpointStore: Sendable {
  /// Makes the caller the run's owner.
  ///
  /// - Returns: the owner's epoch, greater than any given before.
  func claim() async throws(StoreFailure) -> Int

  /// Creates the run with the items of its loops; nothing is kept when it fails.
  ///
  /// `items` is asked, per enumerated loop, to call its argument once for each subject in order.
  func create(_ state: RunState, items: [EnumeratedLoop]) async throws(StoreFailure) -> RunState

  /// The state as the last batch left it, with the items that were active.
  func load() async throws(StoreFailure) -> RunState

  /// Keeps a batch.
  func commit(_ batch: CheckpointBatch) async throws(StoreFailure)

  /// Adds the items of a loop whose list depends on steps; replaces what an earlier, unfinished
  /// call left.
  func enumerate(loop: Int, subjects: [Item.Subject], epoch: Int) async throws(StoreFailure)

  /// Items with `status` whose ordinal is greater than `after`, in order, at most `limit`.
  func items(
    loop: Int, status: Item.Status?, after: Int, limit: Int
  ) async throws(StoreFailure) -> [Item]

  /// One item; `nil` where there is none.
  func item(_ key: ItemKey) async throws(StoreFailure) -> Item?

  /// Makes paused and failed items pending again: those with the given keys, or all.
  ///
  /// - Returns: per loop, how many were paused and how many failed.
  func requeue(
    _ keys: [ItemKey]?, epoch: Int
  ) async throws(StoreFailure) -> [(loop: Int, paused: Int, failed: Int)]

  /// Entries of the history after `sequence`, oldest first, at most `limit` batches.
  func history(
    after sequence: Int, limit: Int
  ) async throws(StoreFailure) -> [HistoryBatch]

  /// Ends the use of the store.
  func close() async
}

/// The items of one loop, as they are when the run begins.
public struct EnumeratedLoop: Sendable {
  /// Index in ``Pipeline/loops``.
  public let loop: Int
  /// Calls its argument once per subject, in order.
  ///
  /// May throw what stopped it.
  public let enumerate: @Sendable (_ yield: (Item.Subject) throws -> Void) throws -> Void

  /// Describes a loop's items.
  public init(
    loop: Int,
    enumerate: @escaping @Sendable (_ yield: (Item.Subject) throws -> Void) throws -> Void
  ) {
    self.loop = loop
    self.enumerate = enumerate
  }
}

/// What one turn of the loop makes durable, in one transaction.
public struct CheckpointBatch: Sendable {
  /// Epoch of the owner that commits.
  public let epoch: Int
  /// When the turn took place.
  public let at: Instant
  /// What happened, for the history.
  public let events: [Event]
  /// Items as they now stand.
  public let items: [Item]
  /// The run as it now stands, where it changed.
  public let state: RunState?
  /// Loops whose pending items are cancelled.
  public let cancelledLoops: [Int]
  /// Whether the batch must survive a power cut.
  public let isDurable: Bool

  /// Makes a batch.
  public init(
    epoch: Int, at: Instant, events: [Event], items: [Item], state: RunState?,
    cancelledLoops: [Int] = [], isDurable: Bool
  ) {
    self.epoch = epoch
    self.at = at
    self.events = events
    self.items = items
    self.state = state
    self.cancelledLoops = cancelledLoops
    self.isDurable = isDurable
  }
}

/// The events of one batch, as the history keeps them.
public struct HistoryBatch: Hashable, Sendable {
  /// Place in the history, from 1.
  public let sequence: Int
  /// When the turn took place.
  public let at: Instant
  /// A JSON array with one object per event; its fields are described in `docs/checkpoints.md`.
  public let events: [UInt8]

  /// Makes an entry.
  public init(sequence: Int, at: Instant, events: [UInt8]) {
    self.sequence = sequence
    self.at = at
    self.events = events
  }
}

/// Why a store cannot do what it was asked.
public struct StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// There is no run.
    case notFound
    /// The file is not a store, or is damaged.
    case corrupt
    /// A newer version of the program wrote it.
    case newerVersion
    /// The disk is full.
    case full
    /// The file or its folder cannot be written.
    case readOnly
    /// Another process has taken the run over.
    case staleOwner
    /// The items could not be enumerated.
    case enumeration
    /// Anything else that the operating system or the database said.
    case system
  }

  /// What went wrong.
  public let kind: Kind
  /// The same for people, with the path, without a final stop.
  public let message: String

  /// Describes a failure.
  public init(_ kind: Kind, message: String) {
    self.kind = kind
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
