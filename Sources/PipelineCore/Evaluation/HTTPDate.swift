public import Basics

extension HTTPDate {
  /// Reads the three forms of RFC 9110 §5.6.7; `nil` for anything else.
  public static func parse(_ text: String, at now: Instant) -> Instant? {
    seconds(of: text, at: now.seconds).map { Instant(milliseconds: $0 * 1000) }
  }
}

/// The header `Retry-After` (RFC 9110 §10.2.3).
public enum RetryAfterHeader {
  /// Before when `response` asks us not to retry, on our clock, no later than `policy` allows; `nil` if it does not ask.
  public static func instant(of response: Response, atMost policy: RetryPolicy) -> Instant? {
    guard let text = response.header("retry-after") else { return nil }
    let latest = response.received + policy.retryAfterMaximum
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // More digits than fit mean a long time, too.
      return Int64(text).map { min(response.received + .seconds(min($0, 1 << 40)), latest) }
        ?? latest
    }
    guard let date = HTTPDate.parse(text, at: response.received) else { return nil }
    // The time is on the server's clock; its own Date header tells how far that is from ours.
    let sent = response.header("date").flatMap { HTTPDate.parse($0, at: response.received) }
    return min(sent.map { response.received + (date - $0) } ?? date, latest)
  }
}
