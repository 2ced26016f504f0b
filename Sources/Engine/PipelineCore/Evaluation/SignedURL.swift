import Basics
import CEL

/// The expiry time that a signed URL contains.
enum SignedURL {
  static let forms =
    "expected X-…-Date with X-…-Expires, 'se' with a date, or 'Expires' with seconds since 1970, in its query"

  /// The earliest time at which the URL expires, on the clock of the server that made it.
  static func expiry(of url: String) -> Timestamp? {
    var items: [String: String] = [:]
    for pair in (URIReference(url).query ?? "").split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let name = decoded(parts[0])?.lowercased(), items[name] == nil
      else { continue }
      items[name] = decoded(parts[1])
    }
    var ends = [items["se"].flatMap(date), items["expires"].flatMap(epoch)]
    for (name, value) in items where name.hasPrefix("x-") && name.hasSuffix("-expires") {
      guard let begun = items[name.dropLast(7) + "date"].flatMap(basicDate),
        let life = Int64(value), (0...maximumLife).contains(life)
      else { continue }
      ends.append(begun.adding(.seconds(life)))
    }
    return ends.compactMap { $0 }.min()
  }

  /// A hundred years: a number of seconds beyond that is not a lifetime.
  private static let maximumLife: Int64 = 3_155_760_000

  private static func decoded(_ text: Substring) -> String? {
    PercentEncoding.decode(text.utf8).flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// `20130524T000000Z`, the basic form of ISO 8601.
  private static func basicDate(_ text: String) -> Timestamp? {
    let digits = Array(text)
    guard digits.count == 16, digits[8] == "T", digits[15] == "Z" else { return nil }
    let day = "\(String(digits[0..<4]))-\(String(digits[4..<6]))-\(String(digits[6..<8]))"
    let time = "\(String(digits[9..<11])):\(String(digits[11..<13])):\(String(digits[13..<15]))"
    return Timestamp(rfc3339: "\(day)T\(time)Z")
  }

  /// `2024-01-01`, `2024-01-01T12:00Z` or with seconds: the forms of ISO 8601 that shared access signatures have.
  private static func date(_ text: String) -> Timestamp? {
    switch text.count {
    case 10: Timestamp(rfc3339: text + "T00:00:00Z")
    case 17 where text.hasSuffix("Z"): Timestamp(rfc3339: text.dropLast() + ":00Z")
    default: Timestamp(rfc3339: text)
    }
  }

  /// Seconds since 1970, later than 2001 and within the range of timestamps.
  private static func epoch(_ text: String) -> Timestamp? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int64(text),
      seconds >= 1_000_000_000
    else { return nil }
    return Timestamp(seconds: seconds)
  }
}
