/// IDs are unique in the whole file, because expressions name the steps of all frames in the same way.
enum DuplicateIDRule: Rule {
  static let pages = [
    Check(
      .duplicateID, .error, .names, summary: "two steps or loops have the same ID",
      explanation: """
        Expressions, checkpoints and reports identify a step by its ID, in the whole file and in all loops. Give each \
        step its own ID.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
             request: { url: "https://example.com/a" }
        -  - id: ping
        +  - id: ping_again
             request: { url: "https://example.com/b" }
        """)
  ]

  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    var first: [String: TextRange] = [:]
    let loops = pipeline.loops.compactMap(\.id)
    for (id, what) in pipeline.steps.compactMap(\.id).map({ ($0, "step") })
      + loops.map({ ($0, "loop") })
    {
      if let earlier = first[id.value] {
        collector.report(
          .duplicateID, "the \(what) ID '\(id.value)' is already used", at: id.range,
          note: ("first used here", earlier))
      } else {
        first[id.value] = id.range
      }
    }
  }
}
