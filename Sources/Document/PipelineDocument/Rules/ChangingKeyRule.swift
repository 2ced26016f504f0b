/// A key set by the author must outlive the results that its step uses, and belong to one item.
enum ChangingKeyRule {
  private static let help = "read the item, as in 'publish-${{ item.key }}'"

  package static func check(
    _ draft: DraftTemplate, _ key: Template, _ context: ExpressionChecker.Context,
    _ expressions: ExpressionChecker
  ) {
    let collector = expressions.collector
    let names = key.expressions.flatMap { $0.compiled.references.map(\.variable) }
    if !context.uses.uses.isEmpty {
      let name = names.first { $0.hasPrefix("steps.") }.map { "'\($0)'" } ?? "a step's result"
      collector.report(
        .changingKey, "the key reads \(name), so it changes when that step is reissued",
        at: draft.range, help: help)
    } else if names.contains("now") {
      collector.report(
        .changingKey, "the key reads 'now', so it changes with each attempt", at: draft.range,
        help: help)
    } else if context.place.loop != nil, expressions.numbering == nil,
      names.allSatisfy({ $0.hasPrefix("inputs.") || $0.hasPrefix("run.") })
    {
      collector.report(
        .changingKey,
        "all items send the same key, so the server treats every item after the first as a repeat",
        at: draft.range, help: help)
    }
  }

  package static func report(batch draft: DraftTemplate, _ collector: DiagnosticCollector) {
    collector.report(
      .changingKey, "a batch cannot have its own key, because its items change when it is reissued",
      at: draft.range, help: "remove 'key'; each batch then gets a generated key")
  }
}
