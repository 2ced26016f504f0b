import HummingbirdCore
import NIOCore
import Synchronization

/// A connection between its arrival and the task that serves it.
///
/// A server that is stopping may drop a connection that it has just accepted. The channel ends the process unless its
/// owner closes it, so the last owner does that here.
final class AcceptedConnection: ServerChildChannelValue {
  private let connection: HTTP1Channel.Value
  private let isTaken = Atomic(false)

  init(_ connection: HTTP1Channel.Value) { self.connection = connection }

  deinit {
    guard !isTaken.load(ordering: .acquiring) else { return }
    let connection = connection
    Task { try? await connection.executeThenClose { _, _ in } }
  }

  var channel: any Channel { connection.channel }

  /// The connection, for the caller to close.
  func take() -> HTTP1Channel.Value {
    isTaken.store(true, ordering: .releasing)
    return connection
  }
}
