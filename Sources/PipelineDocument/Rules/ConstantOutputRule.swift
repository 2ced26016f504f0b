/// A constant cannot expire.
enum ConstantOutputRule: Rule {
  static let pages = [
    Check(
      .constantOutput, .warning, .flow, summary: "an output is always the same",
      explanation: """
        An output is a value that a step takes from a response. Text without an expression comes from the file \
        instead: most likely the `${{` and `}}` around it are missing. A constant with a lifetime is always a mistake, \
        because reissuing the step returns the same value.
        """,
      example: """
         pipeline: example
         steps:
           - id: allocate
             request: { url: "https://example.com/new" }
             outputs:
        -      id: { value: response.json.upload-id, expires: { in: 1h } }
        +      id: { value: "${{ response.json['upload-id'] }}", expires: { in: 1h } }
           - id: ping
             request: { url: "https://example.com/${{ steps.allocate.id }}" }
        """)
  ]

  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    // The values that a `repeat` begins with may well be constant.
    for step in pipeline.steps where !step.isRepeat {
      for output in step.outputs {
        guard let value = output.value, value.constant != nil, step.hasResponse else { continue }
        collector.report(
          .constantOutput,
          output.lifetime == nil
            ? "the output '\(output.name.value)' is constant: it takes nothing from the response"
            : "the output '\(output.name.value)' has a lifetime, but its value is constant",
          at: value.range, help: "take it from the response: \"${{ response.… }}\"")
      }
    }
  }
}
