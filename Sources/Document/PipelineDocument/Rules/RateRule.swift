/// A request counts towards a rate that is declared, and each rate has requests.
enum RateRule: Rule {
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
