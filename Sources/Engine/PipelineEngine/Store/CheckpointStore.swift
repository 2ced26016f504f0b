import Basics

/// Stores one run: its state, its items, and the history of its events.
///
/// Contract, checked for every implementation by the checks of `PipelineConformance`:
/// - a batch is stored completely or not at all, and an acknowledged batch with
///   ``/PipelineCore/Checkpoint/isDurable`` survives a power failure;
/// - the store accepts batches only from its latest owner (``claim()``); any other fails with
///   ``StoreFailure/Kind/staleOwner`` and changes nothing;
/// - a target belongs to the first item that claims it, in any shard and process, and never to another item of the run afterwards;
/// - values of secret outputs and inputs never reach it: they are read back as `nil`.
public protocol CheckpointStore: Sendable {
  /// Makes the caller the run's owner; returns its epoch, greater than any before.
  func claim() async throws(StoreFailure) -> Int

  /// Creates the run with the items of its loops; stores nothing if it fails.
  func create(_ state: RunState, items: [EnumeratedLoop]) async throws(StoreFailure) -> RunState

  /// The state after the last batch, with the active items.
  func load() async throws(StoreFailure) -> RunState

  /// Stores a batch, and returns those of its claims whose targets belong to other items; none of these is performed.
  @discardableResult
  func commit(_ batch: CheckpointBatch) async throws(StoreFailure) -> [TargetClaim.Refusal]

  /// Adds the items of a loop whose list depends on steps, in place of those of an unfinished call.
  func enumerate(loop: Int, subjects: [Item.Subject], epoch: Int) async throws(StoreFailure)

  /// Items with `status` whose ordinal is greater than `after`, in order, at most `limit`.
  func items(
    loop: Int, status: Item.Status?, after: Int, limit: Int
  ) async throws(StoreFailure) -> [Item]

  /// One item; `nil` if there is none.
  func item(_ key: ItemKey) async throws(StoreFailure) -> Item?

  /// Makes paused and failed items pending again, those with these keys or all; returns their numbers.
  func requeue(
    _ keys: [ItemKey]?, epoch: Int
  ) async throws(StoreFailure) -> [(loop: Int, paused: Int, failed: Int)]

  /// Entries of the history after `sequence`, oldest first, at most `limit` batches.
  func history(after sequence: Int, limit: Int) async throws(StoreFailure) -> [HistoryBatch]

  /// Closes the store.
  func close() async
}

extension CheckpointStore {
  /// One item; `nil` if there is none.
  public func item(_ key: ItemKey) async throws(StoreFailure) -> Item? {
    guard (0...ItemKey.maximumOrdinal).contains(key.ordinal) else { return nil }
    return try await items(loop: key.loop, status: nil, after: key.ordinal - 1, limit: 1)
      .first { $0.key == key }
  }
}

/// The items of one loop when the run starts.
public struct EnumeratedLoop: Sendable {
  /// Index in ``Pipeline/loops``.
  public let loop: Int
  /// Calls its argument once per subject, in order, and rethrows its error.
  public let enumerate: @Sendable (_ yield: (Item.Subject) throws -> Void) throws -> Void

  /// Describes a loop's items.
  public init(
    loop: Int,
    enumerate: @escaping @Sendable (_ yield: (Item.Subject) throws -> Void) throws -> Void
  ) { (self.loop, self.enumerate) = (loop, enumerate) }

  /// Passes the subjects to `insert`, and throws its first error: later ones may hide the cause.
  package func insert(with insert: (Item.Subject) throws -> Void) throws {
    var refusal: (any Error)?
    do {
      try enumerate { subject in
        do { try insert(subject) } catch {
          refusal = refusal ?? error
          throw error
        }
      }
    } catch {
      throw refusal ?? (error as? StoreFailure)
        ?? StoreFailure(.enumeration, message: "the items could not be listed: \(error)")
    }
    // An enumeration that continues after a row was rejected must not count as complete.
    if let refusal { throw refusal }
  }
}

/// The durable changes of one turn of the loop, in one transaction: a checkpoint, and its events.
@dynamicMemberLookup public struct CheckpointBatch: Sendable {
  /// Epoch of the owner that commits.
  public let epoch: Int
  /// When the turn took place.
  public let at: Instant
  /// What happened, for the history.
  public let events: [Event]
  /// The changes of the events.
  public var checkpoint: Checkpoint

  /// Makes a batch.
  public init(epoch: Int, at: Instant, events: [Event], checkpoint: Checkpoint) {
    (self.epoch, self.at, self.events, self.checkpoint) = (epoch, at, events, checkpoint)
  }

  /// Reads what the checkpoint has.
  public subscript<Part>(dynamicMember part: KeyPath<Checkpoint, Part>) -> Part {
    checkpoint[keyPath: part]
  }
}

/// The events of one batch, as stored in the history.
public struct HistoryBatch: Hashable, Sendable {
  /// Position in the history, from 1.
  public let sequence: Int
  /// When the turn took place.
  public let at: Instant
  /// A JSON array with one object per event; its fields are described in `docs/checkpoints.md`.
  public let events: [UInt8]

  /// Makes an entry.
  public init(sequence: Int, at: Instant, events: [UInt8]) {
    (self.sequence, self.at, self.events) = (sequence, at, events)
  }
}

/// Why a store operation failed.
public struct StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// There is no run.
    case notFound
    /// The file is not a store, or is damaged.
    case corrupt
    /// Another version of the program wrote it, in a form that this one does not support.
    case otherVersion
    /// The disk is full.
    case full
    /// The file or its folder cannot be written.
    case readOnly
    /// Another process has acquired the run.
    case staleOwner
    /// The items could not be enumerated.
    case enumeration
    /// Any other error of the operating system or the database.
    case system
  }

  /// The kind of failure.
  public let kind: Kind
  /// A description for the user, with the path, without a final full stop.
  public let message: String

  /// Describes a failure.
  public init(_ kind: Kind, message: String) { (self.kind, self.message) = (kind, message) }
  public var description: String { message }

  /// Refuses a store in another form, which stays as it is.
  package static func otherVersion(
    _ store: String, version: Int, writtenBy program: String?, known: Int
  ) -> StoreFailure {
    guard let program else {
      return StoreFailure(
        .otherVersion,
        message: "an unreleased version of the program wrote \(store), and this program "
          + "(version \(Version.current)) cannot read it; start a new run")
    }
    return StoreFailure(
      .otherVersion,
      message: "version \(program) of the program wrote \(store) in form \(version), and this "
        + "program (version \(Version.current)) reads form \(known); use version \(program)")
  }
}
