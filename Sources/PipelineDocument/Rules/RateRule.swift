/// A request counts towards a rate that is declared, and each rate has requests.
enum RateRule: Rule {
  static let pages = [
    Check(
      .unknownRate, .error, .names, summary: "a rate does not exist",
      explanation: """
        A request names the rate that it counts towards with `rate: NAME`. Rates are declared under `budgets`. \
        `requests_per_second` applies to all requests, without a name.
        """,
      example: """
         pipeline: example
         budgets: { rates: { init: 6/1m } }
         steps:
           - id: ping
        -    request: { url: "https://example.com/ping", rate: inti }
        +    request: { url: "https://example.com/ping", rate: init }
           - id: pong
             request: { url: "https://example.com/pong", rate: init }
        """),
    Check(
      .unusedRate, .warning, .names, summary: "no request counts towards a rate",
      explanation: """
        A rate limits the requests that name it with `rate: NAME`, and no other. One that is never named limits nothing: name \
        it in the requests that the server counts, or under `defaults`, or remove it.
        """,
      example: """
         pipeline: example
         budgets: { rates: { init: 6/1m } }
         steps:
           - id: ping
        -    request: { url: "https://example.com/ping" }
        +    request: { url: "https://example.com/ping", rate: init }
        """),
  ]

  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    let known = pipeline.rateNames.map(\.value)
    var used: Set<String> = []
    for case let name? in pipeline.requests.map(\.rate) {
      used.insert(name.value)
      guard !known.contains(name.value) else { continue }
      collector.report(
        .unknownRate, "unknown rate '\(name.value)'", at: name.range,
        help: known.isEmpty
          ? "declare it under 'budgets': rates: { \(name.value): 6/1m }"
          : "the rates are \(quotedList(known))", nearest: nearestName(to: name.value, among: known)
      )
    }
    for name in pipeline.rateNames where !used.contains(name.value) {
      collector.report(
        .unusedRate, "no request counts towards the rate '\(name.value)'", at: name.range)
    }
  }
}
