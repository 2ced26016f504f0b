/// `done` and `skip` speak of an item, which a step of run scope does not have.
enum NoItemRule: Rule {
  static let pages = [
    Check(
      .noItem, .error, .flow, summary: "an outcome speaks of an item, and there is none",
      explanation: """
        `done` and `skip` end the work on one item of a loop. A step outside of any loop is done once for the whole run: it can \
        succeed, fail or pause.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
            on:
              - if: ${{ response.status == 404 }}
                then: skip
        """,
      right: """
        pipeline: example
        steps:
          - for_each: name
            in: ${{ ["a", "b"] }}
            steps:
              - id: ping
                request: { url: "https://example.com/${{ name }}" }
                on:
                  - if: ${{ response.status == 404 }}
                    then: skip
        """)
  ]

  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for case .step(let step) in pipeline.nodes {
      for case .word(let word, let range)? in step.matchers.map(\.outcome) {
        guard word == .done || word == .skip else { continue }
        collector.error(
          .noItem,
          "'\(word.rawValue)' is about an item, and this step stands outside of 'for_each'",
          at: range, help: "use 'success', 'fail' or 'pause'")
      }
    }
  }
}
