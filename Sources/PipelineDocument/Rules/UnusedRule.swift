/// What nothing reads is probably misspelt somewhere, or left over.
struct UnusedRule {
  let usedInputs: Set<String>
  /// As `steps.ID.NAME`.
  let usedOutputs: Set<String>

  /// Reports what is unused; only for a draft whose expressions were all compiled.
  func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for input in pipeline.inputs where !usedInputs.contains(input.name.value) {
      collector.warning(
        .unusedInput, "nothing reads the input '\(input.name.value)'", at: input.name.range)
    }
    for step in pipeline.steps {
      guard let id = step.id else { continue }
      for output in step.outputs {
        guard !usedOutputs.contains("steps.\(id.value).\(output.name.value)") else { continue }
        collector.warning(
          .unusedOutput,
          "nothing reads the output '\(output.name.value)' of the step '\(id.value)'",
          at: output.name.range)
      }
    }
  }
}
