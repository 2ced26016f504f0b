/// The place of a run, as far as reports need it: a folder, a shard of a database, or an app.
public protocol RunPlace: Sendable {
  /// The name that the user chose for the run, and how many hidden files and folders its patterns skipped.
  var label: (name: String?, hidden: Int?) { get }
  /// What keeps a shard of a database from workers; `nil` elsewhere.
  var shardPlace: (any ShardPlace)? { get }
  /// A command for the run with a verb, such as `pipeline retry holidays 0/3`.
  func command(_ verb: String, more: [String]) -> String
}

extension RunPlace { package func command(_ verb: String) -> String { command(verb, more: []) } }

/// A shard of a run in a database, which workers claim.
public protocol ShardPlace: Sendable {
  /// Whether the run is paused.
  var isPaused: Bool { get }
  /// Whether any worker may continue it: the one that had it was stopped.
  var isGivenBack: Bool { get }
  /// Whether the run's lead must come to its items first.
  var waitsForLead: Bool { get }
  /// Why workers no longer try it.
  var trouble: String? { get }
  /// Why the run is paused, or why workers left the shard to others.
  var reason: String? { get }
  /// The command that starts a worker.
  var workCommand: String { get }
}
