public import Basics
import CEL

extension HTTPDate {
  /// Reads the three forms of RFC 9110 §5.6.7; `nil` for anything else.
  public static func parse(_ text: String, at now: Instant) -> Instant? {
    seconds(of: text, at: now.seconds).map { Instant(milliseconds: $0 * 1000) }
  }
}

/// The header `Retry-After` (RFC 9110 §10.2.3).
public enum RetryAfterHeader {
  /// Before when `response` asks us not to retry, on our clock, no later than `policy` allows; `nil` if it does not ask.
  ///
  /// Values that other clients understand count, too: fractions, which are rounded up, a unit, another zone, and RFC 3339.
  public static func instant(of response: Response, atMost policy: RetryPolicy) -> Instant? {
    guard let text = response.header("retry-after")?.trimmingSpaces else { return nil }
    let latest = response.received + policy.retryAfterMaximum
    if let seconds = seconds(in: text) { return min(response.received + .seconds(seconds), latest) }
    guard let date = date(text, at: response.received) else { return nil }
    // The time is on the server's clock; its own Date header shows the difference from ours.
    let sent = response.header("date").flatMap { self.date($0, at: response.received) }
    return min(sent.map { response.received + (date - $0) } ?? date, latest)
  }

  /// `120`, `2.5`, or `30 s`; more digits than fit mean a long time, too.
  private static func seconds(in text: String) -> Int64? {
    let number = text.prefix { $0.isASCII && ($0.isWholeNumber || $0 == ".") }
    let unit = text.dropFirst(number.count).drop { $0 == " " }.lowercased()
    guard number.first?.isWholeNumber == true, let seconds = Double(number),
      ["", "s", "sec", "second", "seconds"].contains(unit)
    else { return nil }
    return Int64(min(seconds.rounded(.up), 0x1p40))
  }

  private static func date(_ text: String, at now: Instant) -> Instant? {
    if let strict = HTTPDate.parse(text, at: now) { return strict }
    if let moment = Timestamp(rfc3339: text) {
      return Instant(milliseconds: (moment.seconds + (moment.nanoseconds > 0 ? 1 : 0)) * 1000)
    }
    var words = text.split(separator: " ").map(String.init)
    guard words.count >= 5, words[0].hasSuffix(",") else { return nil }
    if words.count == 5 { words.append("GMT") }
    if words[1].utf8.count == 1 { words[1] = "0" + words[1] }
    guard let offset = offset(ofZone: words[5]) else { return nil }
    words[5] = "GMT"
    return HTTPDate.parse(words.joined(separator: " "), at: now).map { $0 + .seconds(-offset) }
  }

  /// Seconds east of Greenwich.
  private static func offset(ofZone zone: String) -> Int64? {
    if ["GMT", "UTC", "UT", "Z"].contains(zone.uppercased()) { return 0 }
    let digits = zone.utf8.dropFirst().filter { $0 != UInt8(ascii: ":") }.map { Int64($0) - 0x30 }
    guard zone.hasPrefix("+") || zone.hasPrefix("-"), digits.count == 4,
      digits.allSatisfy({ (0...9).contains($0) })
    else { return nil }
    let seconds = (digits[0] * 10 + digits[1]) * 3600 + (digits[2] * 10 + digits[3]) * 60
    return zone.hasPrefix("-") ? -seconds : seconds
  }
}
