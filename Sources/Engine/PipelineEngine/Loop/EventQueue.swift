/// Events that wait for the loop, and events that wait for the process to be resumed.
public struct EventQueue: Hashable, Sendable {
  private var events: [Event] = []
  /// Events that arrived while the process was suspended.
  private var held: [Event] = []
  /// Whether the process is suspended.
  public private(set) var isSuspended = false
  /// Whether the process is to end, and is no longer suspended.
  private var isReleased = false

  /// An empty queue of a running process.
  public init() {}
  /// Whether there is no event for the loop.
  public var isEmpty: Bool { events.isEmpty }

  /// Adds an event, held back if suspended and not from the device; returns the number held back.
  @discardableResult public mutating func post(_ event: Event, fromDevice: Bool = false) -> Int {
    if isSuspended, !fromDevice { held.append(event) } else { events.append(event) }
    return held.count
  }

  /// Puts events from outside of the device before all others.
  public mutating func begin(with first: [Event]) { events = first + events }
  /// Holds back future events.
  public mutating func suspend() { isSuspended = !isReleased }

  /// Releases the events that were held back, and stops holding events back.
  public mutating func release() {
    isReleased = true
    isSuspended = false
    events += held
    held = []
  }

  /// Releases the events that were held back, after `first`.
  public mutating func resume(with first: Event) {
    isSuspended = false
    events.append(first)
    events += held
    held = []
  }

  /// Removes the first events, at most `count` of them.
  public mutating func takeFirst(_ count: Int) -> [Event] {
    defer { events.removeFirst(min(count, events.count)) }
    return Array(events.prefix(count))
  }

  /// Removes all available events (group commit).
  public mutating func takeAll() -> [Event] {
    defer { events = [] }
    return events
  }
}
