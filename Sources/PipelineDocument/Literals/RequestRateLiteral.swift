import PipelineCore

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
    guard !count.isEmpty, count.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      throw Problem(message: "'\(count)' is not a whole number of requests, as in '6/1m'")
    }
    guard let requests = Int(count), requests <= Rate.maximumRequests else {
      throw Problem(message: "'\(count)' is more than \(Rate.maximumRequests) requests")
    }
    guard requests > 0 else {
      throw Problem(message: "'\(text)' allows no request, expected at least 1")
    }
    if let unit = Self.unit(time) {
      throw Problem(message: "'\(time)' is a unit and not a time", suggestion: "\(count)/1\(unit)")
    }
    let period: Duration
    do throws(LiteralProblem) {
      period = try DurationLiteral.parse(String(time))
    } catch {
      throw Problem(message: error.message, suggestion: error.suggestion.map { "\(count)/\($0)" })
    }
    guard period > .zero else { throw Problem(message: "'\(time)' is not a time that passes") }
    guard period <= Rate.maximumPeriod else {
      throw Problem(message: "'\(time)' is longer than 31 days")
    }
    self.requests = requests
    self.period = period
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
    guard let number = Int(count), let unit = unit(text[place.upperBound...].trimmed) else {
      return nil
    }
    return "\(number)/1\(unit)"
  }
}
