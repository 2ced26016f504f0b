import CEL

/// A response should count as progress only if it shows progress.
enum RepeatWithoutProgressRule: Rule {
  static let pages = [
    Check(
      .repeatWithoutProgress, .warning, .flow,
      summary: "a retry counts as progress without evidence from the response",
      explanation: """
        `progress: true` resets the count of failed attempts, so that a retry that gets further each time is never \
        given up. If the condition only looks at the status or the connection error, an unchanging response counts as \
        progress too, and the step can repeat forever. Compare something that grows, such as an offset in a header or \
        in the body, or remove `progress`.
        """,
      example: """
         pipeline: example
         steps:
           - id: send
             request: { url: "https://example.com/parts" }
             on:
        -      - if: ${{ response.status == 409 }}
        +      - if: ${{ response.status == 409 && response.headers["upload-offset"] != "0" }}
                 then: retry
                 progress: true
        """)
  ]

  /// The parts of a response that can show how far the server has got.
  private static let telling: Set = [
    "response.headers", "response.json", "response.xml", "response.text",
  ]

  package static func check(_ analysis: Analysis, _ collector: DiagnosticCollector) {
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
