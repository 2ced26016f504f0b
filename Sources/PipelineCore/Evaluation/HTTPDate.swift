/// Dates of HTTP header fields.
public enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let longDays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  /// Reads the three forms of RFC 9110 §5.6.7; `nil` for anything else.
  ///
  /// `Sun, 06 Nov 1994 08:49:37 GMT`, and the obsolete `Sunday, 06-Nov-94 08:49:37 GMT` and
  /// `Sun Nov  6 08:49:37 1994`. The day of the week is not checked.
  ///
  /// - Parameter now: The reference for a two-digit year: one that would be more than 50 years in the future is
  ///   in the past.
  public static func parse(_ text: String, at now: Instant) -> Instant? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard let first = words.first else { return nil }
    if first.hasSuffix(",") {
      let name = String(first.dropLast())
      if words.count == 6, days.contains(name), words[5] == "GMT" {
        return instant(day: words[1], month: words[2], year: words[3], time: words[4])
      }
      let date = words.count == 4 ? words[1].split(separator: "-").map(String.init) : []
      guard longDays.contains(name), date.count == 3, words[3] == "GMT",
        let short = number(date[2], digits: 2)
      else { return nil }
      return rfc850(date, short, time: words[2], at: now)
    }
    // The day of asctime has two columns, padded with a blank.
    var parts = words
    if parts.count == 6, parts[2].isEmpty, parts[3].utf8.count == 1 {
      parts.remove(at: 2)
      parts[2] = "0" + parts[2]
    }
    guard parts.count == 5, days.contains(first) else { return nil }
    return instant(day: parts[2], month: parts[1], year: parts[4], time: parts[3])
  }

  /// The year for two digits that is at most 50 years in the future.
  private static func rfc850(
    _ date: [String], _ short: Int, time: String, at now: Instant
  ) -> Instant? {
    let this = year(of: now)
    func instant(_ year: Int) -> Instant? {
      let text = String(year)
      let padded = String(repeating: "0", count: max(0, 4 - text.count)) + text
      return self.instant(day: date[0], month: date[1], year: padded, time: time)
    }
    guard let late = instant(this / 100 * 100 + short + 100) else { return nil }
    for candidate in [
      late, instant(this / 100 * 100 + short), instant(this / 100 * 100 + short - 100),
    ] {
      if let candidate, candidate <= now + .seconds(50 * 31_556_952) { return candidate }
    }
    return nil
  }

  private static func instant(day: String, month: String, year: String, time: String) -> Instant? {
    guard let day = number(day, digits: 2), let month = months.firstIndex(of: month),
      let year = number(year, digits: 4), year >= 1,
      (1...length(ofMonth: month + 1, year: year)).contains(day)
    else { return nil }
    let parts = time.split(separator: ":", omittingEmptySubsequences: false)
      .map { number(String($0), digits: 2) }
    guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
      hour < 24, minute < 60, second <= 60
    else { return nil }
    let seconds = hour * 3600 + minute * 60 + second
    let days = daysSince1970(year: year, month: month + 1, day: day)
    return Instant(milliseconds: Int64(days * 86400 + seconds) * 1000)
  }

  private static func number(_ text: String, digits: Int) -> Int? {
    guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(text)
  }

  private static func length(ofMonth month: Int, year: Int) -> Int {
    let next = month == 12 ? (year + 1, 1) : (year, month + 1)
    return daysSince1970(year: next.0, month: next.1, day: 1)
      - daysSince1970(year: year, month: month, day: 1)
  }

  private static func year(of instant: Instant) -> Int {
    let days = Int((Double(instant.milliseconds) / 86_400_000).rounded(.down))
    var year = 1970 + Int((Double(days) / 365.2425).rounded(.down))
    if daysSince1970(year: year + 1, month: 1, day: 1) <= days { year += 1 }
    if daysSince1970(year: year, month: 1, day: 1) > days { year -= 1 }
    return year
  }

  /// Days from 1970-01-01 in the proleptic Gregorian calendar.
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    // Counting years from March puts the leap day at the end, so that it does not affect the lengths of months.
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

/// The header `Retry-After` (RFC 9110 §10.2.3).
public enum RetryAfterHeader {
  /// The instant before which `response` asks us not to retry, on our clock and no later than `policy` allows;
  /// `nil` if it does not ask, or not legibly.
  public static func instant(of response: Response, atMost policy: RetryPolicy) -> Instant? {
    guard let text = response.header("retry-after") else { return nil }
    let latest = response.received + policy.retryAfterMaximum
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // More digits than fit mean a long time, too.
      return Int64(text).map { min(response.received + .seconds(min($0, 1 << 40)), latest) }
        ?? latest
    }
    guard let date = HTTPDate.parse(text, at: response.received) else { return nil }
    // The time is on the server's clock; its own Date header tells how far that is from
    // ours.
    let sent = response.header("date").flatMap { HTTPDate.parse($0, at: response.received) }
    return min(sent.map { response.received + (date - $0) } ?? date, latest)
  }
}
