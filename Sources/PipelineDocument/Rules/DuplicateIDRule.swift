/// Ids are unique in the whole file, because expressions name steps of all frames alike.
enum DuplicateIDRule: Rule {
  static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
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
