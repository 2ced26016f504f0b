/// A gateway, a portal, or a server that reports errors in the body can return 200 for a request that was not carried out,
/// and nothing after the last step would notice.
enum UnprovenEffectRule: Rule {
  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    var last = pipeline.loops.map(\.steps.last)
    if case .step(let step)? = pipeline.nodes.last { last.append(step) }
    // A step whose repeat is not safe either is reported for that.
    for case let step? in last where step.effect == .create && step.isRepeatSafe {
      let hasEvidence = step.responseKeys.contains { ["success_if", "probe"].contains($0.key) }
      guard step.hasResponse, step.outputs.isEmpty, step.results == nil, !hasEvidence else {
        continue
      }
      collector.report(
        .unprovenEffect,
        "only a 2xx status shows that '\(step.id?.value ?? "the step")' was carried out",
        at: step.effectRange ?? step.range,
        help: "add 'success_if' with a condition that proves the effect, or a 'probe'")
    }
  }
}
