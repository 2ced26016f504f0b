/// What is the same in every run cannot die.
enum ConstantOutputRule: Rule {
  static let pages = [
    Check(
      .constantOutput, .warning, .flow, summary: "an output with a lifetime is always the same",
      explanation: """
        A lifetime says that the server will not know the value for ever. A text without any expression comes from the file and \
        not from the answer: doing the step anew gives the same. Take the value from `response`, or leave `expires` out.
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

  static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for step in pipeline.steps {
      for output in step.outputs where output.lifetime != nil {
        guard let value = output.value, value.constant != nil else { continue }
        collector.warning(
          .constantOutput,
          "the output '\(output.name.value)' has a lifetime, and its value is always the same",
          at: value.range, help: "take it from the answer: \"${{ response.… }}\"")
      }
    }
  }
}
