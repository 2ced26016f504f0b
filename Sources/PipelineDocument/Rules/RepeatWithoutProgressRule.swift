import CEL

/// An answer counts as progress only if it can tell that there was some.
enum RepeatWithoutProgressRule: ExpressionRule {
  static let pages = [
    Check(
      .repeatWithoutProgress, .warning, .flow,
      summary: "a repeat counts as progress, though the answer says nothing of it",
      explanation: """
        `progress: true` begins the count of failed attempts anew, so that a retry which gets further each time is never given \
        up. Where the condition looks at nothing but the status or the error of the connection, an answer that is always the \
        same counts as progress too, and the step is repeated without end. Compare what grows, such as an offset in a header or \
        in the body, or leave `progress` out.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: send
            request: { url: "https://example.com/parts" }
            on:
              - if: ${{ response.status == 409 }}
                then: retry
                progress: true
        """,
      right: """
        pipeline: example
        steps:
          - id: send
            request: { url: "https://example.com/parts" }
            on:
              - if: ${{ response.status == 409 && response.headers["upload-offset"] != "0" }}
                then: retry
                progress: true
        """)
  ]

  /// What of an answer can show how far the server has come.
  private static let telling: Set = ["response.headers", "response.json", "response.text"]

  package static func check(_ analysis: Analysis, _ collector: DiagnosticCollector) {
    for step in analysis.draft.steps {
      for matcher in step.matchers where matcher.isProgress && matcher.outcome?.word == .retry {
        let entry = analysis.entry(matcher.condition, in: step.index)
        guard !matcher.hasCondition || entry?.compiled != nil,
          entry?.variables.isDisjoint(with: telling) ?? true
        else { continue }
        collector.warning(
          .repeatWithoutProgress,
          "an answer that is always the same counts as progress: the step can be repeated without end",
          at: matcher.condition?.range ?? matcher.range,
          help:
            "compare what grows, such as an offset in 'response.headers', or leave 'progress' out")
      }
    }
  }
}

extension DraftMatcher.Outcome {
  /// What follows from the answer, where no step is done anew.
  fileprivate var word: MatcherWord? { if case .word(let word, _) = self { word } else { nil } }
}
