import Basics
import PipelineCore

/// How fast a generated pipeline may send: a rate of all requests, and one of those that allocate.
struct PipelinePace {
  private let all: Int?
  private let named: String?

  init(_ random: inout SplitMix64) {
    all = random.flip(0.2) ? random.pick([1, 2, 10]) : nil
    named =
      random.flip(0.25)
      ? random.pick(["6/1m", "1/2s", "{ limit: 20/1m, burst: 4 }", "{ limit: 3/7s, burst: 3 }"])
      : nil
  }

  /// The text with its rates.
  func paced(_ text: String) -> String {
    let place = "url: \"https://server.test/uploads\""
    let isNamed = named != nil && text.contains("POST, " + place)
    var entries: [String] = []
    if let all { entries.append("requests_per_second: \(all)") }
    if isNamed, let named { entries.append("rates: { init: \(named) }") }
    guard !entries.isEmpty else { return text }
    let keys = entries.joined(separator: ", ")
    var paced =
      isNamed ? text.replacing("POST, " + place, with: "POST, rate: init, " + place) : text
    if paced.contains("budgets: {") {
      paced = paced.replacing("budgets: {", with: "budgets: { \(keys),", maxReplacements: 1)
    } else {
      paced = paced.replacing(
        "retry:\n", with: "budgets: { \(keys) }\nretry:\n", maxReplacements: 1)
    }
    return paced
  }
}
