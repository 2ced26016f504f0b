import PipelineCore
import Synchronization

/// Where events wait for the loop, which takes all available ones at once (group commit).
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
  @discardableResult
  func post(_ event: Event, fromDevice: Bool = false) -> Int {
    let (waiter, held) = content.withLock { content in
      let held = content.queue.post(event, fromDevice: fromDevice)
      return (content.takeWaiter(), held)
    }
    waiter?.resume()
    return held
  }

  /// Puts the events before those that came earlier, which were meant for a run that had not begun.
  func begin(with events: [Event]) {
    let waiter = content.withLock { content in
      content.queue.begin(with: events)
      return content.takeWaiter()
    }
    waiter?.resume()
  }

  func suspend() { content.withLock { $0.queue.suspend() } }

  /// Releases what was held back, after `first`.
  func resume(with first: Event) {
    let waiter = content.withLock { content in
      content.queue.resume(with: first)
      return content.takeWaiter()
    }
    waiter?.resume()
  }

  /// Releases what was held back, holds nothing back any more, and wakes the loop once.
  func release() {
    let waiter = content.withLock { content in
      content.queue.release()
      content.isWoken = true
      return content.takeWaiter()
    }
    waiter?.resume()
  }

  /// Wakes the loop once, even if there are no events.
  func wake() {
    let waiter = content.withLock { content in
      content.isWoken = true
      return content.takeWaiter()
    }
    waiter?.resume()
  }

  /// Waits until there are events, and takes them all; there may be none after ``release()`` and ``wake()``.
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
