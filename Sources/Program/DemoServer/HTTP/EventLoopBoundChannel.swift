import Logging
import Synchronization

/// An HTTP/1 connection whose requests are handled on the connection's own event loop.
///
/// Otherwise each part of a request would be passed from the loop's thread to the shared pool and
/// back, which costs more than handling a small request does.
struct EventLoopBoundChannel: ServerChildChannel {
  let base: HTTP1Channel

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
    base.setup(channel: channel, logger: logger).map(AcceptedConnection.init)
  }

  func handle(value: AcceptedConnection, logger: Logger) async {
    let connection = value.take()
    await withTaskExecutorPreference(EventLoopTaskExecutor(connection.channel.eventLoop)) {
      await base.handle(value: connection, logger: logger)
    }
  }
}

final class EventLoopTaskExecutor: TaskExecutor {
  private let eventLoop: any EventLoop

  init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// A connection between its arrival and the task that serves it; the last owner closes it, since an open channel would end the process.
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
