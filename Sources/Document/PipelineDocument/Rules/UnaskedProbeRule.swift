/// A probe only matters for a step that creates something.
enum UnaskedProbeRule: Rule {
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
