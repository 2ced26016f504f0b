/// A condition with a constant value decides nothing.
enum ConstantConditionRule: Rule {
  package static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector) {
    for step in analysis.draft.steps {
      typealias Advice = (effect: String, help: String?)
      func check(_ condition: DraftExpression?, isTrue: Advice, isFalse: Advice) {
        guard let (truth, entry) = truth(of: condition, step, analysis) else { return }
        let advice = truth ? isTrue : isFalse
        collector.report(
          .constantCondition, "the condition is always \(truth)\(advice.effect)",
          at: analysis.range(entry.syntax, in: entry), help: advice.help)
      }
      check(
        step.condition, isTrue: ("", "remove the 'if'"),
        isFalse: (": the step is always skipped", "correct the condition, or remove the step"))
      for matcher in step.matchers {
        check(
          matcher.condition,
          isTrue: (": the entry matches every response", "remove the 'if' from the last entry"),
          isFalse: (": the entry matches no response", nil))
      }
      check(
        step.successIf, isTrue: (": every 2xx response satisfies it", "remove 'success_if'"),
        isFalse: (": no response would be a success", nil))
      check(
        step.probe?.tookEffect, isTrue: (": the probe's response has no effect", nil),
        isFalse: (": the probe would never find the step done", nil))
    }
  }

  /// The constant value of a condition; `nil` if it varies, or if another rule reports a part of it.
  package static func truth(
    of condition: DraftExpression?, _ step: DraftStep, _ analysis: ExpressionAnalysis
  ) -> (truth: Bool, entry: ExpressionAnalysis.Entry)? {
    guard let entry = analysis.entry(condition, in: step.index), entry.compiled != nil
    else { return nil }
    if let truth = ConstantFolding.truth(of: entry, analysis.reader.collector) {
      return (truth, entry)
    }
    let bounds = StatusBounds(entry.syntax)
    guard bounds.certain == .all || bounds.possible.isEmpty,
      ImpossibleComparisonRule.findings(in: entry, analysis).isEmpty
    else { return nil }
    return (bounds.certain == .all, entry)
  }
}
