/// Dates of HTTP header fields, in seconds since 1970.
public enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let longDays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  /// The preferred form of RFC 9110 §5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`.
  public static func text(secondsSince1970 seconds: Int64) -> String {
    let time = CivilTime(secondsSince1970: seconds)
    let date = time.date
    return """
      \(days[time.weekday]), \(padded(date.day, 2)) \(months[date.month - 1]) \
      \(padded(date.year, 4)) \(time.rfc3339.suffix(8)) GMT
      """
  }

  /// Reads the three forms of RFC 9110 §5.6.7; `nil` for anything else.
  ///
  /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`; the day of the week is not checked.
  /// A year of two digits that would be more than 50 years after `now` is in the past.
  public static func seconds(of text: String, at now: Int64) -> Int64? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard let first = words.first else { return nil }
    if first.hasSuffix(",") {
      let name = String(first.dropLast())
      if words.count == 6, days.contains(name), words[5] == "GMT" {
        guard let year = number(words[3], digits: 4) else { return nil }
        return seconds(day: words[1], month: words[2], year: year, time: words[4])
      }
      let date = words.count == 4 ? words[1].split(separator: "-").map(String.init) : []
      guard longDays.contains(name), date.count == 3, words[3] == "GMT",
        let short = number(date[2], digits: 2)
      else { return nil }
      return rfc850(date, short, time: words[2], at: now)
    }
    // The day of asctime has two places, padded with a blank.
    var parts = words
    if parts.count == 6, parts[2].isEmpty, parts[3].utf8.count == 1 {
      parts.remove(at: 2)
      parts[2] = "0" + parts[2]
    }
    guard parts.count == 5, days.contains(first), let year = number(parts[4], digits: 4)
    else { return nil }
    return seconds(day: parts[2], month: parts[1], year: year, time: parts[3])
  }

  /// The year of two digits that is at most 50 years in the future, and no more than that in the past.
  private static func rfc850(
    _ date: [String], _ short: Int, time: String, at now: Int64
  ) -> Int64? {
    let century = CivilTime(secondsSince1970: now).date.year / 100 * 100
    func seconds(_ year: Int) -> Int64? {
      self.seconds(day: date[0], month: date[1], year: year, time: time)
    }
    guard let late = seconds(century + short + 100) else { return nil }
    for candidate in [late, seconds(century + short), seconds(century + short - 100)] {
      if let candidate, candidate - 50 * 31_556_952 <= now { return candidate }
    }
    return nil
  }

  private static func seconds(day: String, month: String, year: Int, time: String) -> Int64? {
    guard let day = number(day, digits: 2), let month = months.firstIndex(of: month),
      (1...9999).contains(year),
      (1...CivilDate.length(ofMonth: month + 1, year: year)).contains(day)
    else { return nil }
    let parts = time.split(separator: ":", omittingEmptySubsequences: false)
      .map { number(String($0), digits: 2) }
    guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
      hour < 24, minute < 60, second <= 60
    else { return nil }
    return CivilDate(year: year, month: month + 1, day: day).daysSince1970 * 86400
      + Int64(hour * 3600 + minute * 60 + second)
  }

  private static func number(_ text: String, digits: Int) -> Int? {
    guard text.utf8.count == digits, text.utf8.allSatisfy(\.isDigit)
    else { return nil }
    return Int(text)
  }
}
