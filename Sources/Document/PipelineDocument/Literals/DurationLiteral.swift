/// Why a text is not a valid literal; a sentence for a diagnostic.
package struct LiteralProblem: Error, Hashable {
  package let message: String
  package var suggestion: String?
}

/// Durations as the language writes them: `1s`, `500ms`, `5m`, `1h30m`, `7d`.
package enum DurationLiteral {
  package typealias Problem = LiteralProblem

  private static func unit(meantBy word: String) -> String? {
    switch word.lowercased() {
    case "ms", "msec", "msecs", "millis", "millisecond", "milliseconds": "ms"
    case "s", "sec", "secs", "second", "seconds": "s"
    // A capital M can mean a month.
    case "min", "mins", "minute", "minutes": "m"
    case "h", "hr", "hrs", "hour", "hours": "h"
    case "d", "day", "days": "d"
    default: nil
    }
  }

  package static let pattern = #"^([0-9]+(\.[0-9]+)?\s*(ms|s|m|h|d)\s*)+$"#
  package static let units: [(name: String, milliseconds: Double)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
  ]
  /// 100 years: beyond any wait, and far from overflow in milliseconds.
  private static let limit = 3_155_760_000_000.0

  package static func parse(_ text: String) throws(Problem) -> Duration {
    var rest = Substring(text).trimmed
    var milliseconds = 0.0
    guard !rest.isEmpty else { throw expected("a duration", text) }
    while !rest.isEmpty {
      guard let number = rest.takeNumber() else { throw expected("a duration", text) }
      rest = rest.trimmed
      let unit = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest.dropFirst(unit.count).trimmed
      guard !unit.isEmpty else {
        throw Problem(
          message: "'\(text)' has no unit, expected 'ms', 's', 'm', 'h' or 'd'",
          suggestion: text.allSatisfy(\.isNumber) ? "\(text)s" : nil)
      }
      guard let length = units.first(where: { $0.name == unit })?.milliseconds else {
        throw Problem(
          message: "unknown unit '\(unit)', expected 'ms', 's', 'm', 'h' or 'd'",
          suggestion: Self.unit(meantBy: String(unit)).map {
            text.replacing(unit, with: $0, maxReplacements: 1)
          })
      }
      milliseconds += number * length
    }
    guard milliseconds <= limit
    else { throw Problem(message: "'\(text)' is longer than 100 years") }
    return .milliseconds(Int64(milliseconds.rounded()))
  }

  private static func expected(_ what: String, _ text: String) -> Problem {
    Problem(message: "expected \(what) such as '30s' or '1h30m', found '\(text)'")
  }

  static func celText(_ duration: Duration) -> String {
    let parts = duration.milliseconds.quotientAndRemainder(dividingBy: 1000)
    guard parts.remainder != 0 else { return "\(parts.quotient)s" }
    let digits = String(parts.remainder)
    return "\(parts.quotient).\(String(repeating: "0", count: 3 - digits.count))\(digits)s"
  }
}

extension Substring {
  package var trimmed: Substring {
    var text = self
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return text
  }

  mutating func takeNumber() -> Double? {
    var length = prefix { $0.isASCII && $0.isNumber }.count
    guard length > 0 else { return nil }
    let tail = dropFirst(length)
    if tail.first == "." {
      let fraction = tail.dropFirst().prefix { $0.isASCII && $0.isNumber }.count
      guard fraction > 0 else { return nil }
      length += 1 + fraction
    }
    let number = Double(prefix(length))
    self = dropFirst(length)
    return number
  }
}

/// Sizes in bytes as the language writes them: `512 MiB`, `1.5 GB`, `4096 B`.
package enum SizeLiteral {
  package typealias Problem = LiteralProblem

  private static func unit(meantBy word: String) -> String? {
    switch word.lowercased() {
    case "byte", "bytes", "b": "B"
    case "kib", "ki": "KiB"
    case "mib", "mi": "MiB"
    case "gib", "gi": "GiB"
    case "tib", "ti": "TiB"
    case "kb", "k": "kB"
    case "mb", "m": "MB"
    case "gb", "g": "GB"
    case "tb", "t": "TB"
    default: nil
    }
  }

  package static let pattern = #"^[0-9]+(\.[0-9]+)?\s*(B|kB|KB|KiB|MB|MiB|GB|GiB|TB|TiB)$"#
  /// Decimal prefixes are powers of 1000, binary ones of 1024 (IEC 80000-13).
  package static let units: [(name: String, bytes: Double)] = [
    ("B", 1), ("kB", 1e3), ("KB", 1e3), ("KiB", 1024), ("MB", 1e6), ("MiB", 1_048_576),
    ("GB", 1e9), ("GiB", 1_073_741_824), ("TB", 1e12), ("TiB", 1_099_511_627_776),
  ]
  private static let unitNames = "'B', 'kB', 'KiB', 'MB', 'MiB', 'GB', 'GiB', 'TB' or 'TiB'"
  /// 8 PiB: exact in a double, and beyond any disk.
  private static let limit = 9_007_199_254_740_992.0

  package static func parse(_ text: String) throws(Problem) -> Int64 {
    var rest = Substring(text).trimmed
    guard let number = rest.takeNumber()
    else {
      throw Problem(message: "expected a size such as '512 MiB' or '4096 B', found '\(text)'")
    }
    rest = rest.trimmed
    guard !rest.isEmpty else {
      // A small number is hardly meant in bytes.
      throw Problem(
        message: "'\(text)' has no unit, expected \(unitNames)",
        suggestion: number < 1000 ? nil : "\(text) B")
    }
    guard let length = units.first(where: { $0.name == rest })?.bytes else {
      throw Problem(
        message: "unknown unit '\(rest)', expected \(unitNames)",
        suggestion: unit(meantBy: String(rest)).map {
          text.replacing(rest, with: $0, maxReplacements: 1)
        })
    }
    let bytes = (number * length).rounded()
    guard bytes < limit else { throw Problem(message: "'\(text)' is more than 8 PiB") }
    return Int64(bytes)
  }
}

/// A number of requests in a time as the language writes it: `6/1m`.
package struct RequestRateLiteral: Hashable, Sendable {
  package typealias Problem = LiteralProblem
  package static let pattern = #"^[0-9]+\s*/\s*([0-9]+(\.[0-9]+)?\s*(ms|s|m|h|d)\s*)+$"#
  package let requests: Int
  package let period: Duration

  package init(_ text: String) throws(Problem) {
    let halves = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else {
      throw Problem(
        message: "expected a number of requests and a time such as '6/1m', found '\(text)'",
        suggestion: Self.suggestion(halves[0], " per "))
    }
    let count = halves[0].trimmed
    let time = halves[1].trimmed
    guard !count.isEmpty, count.allSatisfy({ $0.isASCII && $0.isNumber })
    else { throw Problem(message: "'\(count)' is not a whole number of requests, as in '6/1m'") }
    guard let requests = Int(count), requests <= Rate.maximumRequests
    else { throw Problem(message: "'\(count)' is more than \(Rate.maximumRequests) requests") }
    guard requests > 0
    else { throw Problem(message: "'\(text)' allows no request, expected at least 1") }
    if let unit = Self.unit(time) {
      throw Problem(message: "'\(time)' is a unit and not a time", suggestion: "\(count)/1\(unit)")
    }
    let period: Duration
    do throws(LiteralProblem) { period = try DurationLiteral.parse(String(time)) } catch {
      throw Problem(message: error.message, suggestion: error.suggestion.map { "\(count)/\($0)" })
    }
    guard period > .zero else { throw Problem(message: "'\(time)' is not a positive time") }
    guard period <= Rate.maximumPeriod
    else { throw Problem(message: "'\(time)' is longer than 31 days") }
    (self.requests, self.period) = (requests, period)
  }

  private static func unit(_ word: Substring) -> String? {
    switch word.lowercased() {
    case "s", "sec", "second": "s"
    case "m", "min", "minute": "m"
    case "h", "hour": "h"
    case "d", "day": "d"
    default: nil
    }
  }

  /// `6 per minute` in our form.
  private static func suggestion(_ text: Substring, _ word: String) -> String? {
    guard let place = text.firstRange(of: word) else { return nil }
    let count = text[..<place.lowerBound].trimmed
    guard let number = Int(count), let unit = unit(text[place.upperBound...].trimmed)
    else { return nil }
    return "\(number)/1\(unit)"
  }
}
