import PipelineCore

/// If the response of a creating step is lost, a repeat creates a duplicate unless the server recognises it or can be probed.
enum UnsafeCreateRule: Rule {
  static let pages = [
    Check(
      .unsafeCreate, .error, .safety,
      summary: "a step creates something, but a repeat is not made safe",
      explanation: """
        If the response to a request is lost, there is no way to know whether the server processed it. Repeating a \
        step with `effect: create` could then create a duplicate. With `idempotency`, the server recognises the repeat \
        by its key. With `probe`, the run asks the server first.
        """,
      example: """
         pipeline: example
         steps:
           - id: allocate
             request: { method: POST, url: "https://example.com/uploads" }
             effect: create
        +    idempotency: { header: Idempotency-Key }
        """)
  ]

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
