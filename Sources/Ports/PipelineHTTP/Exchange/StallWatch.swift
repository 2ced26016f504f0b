import NIOCore

/// Ends a transfer without progress: no byte sent or received for a time; once all bytes are sent, the server has a longer
/// time for the response.
///
/// `@unchecked`: all mutable state is used on `loop` only, which is also the loop of the request's connection.
final class StallWatch: @unchecked Sendable {
  private var limit: Duration
  private let loop: any EventLoop
  private var last: NIODeadline = .now()
  private var check: Scheduled<Void>?
  private var isPaused = false
  private var isResponseDue = false
  private var end: (@Sendable (ExchangeFailure) -> Void)?

  init(_ limit: Duration, loop: any EventLoop) { (self.limit, self.loop) = (limit, loop) }

  /// Starts watching; calls `end` once if there is no progress.
  func begin(_ end: @escaping @Sendable (ExchangeFailure) -> Void) {
    last = .now()
    self.end = end
    schedule()
  }

  /// From now on, the server has `limit` for its response, whose first byte is the next progress, or for progress again.
  func expect(response isDue: Bool, within limit: Duration) {
    guard isDue != isResponseDue else { return }
    (self.limit, isResponseDue, last) = (limit, isDue, .now())
    guard check != nil else { return }
    check?.cancel()
    schedule()
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
    end = nil
  }

  private func schedule() {
    // A large transfer records much progress and reads the clock; one timer per limit is enough.
    let due = last + .milliseconds(min(limit.milliseconds, Int64.max / 2_000_000))
    check = loop.scheduleTask(deadline: due) {
      if self.isPaused { self.note() }
      let quiet = NIODeadline.now() - self.last
      guard quiet < .milliseconds(min(self.limit.milliseconds, Int64.max / 2_000_000)) else {
        self.check = nil
        self.end?(self.isResponseDue ? .responseOverdue(self.limit) : .stalled(self.limit))
        return
      }
      self.schedule()
    }
  }
}
