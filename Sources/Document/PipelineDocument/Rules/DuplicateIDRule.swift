/// IDs are unique in the whole file, because expressions name the steps of all frames in the same way.
enum DuplicateIDRule: Rule {
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
