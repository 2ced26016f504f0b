/// `done` and `skip` apply to an item, which a run-level step does not have.
enum NoItemRule: Rule {
  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for case .step(let step) in pipeline.nodes {
      for case .word(let word, let range)? in step.matchers.map(\.outcome) {
        guard word == .finishItem || word == .skipItem else { continue }
        collector.report(
          .noItem, "'\(word.rawValue)' is only valid inside 'for_each'", at: range,
          help: "use 'success', 'fail' or 'pause'")
      }
    }
    for step in pipeline.steps where step.partOf != nil {
      for case .word(let word, let range)? in step.matchers.map(\.outcome) {
        guard word == .finishItem || word == .skipItem else { continue }
        collector.report(
          .noItem, "'\(word.rawValue)' ends an item, and this step is about a part of one",
          at: range, help: "use 'success', and give the steps that the part does not need an 'if'")
      }
    }
  }
}
