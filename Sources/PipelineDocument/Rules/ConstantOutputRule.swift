/// What is the same in every run cannot die.
enum ConstantOutputRule: Rule {
  static let pages = [
    Check(
      .constantOutput, .warning, .flow, summary: "an output is always the same",
      explanation: """
        An output is what a step learns from an answer. A text without any expression comes from the file and not from the answer: \
        most likely `${{` and `}}` are missing around it. With a lifetime it is wrong in any case, since doing the step anew gives \
        the same.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: allocate
            request: { url: "https://example.com/new" }
            outputs:
              id: { value: response.json.upload-id, expires: { in: 1h } }
          - id: ping
            request: { url: "https://example.com/${{ steps.allocate.id }}" }
        """,
      right: """
        pipeline: example
        steps:
          - id: allocate
            request: { url: "https://example.com/new" }
            outputs:
              id: { value: "${{ response.json['upload-id'] }}", expires: { in: 1h } }
          - id: ping
            request: { url: "https://example.com/${{ steps.allocate.id }}" }
        """)
  ]

  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for step in pipeline.steps {
      for output in step.outputs {
        guard let value = output.value, value.constant != nil, step.hasResponse else { continue }
        collector.warning(
          .constantOutput,
          output.lifetime == nil
            ? "the output '\(output.name.value)' is always the same: nothing of the answer is in it"
            : "the output '\(output.name.value)' has a lifetime, and its value is always the same",
          at: value.range, help: "take it from the answer: \"${{ response.… }}\"")
      }
    }
  }
}
