import NIOCore
import PipelineCore

/// Ends a transfer that makes no progress: no byte sent or received for a time, and no answer.
///
/// `@unchecked`: everything mutable is touched on `loop` only, which is the loop of the request's connection too.
final class StallWatch: @unchecked Sendable {
  private let limit: Duration
  private let loop: any EventLoop
  private var last: NIODeadline = .now()
  private var check: Scheduled<Void>?

  init(_ limit: Duration, loop: any EventLoop) {
    self.limit = limit
    self.loop = loop
  }

  /// Watches from now on; `end` is called once where nothing moves.
  ///
  /// The time in which a connection is made does not count: that has a limit of its own.
  func begin(_ end: @escaping @Sendable (ExchangeFailure) -> Void) {
    last = .now()
    schedule(end)
  }

  /// Something has moved.
  func note() { last = .now() }

  /// Ends the watch, from any thread.
  func stop() {
    loop.execute {
      self.check?.cancel()
      self.check = nil
    }
  }

  private func schedule(_ end: @escaping @Sendable (ExchangeFailure) -> Void) {
    // A transfer of many bytes notes much and reads the clock; one timer for each limit is enough.
    let due = last + .milliseconds(min(limit.milliseconds, Int64.max / 2_000_000))
    check = loop.scheduleTask(deadline: due) {
      let quiet = NIODeadline.now() - self.last
      guard quiet < .milliseconds(min(self.limit.milliseconds, Int64.max / 2_000_000)) else {
        self.check = nil
        end(.stalled(self.limit))
        return
      }
      self.schedule(end)
    }
  }
}
