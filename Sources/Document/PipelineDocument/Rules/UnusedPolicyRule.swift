/// A retry policy that no step names is left over; `standard` is used by default.
enum UnusedPolicyRule: Rule {
  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    var used: Set<String> = ["standard"]
    for step in pipeline.steps {
      if case .named(let name)? = step.retry { used.insert(name.value) }
    }
    for name in pipeline.policyNames where !used.contains(name.value) {
      collector.report(
        .unusedPolicy, "no step uses the retry policy '\(name.value)'", at: name.range)
    }
  }
}
