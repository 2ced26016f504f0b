import NIOCore

/// Ends a transfer without progress: no byte sent or received for a time, and no response.
///
/// `@unchecked`: all mutable state is used on `loop` only, which is also the loop of the request's connection.
final class StallWatch: @unchecked Sendable {
  private let limit: Duration
  private let loop: any EventLoop
  private var last: NIODeadline = .now()
  private var check: Scheduled<Void>?
  private var isPaused = false

  init(_ limit: Duration, loop: any EventLoop) { (self.limit, self.loop) = (limit, loop) }

  /// Starts watching; calls `end` once if there is no progress.
  func begin(_ end: @escaping @Sendable (ExchangeFailure) -> Void) {
    last = .now()
    schedule(end)
  }

  func note() { last = .now() }
  /// Nothing is expected until ``resume()``.
  func pause() { isPaused = true }

  /// Expects progress again, from now on.
  func resume() {
    isPaused = false
    note()
  }

  func stop() {
    guard loop.inEventLoop else { return loop.execute { self.stop() } }
    check?.cancel()
    check = nil
  }

  private func schedule(_ end: @escaping @Sendable (ExchangeFailure) -> Void) {
    // A large transfer records much progress and reads the clock; one timer per limit is enough.
    let due = last + .milliseconds(min(limit.milliseconds, Int64.max / 2_000_000))
    check = loop.scheduleTask(deadline: due) {
      if self.isPaused { self.note() }
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
