/// Only the last entry of `on` may hold always; what stands after one that does is never reached.
enum MatcherOrderRule: Rule {
  static let pages = [
    Check(
      .unreachableMatcher, .error, .flow, summary: "an entry of `on` is never reached",
      explanation: """
        The first entry whose condition holds decides. What stands behind an entry without a condition is never looked at, which \
        is an error. An entry is never reached either where earlier ones take all the statuses that it asks for, or where all \
        that an earlier one asks for stands in its own condition too; that is a warning.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
            on:
              - then: fail
              - if: ${{ response.status == 423 }}
                then: retry
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
            on:
              - if: ${{ response.status == 404 }}
                then: fail
              - if: ${{ response.status == 423 }}
                then: retry
        """)
  ]

  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for step in pipeline.steps {
      for matchers in [step.matchers, step.results?.matchers ?? []] {
        for matcher in matchers.dropLast() where !matcher.hasCondition {
          collector.error(
            .unreachableMatcher,
            "an entry without 'if' always holds, so that the entries after it are never reached",
            at: matcher.range, help: "add an 'if', or move the entry to the end")
        }
      }
    }
  }
}
