import Synchronization

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
    let seconds = milliseconds.floored(by: 1000)
    let fraction = padded(Int(milliseconds - seconds * 1000), 3)
    return "\(CivilTime(secondsSince1970: seconds).rfc3339).\(fraction)Z"
  }

  var httpDate: String { HTTPDate.text(secondsSince1970: milliseconds.floored(by: 1000)) }
}

/// The server's clock: the machine's, shifted by an offset.
struct ServerClock: Sendable {
  let offset: Duration

  var now: Timestamp {
    Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) + offset
  }
}

extension Duration {
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

/// The text of the `Date` header, updated once a second.
enum HTTPDateCache {
  private static let latest = Mutex<(second: Int64, text: String)>((.min, ""))

  static func text(at now: Timestamp) -> String {
    let second = now.milliseconds / 1000
    return latest.withLock { latest in
      if latest.second != second { latest = (second, now.httpDate) }
      return latest.text
    }
  }
}
