/// `done` and `skip` apply to an item, which a run-level step does not have.
enum NoItemRule: Rule {
  static let pages = [
    Check(
      .noItem, .error, .flow, summary: "an outcome for items is used outside a loop",
      explanation: """
        `done` and `skip` end the work on one item of a loop. A step outside a loop runs once for the whole run: it \
        can succeed, fail or pause. So can a step of an inner loop, which is about a part: give the steps that a part \
        does not need an `if`.
        """,
      example: """
         pipeline: example
         steps:
        -  - id: ping
        -    request: { url: "https://example.com/ping" }
        -    on:
        -      - if: ${{ response.status == 404 }}
        -        then: skip_item
        +  - for_each: name
        +    in: ${{ ["a", "b"] }}
        +    steps:
        +      - id: ping
        +        request: { url: "https://example.com/${{ name }}" }
        +        on:
        +          - if: ${{ response.status == 404 }}
        +            then: skip_item
        """)
  ]

  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for case .step(let step) in pipeline.nodes {
      for case .word(let word, let range)? in step.matchers.map(\.outcome) {
        guard word == .finishItem || word == .skipItem else { continue }
        collector.report(
          .noItem, "'\(word.rawValue)' is only valid inside 'for_each'", at: range,
          help: "use 'success', 'fail' or 'pause'")
      }
    }
    for step in pipeline.steps where step.partOf != nil {
      for case .word(let word, let range)? in step.matchers.map(\.outcome) {
        guard word == .finishItem || word == .skipItem else { continue }
        collector.report(
          .noItem, "'\(word.rawValue)' ends an item, and this step is about a part of one",
          at: range, help: "use 'success', and give the steps that the part does not need an 'if'")
      }
    }
  }
}
