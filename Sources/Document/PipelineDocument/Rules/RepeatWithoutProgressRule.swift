/// A response should count as progress only if it shows progress.
enum RepeatWithoutProgressRule: Rule {
  /// The parts of a response that can show the server's progress.
  private static let telling: Set = [
    "response.headers", "response.json", "response.xml", "response.text",
  ]

  package static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector) {
    for step in analysis.draft.steps {
      for matcher in step.matchers where matcher.isProgress && matcher.outcome?.word == .retry {
        let entry = analysis.entry(matcher.condition, in: step.index)
        guard !matcher.hasCondition || entry?.compiled != nil,
          entry?.variables.isDisjoint(with: telling) ?? true
        else { continue }
        collector.report(
          .repeatWithoutProgress,
          "an unchanging response counts as progress here, so the step can repeat forever",
          at: matcher.condition?.range ?? matcher.range,
          help:
            "compare something that grows, such as an offset in 'response.headers', or remove 'progress'"
        )
      }
    }
  }
}

extension DraftMatcher.Outcome {
  /// Outcomes that follow from the response without reissuing a step.
  fileprivate var word: MatcherWord? { if case .word(let word, _) = self { word } else { nil } }
}
