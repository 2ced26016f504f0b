/// Receives a run's progress; must return at once.
public protocol RunObserver: Sendable {
  /// Items have left the window, and their state is durable.
  func itemsLeft(_ items: [Item])
  /// Called at most ten times a second, at least once a second while bytes are on the way, and once at the end.
  func progressed(_ progress: RunProgress)
  /// How often it is to be called while the run waits; `nil` if not at all, so that a run that waits costs nothing.
  var interval: Duration? { get }
}

extension RunObserver {
  /// Once a second.
  public var interval: Duration? { .seconds(1) }
}
