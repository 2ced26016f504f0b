/// A result selected by neither position nor entry is the same for each item of a batch.
enum SharedResultRule: Rule {
  package static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector) {
    for step in analysis.draft.steps {
      guard let each = step.results?.each, step.batch != nil,
        let entry = analysis.entry(each, in: step.index), let compiled = entry.compiled
      else { continue }
      let variable = entry.place.loop.flatMap { analysis.loops[$0]?.variable?.value }
      let isOfItem = compiled.references.contains { reference in
        let names = reference.variable.split(separator: ".").map(String.init)
        guard let root = names.first else { return false }
        if root == "batch" { return reference.variable != Variables.batchEntries }
        if root == "steps", names.count > 1 {
          return analysis.directory.byID[names[1]]?.loop != nil
        }
        return root == "item" || root == variable
      }
      guard !isOfItem else { continue }
      collector.report(
        .sharedResult, "every item of the batch gets the same result", at: each.range,
        help: "select the item's own result with 'batch.index' or 'batch.entry'")
    }
  }
}
