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

extension Timeline.Series {
  /// The number just before `time`.
  func value(before time: Int64) -> Int64 {
    var low = 0
    var high = points.count
    while low < high {
      let middle = (low + high) / 2
      if points[middle].at < time { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? 0 : points[low - 1].value
  }

  /// How much the number grew from `from` until just before `to`.
  func growth(from: Int64, to: Int64) -> Int64 { value(before: to) - value(before: from) }

  /// The integral of the number between two times.
  func area(from: Int64, to: Int64) -> Double {
    var area = 0.0
    var value = value(before: from)
    var time = from
    for point in points where point.at >= from && point.at < to {
      area += Double(value) * Double(point.at - time)
      (value, time) = (point.value, point.at)
    }
    return area + Double(value) * Double(max(to - time, 0))
  }

  func peak(from: Int64, to: Int64) -> Int64 {
    points.filter { $0.at >= from && $0.at < to }.map(\.value).reduce(value(before: from), max)
  }

  /// At most `limit` points, equally far apart, each with the highest number of its stretch.
  func thinned(to limit: Int, until end: Int64) -> [Point] {
    guard points.count > limit, end > 0 else { return points }
    var thinned: [Point] = []
    var index = 0
    var value: Int64 = 0
    for bucket in 0..<limit {
      let from = end * Int64(bucket) / Int64(limit)
      let to = bucket == limit - 1 ? end + 1 : end * Int64(bucket + 1) / Int64(limit)
      var peak = value
      while index < points.count, points[index].at < to {
        value = points[index].value
        peak = max(peak, value)
        index += 1
      }
      if thinned.last?.value != peak { thinned.append(Point(at: from, value: peak)) }
    }
    if let last = points.last, thinned.last?.value != last.value { thinned.append(last) }
    return thinned
  }
}

struct TimelineDigest {
  let from, to, done, lost, requests: Int64
  let wakes: Int
  /// The resume delay after the last wake.
  let delay: Duration?
  let reissues: [(step: Int, cause: String, count: Int)]
  let holds: [TransferHold]
  let queuePeak: Int64

  init(_ timeline: Timeline, from: Int64, to: Int64) {
    (self.from, self.to) = (from, to)
    done = timeline.done.growth(from: from, to: to)
    lost = timeline.lost.growth(from: from, to: to)
    requests = timeline.requests.growth(from: from, to: to)
    queuePeak = timeline.queue.peak(from: from, to: to)
    let wakes = timeline.wakes.filter { $0.at >= from && $0.at < to }
    self.wakes = wakes.count
    delay = wakes.last?.delay
    struct Pair: Hashable {
      let step: Int
      let cause: String
    }
    var counts: [Pair: Int] = [:]
    for reissue in timeline.reissues where reissue.at >= from && reissue.at < to {
      counts[Pair(step: reissue.step, cause: reissue.cause), default: 0] += 1
    }
    reissues = counts.sorted {
      ($1.value, $0.key.step, $0.key.cause) < ($0.value, $1.key.step, $1.key.cause)
    }.map { ($0.key.step, $0.key.cause, $0.value) }
    let areas = timeline.held.map { (hold: $0.key, area: $0.value.area(from: from, to: to)) }
    holds = areas.filter { $0.area > 0 }
      .sorted { ($1.area, "\($0.hold)") < ($0.area, "\($1.hold)") }.map(\.hold)
  }
}
