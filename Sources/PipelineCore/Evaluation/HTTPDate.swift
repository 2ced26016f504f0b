/// Dates of HTTP header fields.
public enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Reads the preferred form, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7); `nil` for
  /// anything else.
  public static func parse(_ text: String) -> Instant? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT",
      let day = Int(words[1]), let month = months.firstIndex(of: String(words[2])),
      let year = Int(words[3]), (1...31).contains(day), (1...9999).contains(year)
    else { return nil }
    let time = words[4].split(separator: ":").compactMap { Int($0) }
    guard time.count == 3, (0..<24).contains(time[0]), (0..<60).contains(time[1]),
      (0...60).contains(time[2])
    else { return nil }
    let seconds = time[0] * 3600 + time[1] * 60 + time[2]
    let days = daysSince1970(year: year, month: month + 1, day: day)
    return Instant(milliseconds: Int64(days * 86400 + seconds) * 1000)
  }

  /// Days from 1970-01-01 in the proleptic Gregorian calendar.
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    // Counting years from March puts the leap day at the end, where it disturbs no month's length.
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

/// The header `Retry-After` (RFC 9110 §10.2.3).
public enum RetryAfter {
  /// The instant before which `answer` asks not to be asked again, on our clock; `nil` where it
  /// does not ask, or not legibly.
  public static func instant(of answer: Answer) -> Instant? {
    guard let text = answer.header("retry-after") else { return nil }
    if let seconds = Int64(text), seconds >= 0 {
      return answer.received + .seconds(min(seconds, 30 * 86400))
    }
    guard let date = HTTPDate.parse(text) else { return nil }
    // The wish is a time on the server's clock; its own Date header tells how far that is from
    // ours.
    guard let sent = answer.header("date").flatMap(HTTPDate.parse) else { return date }
    return answer.received + (date - sent)
  }
}
