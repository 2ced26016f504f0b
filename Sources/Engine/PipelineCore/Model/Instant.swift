public import CEL

/// A point in time from the engine's clock port, in whole milliseconds since 1970 UTC.
public struct Instant: Hashable, Sendable, Comparable, Codable, CustomStringConvertible {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public let milliseconds: Int64

  /// The instant `milliseconds` after 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// The instant of a CEL timestamp, truncated to milliseconds and clamped to the range of `Int64`.
  public init(_ timestamp: Timestamp) {
    let (whole, overflow) = timestamp.seconds.multipliedReportingOverflow(by: 1000)
    milliseconds =
      overflow
      ? (timestamp.seconds < 0 ? .min : .max) : whole &+ Int64(timestamp.nanoseconds / 1_000_000)
  }

  /// The same instant as a CEL value, which covers the years 1 to 9999: the nearest one in them.
  public var timestamp: Timestamp { Timestamp(clamping: milliseconds, unitsPerSecond: 1000) }
  /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
  public var seconds: Int64 { (milliseconds - (milliseconds < 0 ? 999 : 0)) / 1000 }
  /// RFC 3339 in UTC.
  public var description: String { timestamp.description }
  /// Orders by time.
  public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

  /// The instant `duration` later, clamped to the range of `Int64`.
  public static func + (left: Self, right: Duration) -> Self {
    let (sum, overflow) = left.milliseconds.addingReportingOverflow(right.milliseconds)
    return Self(milliseconds: overflow ? (right.milliseconds < 0 ? .min : .max) : sum)
  }

  /// The instant `duration` earlier, clamped to the range of `Int64`.
  public static func - (left: Self, right: Duration) -> Self {
    let (difference, overflow) = left.milliseconds.subtractingReportingOverflow(right.milliseconds)
    return Self(milliseconds: overflow ? (right.milliseconds < 0 ? .max : .min) : difference)
  }

  /// The time from `right` to `left`, negative when `left` is earlier.
  public static func - (left: Self, right: Self) -> Duration {
    let (difference, overflow) = left.milliseconds.subtractingReportingOverflow(right.milliseconds)
    return .milliseconds(overflow ? (left > right ? Int64.max : .min) : difference)
  }
}

extension Timestamp {
  /// The timestamp `count` units after 1970 UTC, clamped to the years 1 to 9999.
  init(clamping count: Int64, unitsPerSecond: Int64) {
    let parts = count.quotientAndRemainder(dividingBy: unitsPerSecond)
    let borrow: Int64 = parts.remainder < 0 ? 1 : 0
    let seconds = parts.quotient - borrow
    let nanoseconds = (parts.remainder + borrow * unitsPerSecond) * (1_000_000_000 / unitsPerSecond)
    let limits = Self.secondsRange
    let held = min(max(seconds, limits.lowerBound), limits.upperBound)
    guard let timestamp = Self(seconds: held, nanoseconds: held == seconds ? Int32(nanoseconds) : 0)
    else { preconditionFailure("seconds inside the range make a timestamp") }
    self = timestamp
  }
}

extension Duration {
  /// Whole milliseconds, truncated toward zero and clamped to the range of `Int64`.
  public var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, carried) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return carried ? (seconds < 0 ? .min : .max) : sum
  }
}
