/// A probe only matters for a step that creates something.
enum UnaskedProbeRule: Rule {
  static let pages = [
    Check(
      .unaskedProbe, .warning, .safety,
      summary: "a probe is never sent, because the step is repeatable",
      explanation: """
        A step is `repeatable` by default: if its response is lost, it is repeated without a probe. A step with a \
        probe most likely creates something: add `effect: create`. Otherwise remove the probe.
        """,
      example: """
         pipeline: example
         steps:
           - id: finalize
             request: { method: POST, url: "https://example.com/finalize" }
        +    effect: create
             probe:
               request: { url: "https://example.com/state" }
               took_effect: ${{ response.json.state == "complete" }}
        """)
  ]

  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    // A written effect is either intended, or reported elsewhere because it is invalid.
    for step in pipeline.steps where step.effectRange == nil && step.hasResponse {
      guard let probe = step.responseKeys.first(where: { $0.key == "probe" }) else { continue }
      collector.report(
        .unaskedProbe, "the probe is never sent: the step is repeatable, so it is repeated instead",
        at: probe.range, help: "add 'effect: create', or remove the probe")
    }
  }
}
