/// A materialization asks no server, so that what is said about answers has no effect on it.
enum MaterializeKeysRule: Rule {
  static let pages = [
    Check(
      .uselessKey, .error, .shape, summary: "a key has no effect where it stands",
      explanation: """
        A materialize step asks no server, so that it has no answers to match and nothing to probe; `after` delays only `retry` and \
        `poll`; `filename` and `range` belong to a `file`. Remove the key, or put it where it belongs.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: body
            materialize: { text: hello }
            effect: create
          - id: ping
            request: { url: "https://example.com/ping" }
            needs: [body]
            on:
              - if: ${{ response.status == 404 }}
                then: fail
                after: 5s
        """,
      right: """
        pipeline: example
        steps:
          - id: body
            materialize: { text: hello }
          - id: ping
            request: { url: "https://example.com/ping" }
            needs: [body]
            on:
              - if: ${{ response.status == 404 }}
                then: retry
                after: 5s
        """)
  ]

  static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for step in pipeline.steps {
      guard case .materialize? = step.action else { continue }
      for (key, range) in step.answerKeys {
        collector.error(
          .uselessKey, "'\(key)' has no effect in a materialize step, which asks no server",
          at: range)
      }
    }
  }
}
