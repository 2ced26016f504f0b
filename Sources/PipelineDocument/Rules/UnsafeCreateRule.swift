import PipelineCore

/// When the answer of a creating step is lost, a repeat creates twice unless the server knows the repeat, or can be asked.
enum UnsafeCreateRule: Rule {
  static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for step in pipeline.steps where step.effect == .create && !step.isRepeatSafe {
      if case .materialize? = step.action { continue }
      let name = step.id.map { "'\($0.value)' " } ?? ""
      collector.error(
        .unsafeCreate,
        "the step \(name)creates something, and a repeat after a lost answer could create it twice",
        at: step.effectRange ?? step.range,
        help: "add 'idempotency' if the server knows a key, or 'probe' if it can be asked")
    }
  }
}
