import PipelineCore
import Synchronization

/// Where events wait for the loop, which takes all that are there at once (group commit).
final class Mailbox: Sendable {
  private struct Content {
    var events: [Event] = []
    /// Events that came while the process was suspended.
    var held: [Event] = []
    var isSuspended = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let content = Mutex(Content())

  /// Adds an event; one from outside the device waits while the process is suspended.
  ///
  /// - Returns: how many events are held back now.
  @discardableResult
  func post(_ event: Event, fromDevice: Bool = false) -> Int {
    let (waiter, held) = content.withLock { content in
      if content.isSuspended, !fromDevice {
        content.held.append(event)
        return (nil as CheckedContinuation<Void, Never>?, content.held.count)
      }
      content.events.append(event)
      defer { content.waiter = nil }
      return (content.waiter, content.held.count)
    }
    waiter?.resume()
    return held
  }

  /// Holds back what is posted from now on.
  func suspend() { content.withLock { $0.isSuspended = true } }

  /// Lets through what was held back, after `first`.
  func resume(with first: Event) {
    let waiter = content.withLock { content in
      content.isSuspended = false
      content.events.append(first)
      content.events += content.held
      content.held = []
      defer { content.waiter = nil }
      return content.waiter
    }
    waiter?.resume()
  }

  /// Waits until there are events, and takes them all.
  func drain() async -> [Event] {
    while true {
      let events = content.withLock { content in
        defer { content.events = [] }
        return content.events
      }
      if !events.isEmpty { return events }
      await withCheckedContinuation { continuation in
        let isReady = content.withLock { content in
          if content.events.isEmpty {
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
