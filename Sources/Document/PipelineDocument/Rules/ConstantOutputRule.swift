/// A constant cannot expire.
enum ConstantOutputRule: Rule {
  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    // The start values of a `repeat` may well be constant.
    for step in pipeline.steps where !step.isRepeat {
      for output in step.outputs {
        guard let value = output.value, value.constant != nil, step.hasResponse else { continue }
        collector.report(
          .constantOutput,
          output.lifetime == nil
            ? "the output '\(output.name.value)' is constant: it does not read the response"
            : "the output '\(output.name.value)' has a lifetime, but its value is constant",
          at: value.range, help: "read it from the response: \"${{ response.… }}\"")
      }
    }
  }
}
