/// A device that does not always let the process run.
///
/// Contract: ``run(_:)`` delivers changes until its task is cancelled. After
/// ``DeviceChange/expiring`` the engine calls ``didSuspend(transfers:)`` as soon as everything is
/// durable; from then on the engine does nothing until the next ``DeviceChange/granted(until:)``.
public protocol Device: Sendable {
  /// Runs the device and delivers changes for the process.
  func run(_ deliver: @escaping @Sendable (DeviceChange) -> Void) async
  /// Everything is durable and the process suspended; `transfers` uploads are with the transfer service.
  func didSuspend(transfers: Int)
  /// `events` results have arrived during suspension; as many as the transfers is all it waits for.
  func didHoldBack(events: Int)
}

/// A change for the process.
public enum DeviceChange: Hashable, Sendable {
  /// The process may run until the instant, or without limit (`nil`).
  case granted(until: Instant?)
  /// The expiry handler: the allowance is about to end (BT1).
  case expiring
}
