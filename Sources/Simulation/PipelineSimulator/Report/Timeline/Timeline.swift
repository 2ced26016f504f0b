public import PipelineCore

/// A trace of one simulation, laid out in lanes over time.
///
/// Times are milliseconds after the start. The number of spans and points grows with the number of
/// events; ``TimelinePage`` and ``TimelineText`` reduce it to what a person can read.
public struct Timeline: Sendable {
  /// A state that lasts from one time to another.
  public struct Span<Content: Hashable & Sendable>: Hashable, Sendable {
    /// When it begins.
    public let from: Int64
    /// When it ends.
    public internal(set) var to: Int64
    /// The state.
    public let content: Content
  }

  /// A number that changes in steps.
  public struct Series: Hashable, Sendable {
    /// A change.
    public struct Point: Hashable, Sendable {
      /// The time of the change.
      public let at: Int64
      /// The number from then on.
      public internal(set) var value: Int64
    }

    /// The changes in order; before the first one the number is 0.
    public private(set) var points: [Point] = []
    /// The number after the last change.
    public var last: Int64 { points.last?.value ?? 0 }
    /// The highest number.
    public var peak: Int64 { points.map(\.value).max() ?? 0 }

    mutating func set(_ value: Int64, at time: Int64) {
      if points.last?.at == time {
        points[points.count - 1].value = value
      } else if value != last {
        points.append(Point(at: time, value: value))
      }
    }

    mutating func add(_ change: Int64, at time: Int64) { set(last + change, at: time) }
  }

  /// The app, as shown in its lane.
  public enum Life: String, Hashable, Sendable, CaseIterable {
    case front
    /// In the background, running on an allowance.
    case running
    /// In memory, but not running.
    case asleep
    /// Not in memory.
    case gone
    /// Swiped away.
    case quit
  }

  /// What an item waits for or does.
  public enum Phase: Hashable, Sendable {
    /// Its transfer does not move.
    case held(TransferHold)
    case moving
    /// Its transfer is sent, but the response has not arrived.
    case sent
    /// Its transfer has ended, but the app has not been told (TX5).
    case untold
    /// It waits for something else.
    case waits(Tally.Stall)
  }

  /// The history of one item.
  public struct ItemLane: Sendable {
    /// Its label.
    public let label: String
    /// What it did, and when.
    public internal(set) var phases: [Span<Phase>] = []
    /// When it left the window for the last time, and with which status; `nil` if it has not.
    public internal(set) var end: (at: Int64, status: Item.Status)?
  }

  /// A resume or launch by the transfer service.
  public struct Wake: Hashable, Sendable {
    /// The time.
    public let at: Int64
    /// The resume delay from then on (RL1).
    public let delay: Duration
  }

  /// A reissued step.
  public struct Reissue: Hashable, Sendable {
    /// The time.
    public let at: Int64
    /// The item; `nil` for a run-level step.
    public let item: ItemKey?
    /// Index of the step.
    public let step: Int
    /// The reason, by ``Tally/cause(of:)``.
    public let cause: String
  }

  /// When the simulation began.
  public let start: Instant
  /// How long it took.
  public internal(set) var length: Int64 = 0
  /// The app.
  public internal(set) var life: [Span<Life>] = []
  /// Ends of allowances as granted, by the time of the grant.
  public internal(set) var allowances: [Span<Int>] = []
  /// The device's surroundings.
  public internal(set) var conditions: [Span<DeviceConditions>] = []
  /// Transfers known to the service.
  public internal(set) var queue = Series()
  /// How many of them were moving bytes.
  public internal(set) var moving = Series()
  /// How many of them were held, by rule.
  public internal(set) var held: [TransferHold: Series] = [:]
  /// Bytes of the run's files.
  public internal(set) var disk = Series()
  /// Results in use that have a lifetime.
  public internal(set) var identifiers = Series()
  /// Items that were done.
  public internal(set) var done = Series()
  /// Items that had failed or were paused.
  public internal(set) var lost = Series()
  /// Requests that were sent, transfers among them.
  public internal(set) var requests = Series()
  /// Resumes and launches by the service.
  public internal(set) var wakes: [Wake] = []
  /// Steps that were reissued.
  public internal(set) var reissues: [Reissue] = []
  /// The items by ordinal.
  public internal(set) var items: [ItemKey: ItemLane] = [:]
}
