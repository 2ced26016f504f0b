public import PipelineCore

/// Receives a run's progress; must return at once.
public protocol RunObserver: Sendable {
  /// Items have left the window, and their state is durable.
  func itemsLeft(_ items: [Item])
  /// Called at most ten times a second, at least once a second even if nothing happens, and once at the end.
  func progressed(_ progress: RunProgress)
}
