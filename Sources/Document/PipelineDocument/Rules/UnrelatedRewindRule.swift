/// Reissuing a step helps only the steps that depend on it.
enum UnrelatedRewindRule: Rule {
  package static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector) {
    let steps = analysis.draft.steps
    guard
      steps.contains(where: { $0.matchers.contains { $0.outcome?.expiredStep != nil } })
    else { return }
    // Each step reads only those before it, so one pass in file order is enough.
    var identities: [Int: Set<Int>] = [:]
    for step in steps {
      let (used, identifying, isKnown) = dependencies(of: step, analysis)
      var inherited: Set<Int> = []
      for maker in identifying { if let behind = identities[maker] { inherited.formUnion(behind) } }
      if !identifying.isEmpty { identities[step.index] = inherited.union(identifying) }
      let targets = step.matchers.compactMap { $0.outcome?.expiredStep }
      guard isKnown, !targets.isEmpty else { continue }
      let all = inherited.union(used)
      for target in targets {
        guard let entry = analysis.directory.byID[target.value], entry.index < step.index,
          !all.contains(entry.index)
        else { continue }
        collector.report(
          .unrelatedRewind,
          "this step does not depend on '\(target.value)', so reissuing that step does not change the request",
          at: target.range, note: ("'\(target.value)' is defined here", entry.draft.id?.range),
          help: "name the step whose result has expired, or add '\(target.value)' to 'depends_on'")
      }
    }
  }

  /// The steps whose results a step uses, those that identify its own result, and whether the list is complete.
  ///
  /// A credential does not identify: a new token leaves results made with the old one valid.
  private static func dependencies(
    of step: DraftStep, _ analysis: ExpressionAnalysis
  ) -> (used: [Int], identifying: [Int], isKnown: Bool) {
    // A part is an element of the list that its inner loop was created from.
    var used =
      step.dependsOn.compactMap { analysis.directory.byID[$0.value]?.index }
      + [step.partOf].compactMap { $0 }
    var identifying = used
    var isKnown = true
    for entry in analysis.entries(of: step) {
      if entry.compiled == nil { isKnown = false }
      used += entry.makers
      if !entry.isCredential { identifying += entry.makers }
    }
    return (used, identifying, isKnown)
  }
}

extension DraftMatcher.Outcome {
  var expiredStep: Located<String>? { if case .expired(let id) = self { id } else { nil } }
}
