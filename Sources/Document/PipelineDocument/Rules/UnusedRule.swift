/// An unused name is probably misspelled somewhere, or left over.
struct UnusedRule {
  let usedInputs, usedOutputs: Set<String>

  /// Reports unused declarations; only for a draft whose expressions were all compiled.
  package func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for input in pipeline.inputs where !usedInputs.contains(input.name.value) {
      collector.report(
        .unusedInput, "the input '\(input.name.value)' is never used", at: input.name.range)
    }
    for step in pipeline.steps {
      // The outputs of a used file are not the responsibility of the file that uses it.
      guard let id = step.id, step.use == nil, step.signIn == nil else { continue }
      for output in step.outputs {
        guard !usedOutputs.contains("steps.\(id.value).\(output.name.value)"),
          !output.isSealed || !usedOutputs.contains("previous.\(output.name.value)")
        else { continue }
        collector.report(
          .unusedOutput,
          "the output '\(output.name.value)' of the step '\(id.value)' is never used",
          at: output.name.range)
      }
    }
  }
}
