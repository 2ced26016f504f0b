/// A trace of one simulation, laid out in lanes over time.
///
/// Times are milliseconds after the start. The number of spans and points grows with the number of
/// events; ``TimelinePage`` and ``TimelineText`` reduce it to a readable size.
package struct Timeline: Sendable {
  package struct Span<Content: Hashable & Sendable>: Hashable, Sendable {
    package let from: Int64
    package internal(set) var to: Int64
    package let content: Content
  }

  package struct Series: Hashable, Sendable {
    package struct Point: Hashable, Sendable {
      package let at: Int64
      package internal(set) var value: Int64
    }

    /// The changes in order; before the first one the number is 0.
    package private(set) var points: [Point] = []
    package var last: Int64 { points.last?.value ?? 0 }
    package var peak: Int64 { points.map(\.value).max() ?? 0 }

    mutating func set(_ value: Int64, at time: Int64) {
      if points.last?.at == time {
        points[points.count - 1].value = value
      } else if value != last {
        points.append(Point(at: time, value: value))
      }
    }

    mutating func add(_ change: Int64, at time: Int64) { set(last + change, at: time) }
  }

  package enum Life: String, Hashable, Sendable, CaseIterable {
    case front
    /// In the background, running on an allowance.
    case running
    /// In memory, but not running.
    case asleep
    /// Not in memory.
    case gone
    case quit
  }

  package enum Phase: Hashable, Sendable {
    case held(TransferHold)
    case moving
    /// Its transfer is sent, but the response has not arrived.
    case sent
    /// Its transfer has ended, but the app has not been notified (TX5).
    case untold
    case waits(Tally.Stall)
  }

  package struct ItemLane: Sendable {
    package let label: String
    package internal(set) var phases: [Span<Phase>] = []
    /// When it left the window for the last time, and with which status; `nil` if it has not.
    package internal(set) var end: (at: Int64, status: Item.Status)?
  }

  package struct Wake: Hashable, Sendable {
    package let at: Int64
    /// The resume delay from then on (RL1).
    package let delay: Duration
  }

  package struct Reissue: Hashable, Sendable {
    package let at: Int64
    package let item: ItemKey?
    package let step: Int
    /// The reason, by ``Tally/cause(of:)``.
    package let cause: String
  }

  package let start: Instant
  package internal(set) var length: Int64 = 0
  package internal(set) var life: [Span<Life>] = []
  /// Ends of allowances as granted, by the time of the grant.
  package internal(set) var allowances: [Span<Int>] = []
  package internal(set) var conditions: [Span<DeviceConditions>] = []
  /// Transfers known to the service, and those of them that were moving bytes.
  package internal(set) var queue = Series(), moving = Series()
  /// How many of them were held, by rule.
  package internal(set) var held: [TransferHold: Series] = [:]
  package internal(set) var disk = Series()
  /// Results in use that have a lifetime.
  package internal(set) var identifiers = Series()
  /// Items that were done, and those that had failed or were paused.
  package internal(set) var done = Series(), lost = Series()
  /// Requests that were sent, transfers among them.
  package internal(set) var requests = Series()
  package internal(set) var wakes: [Wake] = []
  package internal(set) var reissues: [Reissue] = []
  package internal(set) var items: [ItemKey: ItemLane] = [:]
}
