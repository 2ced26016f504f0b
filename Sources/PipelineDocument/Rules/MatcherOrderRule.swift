/// Only the last entry of `on` may always hold; the entries after one that does are never reached.
enum MatcherOrderRule: Rule {
  static let pages = [
    Check(
      .unreachableMatcher, .error, .flow, summary: "an entry of `on` is never reached",
      explanation: """
        The first entry whose condition holds decides. Entries after one without a condition are never reached; that \
        is an error. An entry is also never reached if earlier entries take all the statuses that it matches, or if an \
        earlier condition is part of its own condition; that is a warning.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
             request: { url: "https://example.com/ping" }
             on:
        -      - then: fail
        +      - if: ${{ response.status == 404 }}
        +        then: fail
               - if: ${{ response.status == 423 }}
                 then: retry
        """)
  ]

  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for step in pipeline.steps {
      for matchers in [step.matchers, step.results?.matchers ?? []] {
        for matcher in matchers.dropLast() where !matcher.hasCondition {
          collector.report(
            .unreachableMatcher,
            "an entry without 'if' always holds, so the entries after it are never reached",
            at: matcher.range, help: "add an 'if', or move the entry to the end")
        }
      }
    }
  }
}
