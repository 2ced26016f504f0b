import PipelineCore

/// When the answer of a creating step is lost, a repeat creates twice unless the server knows the repeat, or can be asked.
enum UnsafeCreateRule: Rule {
  static let pages = [
    Check(
      .unsafeCreate, .error, .safety,
      summary: "a creating step does not say how a repeat is made safe",
      explanation: """
        When the answer to a request is lost, nobody knows whether the server carried it out. Doing a step with `effect: create` \
        again could then create a second thing. With `idempotency` the server recognises the repeat by its key; with `probe` it is \
        asked first.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: allocate
            request: { method: POST, url: "https://example.com/uploads" }
            effect: create
        """,
      right: """
        pipeline: example
        steps:
          - id: allocate
            request: { method: POST, url: "https://example.com/uploads" }
            effect: create
            idempotency: { header: Idempotency-Key }
        """)
  ]

  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for step in pipeline.steps where step.effect == .create && !step.isRepeatSafe {
      if step.makesFile { continue }
      let name = step.id.map { "'\($0.value)' " } ?? ""
      collector.error(
        .unsafeCreate,
        "the step \(name)creates something, and a repeat after a lost answer could create it twice",
        at: step.effectRange ?? step.range,
        help: "add 'idempotency' if the server knows a key, or 'probe' if it can be asked")
    }
  }
}
