/// An unused name is probably misspelled somewhere, or left over.
enum UnusedRule: Rule {
  package static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector) {
    guard analysis.isComplete else { return }
    let read = analysis.variables
    for input in analysis.draft.inputs where !read.contains("inputs.\(input.name.value)") {
      collector.report(
        .unusedInput, "the input '\(input.name.value)' is never used", at: input.name.range)
    }
    for step in analysis.draft.steps {
      // The outputs of a used file are not the responsibility of the file that uses it.
      guard let id = step.id, step.use == nil, step.signIn == nil else { continue }
      for output in step.outputs {
        guard !read.contains("steps.\(id.value).\(output.name.value)"),
          !output.isSealed || !read.contains("previous.\(output.name.value)")
        else { continue }
        collector.report(
          .unusedOutput,
          "the output '\(output.name.value)' of the step '\(id.value)' is never used",
          at: output.name.range)
      }
    }
  }
}
