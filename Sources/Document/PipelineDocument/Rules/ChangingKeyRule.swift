/// A key set by the author must outlive the results that its step uses, and belong to one item.
enum ChangingKeyRule: Rule {
  private static let help = "read the item, as in 'publish-${{ item.key }}'"

  package static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector) {
    for step in analysis.directory.entries {
      guard let key = step.draft.idempotencyKey, step.draft.action?.request != nil
      else { continue }
      if step.draft.batch != nil, step.loop != nil {
        collector.report(
          .changingKey,
          "a batch cannot have its own key, because its items change when it is reissued",
          at: key.range, help: "remove 'key'; each batch then gets a generated key")
      } else if analysis.isCompiled([key], in: step.index) {
        check(key, of: step, analysis, collector)
      }
    }
  }

  private static func check(
    _ key: DraftTemplate, of step: StepDirectory.Entry, _ analysis: ExpressionAnalysis,
    _ collector: DiagnosticCollector
  ) {
    let entries = key.expressions.compactMap { analysis.entry($0, in: step.index) }
    let names = entries.flatMap { $0.compiled?.references.map(\.variable) ?? [] }
    if entries.contains(where: { !$0.makers.isEmpty }) {
      let name = names.first { $0.hasPrefix("steps.") }.map { "'\($0)'" } ?? "a step's result"
      collector.report(
        .changingKey, "the key reads \(name), so it changes when that step is reissued",
        at: key.range, help: help)
    } else if names.contains("now") {
      collector.report(
        .changingKey, "the key reads 'now', so it changes with each attempt", at: key.range,
        help: help)
    } else if step.loop != nil,
      names.allSatisfy({ $0.hasPrefix("inputs.") || $0.hasPrefix("run.") })
    {
      collector.report(
        .changingKey,
        "all items send the same key, so the server treats every item after the first as a repeat",
        at: key.range, help: help)
    }
  }
}
