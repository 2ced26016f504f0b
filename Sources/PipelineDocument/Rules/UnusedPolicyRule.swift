/// A retry policy that no step names is left over; `standard` is used by default.
enum UnusedPolicyRule: Rule {
  static let pages = [
    Check(
      .unusedPolicy, .warning, .names, summary: "no step uses a retry policy",
      explanation: """
        A step names its policy with `retry: NAME`, and uses `standard` by default. A policy that is never named has \
        no effect: use it, or remove it.
        """,
      example: """
         pipeline: example
        -retry: { patient: { attempts: 20 } }
        +retry: { standard: { attempts: 20 } }
         steps:
           - id: ping
             request: { url: "https://example.com/ping" }
        """)
  ]

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
