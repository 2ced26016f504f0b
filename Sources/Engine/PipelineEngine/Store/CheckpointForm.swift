public import CEL

/// The form in which an in-memory store keeps its data.
public protocol CheckpointForm: Sendable {
  /// A run without its items.
  associatedtype StoredState: Sendable
  /// The subject of an item.
  associatedtype StoredSubject: Sendable
  /// The state of an item.
  associatedtype StoredProgress: Sendable
  /// The values collected from a part.
  associatedtype StoredPart: Sendable

  /// Progress of an item that has not started.
  var noProgress: StoredProgress { get }
  /// Encodes a run; its items and secrets are omitted.
  func encode(_ state: RunState) -> StoredState
  /// Encodes the subject of an item.
  func encode(subject: Item.Subject) -> StoredSubject
  /// Encodes the state of an item; secrets are omitted, as are the values collected from its parts.
  func encode(progress item: Item) -> StoredProgress
  /// Encodes the values collected from a part.
  func encode(part values: [Value]) -> StoredPart
  /// The run, with an empty window.
  func state(_ stored: StoredState) throws(CheckpointCoding.Damage) -> RunState
  /// The values collected from a part.
  func part(_ stored: StoredPart) throws(CheckpointCoding.Damage) -> [Value]
  /// The item, with nothing collected from its parts.
  func item(
    _ key: ItemKey, subject: StoredSubject, status: Item.Status, progress: StoredProgress
  ) throws(CheckpointCoding.Damage) -> Item
}

extension CheckpointCoding: CheckpointForm {
  /// No encoding.
  public var noProgress: [UInt8] { [] }
}

/// Keeps values unchanged, without the members that ``CheckpointCoding`` omits: fast, for simulations.
public struct ValueForm: CheckpointForm {
  /// The state of an item.
  public struct Progress: Hashable, Sendable {
    let frame: Frame
    let reason: Failure?
    let abandoning: Item.AbandonProgress?
    let remnants: [Remnant]
    let bytesMoved: Int64
    let refusedBy: [String]
  }

  /// The form of any pipeline's runs.
  public init() {}

  /// An empty frame.
  public var noProgress: Progress {
    Progress(frame: [], reason: nil, abandoning: nil, remnants: [], bytesMoved: 0, refusedBy: [])
  }

  /// See ``CheckpointForm/encode(_:)``.
  public func encode(_ state: RunState) -> RunState {
    var kept = state
    kept.secrets = [:]
    kept.frame = Self.redacted(state.frame)
    kept.allowance = .unlimited
    for index in kept.loops.indices {
      kept.loops[index].cursor = -1
      kept.loops[index].active = [:]
      kept.loops[index].ready = []
      kept.loops[index].isLoading = false
    }
    return kept
  }

  /// See ``CheckpointForm/encode(subject:)``.
  public func encode(subject: Item.Subject) -> Item.Subject { subject }

  /// See ``CheckpointForm/encode(progress:)``.
  public func encode(progress item: Item) -> Progress {
    Progress(
      frame: Self.redacted(item.withoutCollected.frame), reason: item.reason,
      abandoning: item.abandoning,
      remnants: item.remnants.map { remnant in
        var remnant = remnant
        remnant.frame = Self.redacted(remnant.frame)
        return remnant
      }, bytesMoved: item.bytesMoved, refusedBy: item.refusedBy)
  }

  /// See ``CheckpointForm/encode(part:)``.
  public func encode(part values: [Value]) -> [Value] { values }
  /// See ``CheckpointForm/part(_:)``.
  public func part(_ stored: [Value]) -> [Value] { stored }

  private static func redacted(_ frame: Frame) -> Frame {
    guard frame.contains(where: holdsSecret) else { return frame }
    return frame.map(redacted)
  }

  private static func holdsSecret(_ step: StepState) -> Bool {
    (step.outputs + step.previous).contains(where: \.isSecret)
      || step.parts?.active.values.contains { $0.contains(where: holdsSecret) } == true
  }

  private static func redacted(_ step: StepState) -> StepState {
    var step = step
    step.outputs = step.outputs.map(\.redacted)
    step.previous = step.previous.map(\.redacted)
    step.parts = step.parts?.with(redacted)
    return step
  }

  /// See ``CheckpointForm/state(_:)``.
  public func state(_ stored: RunState) -> RunState { stored }

  /// See ``CheckpointForm/item(_:subject:status:progress:)``.
  public func item(
    _ key: ItemKey, subject: Item.Subject, status: Item.Status, progress: Progress
  ) -> Item {
    Item(
      key: key, subject: subject, status: status, frame: progress.frame, reason: progress.reason,
      abandoning: progress.abandoning, remnants: progress.remnants, bytesMoved: progress.bytesMoved,
      refusedBy: progress.refusedBy)
  }
}
