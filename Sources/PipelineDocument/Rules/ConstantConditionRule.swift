import CEL

/// A condition that comes out the same whatever happens decides nothing.
enum ConstantConditionRule: ExpressionRule {
  static let pages = [
    Check(
      .constantCondition, .warning, .expressions, summary: "a condition is always true, or never",
      explanation: """
        What depends on it is always done, or never. Constants are worked out, and so is everything that can be said of \
        `response.status`, which is 100 to 599, or 0 where there is no answer. Correct the condition, or remove it together \
        with what depends on it.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            if: ${{ 1 == 2 || false }}
            request: { url: "https://example.com/ping" }
            on:
              - if: ${{ response.status == 404 && response.status == 410 }}
                then: fail
        """,
      right: """
        pipeline: example
        inputs: { verbose: { type: bool, default: false } }
        steps:
          - id: ping
            if: ${{ inputs.verbose || false }}
            request: { url: "https://example.com/ping" }
            on:
              - if: ${{ response.status == 404 || response.status == 410 }}
                then: fail
        """)
  ]

  package static func check(_ analysis: Analysis, _ collector: DiagnosticCollector) {
    for step in analysis.draft.steps {
      if let (truth, entry) = truth(of: step.condition, step, analysis) {
        collector.warning(
          .constantCondition,
          truth
            ? "the condition is always true"
            : "the condition is never true: the step is always skipped",
          at: analysis.range(entry.syntax, in: entry),
          help: truth ? "remove the 'if'" : "correct the condition, or remove the step")
      }
      for matcher in step.matchers {
        guard let (truth, entry) = truth(of: matcher.condition, step, analysis) else { continue }
        collector.warning(
          .constantCondition,
          truth
            ? "the condition is always true: the entry takes every answer that comes to it"
            : "the condition is never true: the entry takes no answer",
          at: analysis.range(entry.syntax, in: entry),
          help: truth ? "leave the 'if' out of the last entry" : nil)
      }
      guard let (truth, entry) = truth(of: step.probe?.done, step, analysis) else { continue }
      collector.warning(
        .constantCondition,
        truth
          ? "the condition is always true: the probe's answer decides nothing"
          : "the condition is never true: the step would never be found done",
        at: analysis.range(entry.syntax, in: entry))
    }
  }

  /// What a condition always is; `nil` where it depends, or where a part of it is reported by another rule.
  package static func truth(
    of condition: DraftExpression?, _ step: DraftStep, _ analysis: Analysis
  ) -> (truth: Bool, entry: Analysis.Entry)? {
    guard let entry = analysis.entry(condition, in: step.index), entry.compiled != nil else {
      return nil
    }
    if let truth = ConstantFolding.truth(of: entry) { return (truth, entry) }
    let bounds = StatusBounds(entry.syntax)
    guard bounds.certain == .all || bounds.possible.isEmpty,
      ImpossibleComparisonRule.findings(in: entry, analysis).isEmpty
    else { return nil }
    return (bounds.certain == .all, entry)
  }
}
