/// A timestamp between the years 1 and 9999, to the nanosecond, without leap seconds.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Whole seconds since 1970-01-01T00:00:00Z.
  public let seconds: Int64
  /// Nanoseconds after ``seconds``, from 0 to 999,999,999.
  public let nanoseconds: Int32
  /// The years 1 to 9999, the range of the specification.
  public static let secondsRange: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// The point `seconds` and `nanoseconds` after the epoch; `nil` outside the range.
  public init?(seconds: Int64, nanoseconds: Int32 = 0) {
    guard Self.secondsRange.contains(seconds), (0..<1_000_000_000).contains(nanoseconds)
    else { return nil }
    (self.seconds, self.nanoseconds) = (seconds, nanoseconds)
  }

  /// The point `seconds` after the epoch, to the nearest nanosecond; `nil` outside the range.
  public init?(secondsSince1970 seconds: Double) {
    guard seconds.isFinite, abs(seconds) < 1e12 else { return nil }
    let whole = seconds.rounded(.down)
    let nanoseconds = ((seconds - whole) * 1e9).rounded()
    if nanoseconds >= 1e9 {
      self.init(seconds: Int64(whole) + 1)
    } else {
      self.init(seconds: Int64(whole), nanoseconds: Int32(nanoseconds))
    }
  }

  /// Seconds since the epoch; a double keeps about a microsecond of today's dates.
  public var secondsSince1970: Double { Double(seconds) + Double(nanoseconds) / 1e9 }

  /// Order in time.
  public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
    (lhs.seconds, lhs.nanoseconds) < (rhs.seconds, rhs.nanoseconds)
  }

  /// The timestamp `duration` later; `nil` if out of range.
  public func adding(_ duration: Swift.Duration) -> Timestamp? {
    guard let span = Nanoseconds(duration) else { return nil }
    return Nanoseconds(since1970: self).adding(span)?.timestamp
  }

  /// The timestamp `duration` earlier; `nil` if out of range.
  public func subtracting(_ duration: Swift.Duration) -> Timestamp? {
    guard let span = Nanoseconds(duration) else { return nil }
    return Nanoseconds(since1970: self).subtracting(span)?.timestamp
  }

  /// The duration from `earlier` to this timestamp, negative if `earlier` is later.
  public func duration(since earlier: Timestamp) -> Swift.Duration {
    .seconds(seconds - earlier.seconds)
      + .nanoseconds(Int64(nanoseconds) - Int64(earlier.nanoseconds))
  }
}

/// A count of nanoseconds, wide enough for every timestamp and duration of the language.
struct Nanoseconds {
  var count: Int128

  init(count: Int128) { self.count = count }

  init(since1970 timestamp: Timestamp) {
    count = Int128(timestamp.seconds) * 1_000_000_000 + Int128(timestamp.nanoseconds)
  }

  /// The whole nanoseconds of a duration; `nil` outside the language's range.
  init?(_ duration: Swift.Duration) {
    // Swift's own range is so wide that the seconds may not fit in its components.
    guard Self.durationRange.contains(duration) else { return nil }
    let parts = duration.components
    count = Int128(parts.seconds) * 1_000_000_000 + Int128(parts.attoseconds / 1_000_000_000)
  }

  func adding(_ other: Nanoseconds) -> Nanoseconds? {
    let (sum, overflow) = count.addingReportingOverflow(other.count)
    return overflow ? nil : Nanoseconds(count: sum)
  }

  func subtracting(_ other: Nanoseconds) -> Nanoseconds? {
    let (difference, overflow) = count.subtractingReportingOverflow(other.count)
    return overflow ? nil : Nanoseconds(count: difference)
  }

  /// The range of the specification: about ±10,000 years.
  static let durationRange: ClosedRange<Swift.Duration> =
    .seconds(-315_576_000_000) ... .seconds(315_576_000_000)

  var duration: Swift.Duration? {
    let limit: Int128 = 315_576_000_000 * 1_000_000_000
    guard (-limit...limit).contains(count) else { return nil }
    let (seconds, rest) = count.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Swift.Duration(
      secondsComponent: Int64(seconds), attosecondsComponent: Int64(rest) * 1_000_000_000)
  }

  var timestamp: Timestamp? {
    var (seconds, rest) = count.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest < 0 {
      seconds -= 1
      rest += 1_000_000_000
    }
    guard let seconds = Int64(exactly: seconds) else { return nil }
    return Timestamp(seconds: seconds, nanoseconds: Int32(rest))
  }
}

extension Timestamp: CustomStringConvertible {
  /// Parses RFC 3339 section 5.6 text: `T` and `Z` capital, with an offset, without a second of 60.
  public init?(rfc3339 text: String) {
    var reader = DigitReader(text)
    guard let date = reader.date(), reader.take("T"), let (minutes, second) = reader.clock(),
      second < 60, let nanoseconds = reader.fraction(), let offset = reader.offset(), reader.isAtEnd
    else { return nil }
    let clock = Int64(minutes * 60 + second)
    self.init(seconds: date.daysSince1970 * 86_400 + clock - offset, nanoseconds: nanoseconds)
  }

  /// RFC 3339 text in UTC, with as many fraction digits as needed.
  public var rfc3339: String {
    "\(CivilTime(secondsSince1970: seconds).rfc3339)\(fractionText(nanoseconds))Z"
  }

  /// The RFC 3339 text.
  public var description: String { rfc3339 }
}

/// `.5` for 500,000,000 nanoseconds; empty for none.
func fractionText(_ nanoseconds: Int32) -> String {
  guard nanoseconds != 0 else { return "" }
  var digits = padded(Int(nanoseconds), 9)
  while digits.hasSuffix("0") { digits.removeLast() }
  return "." + digits
}
