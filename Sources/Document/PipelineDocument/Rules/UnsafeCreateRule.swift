/// If the response of a creating step is lost, a repeat creates a duplicate unless the server recognizes it or can be probed.
enum UnsafeCreateRule: Rule {
  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for step in pipeline.steps where step.effect == .create && !step.isRepeatSafe {
      if step.makesFile || step.isRepeat { continue }
      let name = step.id.map { "'\($0.value)' " } ?? ""
      collector.report(
        .unsafeCreate,
        "the step \(name)creates something, and a repeat after a lost response could create a duplicate",
        at: step.effectRange ?? step.range,
        help: "add 'idempotency' if the server supports a key, or 'probe' to check before repeating"
      )
    }
  }
}
