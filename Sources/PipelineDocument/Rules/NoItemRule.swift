/// `done` and `skip` speak of an item, which a step of run scope does not have.
enum NoItemRule: Rule {
  static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for case .step(let step) in pipeline.nodes {
      for case .word(let word, let range)? in step.matchers.map(\.outcome) {
        guard word == .done || word == .skip else { continue }
        collector.error(
          .noItem,
          "'\(word.rawValue)' is about an item, and this step stands outside of 'for_each'",
          at: range, help: "use 'success', 'fail' or 'pause'")
      }
    }
  }
}
