/// Ids are unique in the whole file, because expressions name steps of all frames alike.
enum DuplicateIDRule: Rule {
  static let pages = [
    Check(
      .duplicateID, .error, .names, summary: "two steps have one id",
      explanation: """
        Expressions, checkpoints and reports name a step by its id, in the whole file and in all loops. Give one of them another id.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/a" }
          - id: ping
            request: { url: "https://example.com/b" }
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/a" }
          - id: ping_again
            request: { url: "https://example.com/b" }
        """)
  ]

  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    var first: [String: TextRange] = [:]
    for id in pipeline.steps.compactMap(\.id) {
      if let earlier = first[id.value] {
        collector.error(
          .duplicateID, "a second step has the id '\(id.value)'", at: id.range,
          notes: [Diagnostic.Note(message: "the first stands here", range: earlier)])
      } else {
        first[id.value] = id.range
      }
    }
  }
}
