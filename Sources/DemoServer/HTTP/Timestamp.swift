#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A time in milliseconds since 1970 (UTC), by the server's clock.
struct Timestamp: Codable, Hashable, Comparable, Sendable {
  let milliseconds: Int64

  static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  static func + (moment: Timestamp, duration: Duration) -> Timestamp {
    Timestamp(milliseconds: moment.milliseconds + duration.wholeMilliseconds)
  }

  /// RFC 3339 with milliseconds: `2026-03-01T12:00:00.250Z`.
  var rfc3339: String {
    let (year, month, day, seconds) = civil
    let fraction = milliseconds - milliseconds.floored(by: 1000) * 1000
    return Self.text(24) { text in
      text.append(year, digits: 4)
      text.append("-")
      text.append(month, digits: 2)
      text.append("-")
      text.append(day, digits: 2)
      text.append("T")
      text.append(clock: seconds)
      text.append(".")
      text.append(fraction, digits: 3)
      text.append("Z")
    }
  }

  /// The format of the `Date` header (RFC 9110 §5.6.7): `Sun, 01 Mar 2026 12:00:00 GMT`.
  var httpDate: String {
    let (year, month, day, seconds) = civil
    let days = milliseconds.floored(by: 86_400_000)
    // 1 January 1970 was a Thursday.
    let weekday = Self.weekdays[Int((days % 7 + 11) % 7)]
    return Self.text(29) { text in
      text.append("\(weekday), ")
      text.append(day, digits: 2)
      text.append(" \(Self.months[Int(month) - 1]) ")
      text.append(year, digits: 4)
      text.append(" ")
      text.append(clock: seconds)
      text.append(" GMT")
    }
  }

  private static func text(_ capacity: Int, _ write: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(capacity)
    write(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The date in the proleptic Gregorian calendar and the seconds of the day.
  ///
  /// Counted in eras of 400 years that begin on 1 March, so that a leap day is the last day of its year.
  private var civil: (year: Int64, month: Int64, day: Int64, seconds: Int64) {
    let days = milliseconds.floored(by: 86_400_000)
    let seconds = (milliseconds - days * 86_400_000) / 1000
    let shifted = days + 719_468
    let era = shifted.floored(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day, seconds)
  }
}

/// The server's clock: the machine's, shifted by an offset.
struct ServerClock: Sendable {
  let offset: Duration

  var now: Timestamp {
    Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) + offset
  }
}

extension Duration {
  /// Rounded towards zero.
  var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }

  /// Rounded up, for headers in seconds.
  var secondsRoundedUp: Int64 { (wholeMilliseconds + 999) / 1000 }
}

extension Int64 {
  fileprivate func floored(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ text: String) {
    append(contentsOf: text.utf8)
  }

  /// Appends a non-negative number with leading zeros.
  fileprivate mutating func append(_ number: Int64, digits: Int) {
    var divisor: Int64 = 1
    for _ in 1..<digits { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }

  fileprivate mutating func append(clock seconds: Int64) {
    append(seconds / 3600, digits: 2)
    append(":")
    append(seconds / 60 % 60, digits: 2)
    append(":")
    append(seconds % 60, digits: 2)
  }
}
