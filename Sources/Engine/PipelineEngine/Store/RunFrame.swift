public import CEL

/// The parts of a run that few turns change, and that may be large: see ``CheckpointCoding/encode(frame:)``.
///
/// A store that keeps it apart compares it with the last version; values that were not touched compare at once, since they share their storage.
public struct RunFrame: Hashable, Sendable {
  /// The inputs without secrets, by name.
  public let inputs: [String: Value]
  /// The states of the run's own steps.
  public let steps: Frame

  /// Copies them from a run.
  public init(_ state: RunState) {
    inputs = state.inputs
    steps = state.frame
  }
}
