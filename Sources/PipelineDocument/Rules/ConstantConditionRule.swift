import CEL

/// A condition with a constant value decides nothing.
enum ConstantConditionRule: Rule {
  static let pages = [
    Check(
      .constantCondition, .warning, .expressions,
      summary: "a condition is always true or always false",
      explanation: """
        What depends on such a condition always happens, or never does. The check evaluates constants, and what is \
        known of `response.status`: it is 100 to 599, or 0 if there was no response. Correct the condition, or remove \
        it together with what depends on it.
        """,
      example: """
         pipeline: example
        +inputs: { verbose: { type: bool, default: false } }
         steps:
           - id: ping
        -    if: ${{ 1 == 2 || false }}
        +    if: ${{ inputs.verbose || false }}
             request: { url: "https://example.com/ping" }
             on:
        -      - if: ${{ response.status == 404 && response.status == 410 }}
        +      - if: ${{ response.status == 404 || response.status == 410 }}
                 then: fail
        """)
  ]

  package static func check(_ analysis: Analysis, _ collector: DiagnosticCollector) {
    for step in analysis.draft.steps {
      if let (truth, entry) = truth(of: step.condition, step, analysis) {
        collector.report(
          .constantCondition,
          truth
            ? "the condition is always true"
            : "the condition is always false: the step is always skipped",
          at: analysis.range(entry.syntax, in: entry),
          help: truth ? "remove the 'if'" : "correct the condition, or remove the step")
      }
      for matcher in step.matchers {
        guard let (truth, entry) = truth(of: matcher.condition, step, analysis) else { continue }
        collector.report(
          .constantCondition,
          truth
            ? "the condition is always true: the entry matches every response"
            : "the condition is always false: the entry matches no response",
          at: analysis.range(entry.syntax, in: entry),
          help: truth ? "remove the 'if' from the last entry" : nil)
      }
      if let (truth, entry) = truth(of: step.successIf, step, analysis) {
        collector.report(
          .constantCondition,
          truth
            ? "the condition is always true: every 2xx response satisfies it"
            : "the condition is always false: no response would be a success",
          at: analysis.range(entry.syntax, in: entry), help: truth ? "remove 'success_if'" : nil)
      }
      guard let (truth, entry) = truth(of: step.probe?.tookEffect, step, analysis) else { continue }
      collector.report(
        .constantCondition,
        truth
          ? "the condition is always true: the probe's response has no effect"
          : "the condition is always false: the probe would never find the step done",
        at: analysis.range(entry.syntax, in: entry))
    }
  }

  /// The constant value of a condition; `nil` if it varies, or if another rule reports a part of it.
  package static func truth(
    of condition: DraftExpression?, _ step: DraftStep, _ analysis: Analysis
  ) -> (truth: Bool, entry: Analysis.Entry)? {
    guard let entry = analysis.entry(condition, in: step.index), entry.compiled != nil
    else { return nil }
    if let truth = ConstantFolding.truth(of: entry) { return (truth, entry) }
    let bounds = StatusBounds(entry.syntax)
    guard bounds.certain == .all || bounds.possible.isEmpty,
      ImpossibleComparisonRule.findings(in: entry, analysis).isEmpty
    else { return nil }
    return (bounds.certain == .all, entry)
  }
}
