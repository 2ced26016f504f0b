import PipelineCore

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
    guard milliseconds <= limit else {
      throw Problem(message: "'\(text)' is longer than 100 years")
    }
    return .milliseconds(Int64(milliseconds.rounded()))
  }

  private static func expected(_ what: String, _ text: String) -> Problem {
    Problem(message: "expected \(what) such as '30s' or '1h30m', found '\(text)'")
  }

  /// The duration in CEL's syntax, such as `3600s` or `0.5s`.
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

  /// Takes digits with an optional fraction off the front.
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
