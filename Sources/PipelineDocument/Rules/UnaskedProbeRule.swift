/// Only of a step that creates something does it matter whether it took effect.
enum UnaskedProbeRule: Rule {
  static let pages = [
    Check(
      .unaskedProbe, .warning, .safety,
      summary: "a probe is never asked, because the step does not say that it creates something",
      explanation: """
        A step is `repeatable` unless it says otherwise: when its answer is lost, it is done again without asking. With a probe, \
        it most likely makes something new: write `effect: create`. Otherwise remove the probe.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: finalize
            request: { method: POST, url: "https://example.com/finalize" }
            probe:
              request: { url: "https://example.com/state" }
              done: ${{ response.json.state == "complete" }}
        """,
      right: """
        pipeline: example
        steps:
          - id: finalize
            request: { method: POST, url: "https://example.com/finalize" }
            effect: create
            probe:
              request: { url: "https://example.com/state" }
              done: ${{ response.json.state == "complete" }}
        """)
  ]

  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    // An effect that is written down is either meant, or reported because it cannot be read.
    for step in pipeline.steps where step.effectRange == nil && step.hasResponse {
      guard let probe = step.responseKeys.first(where: { $0.key == "probe" }) else { continue }
      collector.warning(
        .unaskedProbe,
        "the probe is never asked: the step is repeatable, and is done again instead",
        at: probe.range, help: "write 'effect: create'")
    }
  }
}
