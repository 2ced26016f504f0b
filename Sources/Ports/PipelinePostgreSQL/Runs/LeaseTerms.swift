/// How long a worker may treat a shard as its own.
///
/// The server counts a lease from the moment of the grant, on its own clock. A worker counts it from before its request, on a clock that
/// advances while the machine sleeps, and uses only nine tenths of it: clocks may differ in pace by that much.
public struct LeaseTerms: Hashable, Sendable {
  /// How long the server grants.
  public let length: Duration

  /// Terms of leases of this length.
  public init(length: Duration) { self.length = length }
  /// How long after it asked a worker may act as the owner.
  public var safe: Duration { length * 9 / 10 }
  /// How often a worker renews its leases.
  public var renewal: Duration { length / 3 }
  /// How long a claim waits for others: it holds up the worker's renewals.
  var patience: Duration { min(length / 6, .seconds(10)) }
}
