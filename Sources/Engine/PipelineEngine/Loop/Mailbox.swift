import Synchronization

/// Where events wait for the loop, which removes all available ones at once (group commit).
final class Mailbox: Sendable {
  private struct Content {
    var queue = EventQueue()
    var waiter: CheckedContinuation<Void, Never>?
    var isWoken = false

    mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
      guard !queue.isEmpty || isWoken else { return nil }
      defer { waiter = nil }
      return waiter
    }
  }

  private let content = Mutex(Content())

  /// Adds an event, held back if suspended and not from the device; returns the number held back.
  @discardableResult func post(_ event: Event, fromDevice: Bool = false) -> Int {
    let (waiter, held) = content.withLock { content in
      let held = content.queue.post(event, fromDevice: fromDevice)
      return (content.takeWaiter(), held)
    }
    waiter?.resume()
    return held
  }

  private func change(_ change: (inout Content) -> Void) {
    let waiter = content.withLock { content in
      change(&content)
      return content.takeWaiter()
    }
    waiter?.resume()
  }

  /// Puts the events before those that came earlier, which were sent to a run that had not started.
  func begin(with events: [Event]) { change { $0.queue.begin(with: events) } }
  func suspend() { content.withLock { $0.queue.suspend() } }
  /// Releases the events that were held back, after `first`.
  func resume(with first: Event) { change { $0.queue.resume(with: first) } }

  /// Releases the events that were held back, stops holding events back, and wakes the loop once.
  func release() {
    change {
      $0.queue.release()
      $0.isWoken = true
    }
  }

  var isEmpty: Bool { content.withLock { $0.queue.isEmpty } }

  /// Wakes the loop once, even if there are no events.
  func wake() { change { $0.isWoken = true } }

  /// Waits until there are events, and removes them all; there may be none after ``release()`` and ``wake()``.
  func drain() async -> [Event] {
    while true {
      let (events, isWoken) = content.withLock { content in
        defer { content.isWoken = false }
        return (content.queue.takeAll(), content.isWoken)
      }
      if !events.isEmpty || isWoken { return events }
      await withCheckedContinuation { continuation in
        let isReady = content.withLock { content in
          if content.queue.isEmpty, !content.isWoken {
            content.waiter = continuation
            return false
          }
          return true
        }
        if isReady { continuation.resume() }
      }
    }
  }
}
