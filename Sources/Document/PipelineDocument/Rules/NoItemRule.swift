/// `finish_item`, `skip_item` and what skips an item apply to an item, which a run-level step does not have.
enum NoItemRule: Rule {
  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for case .step(let step) in pipeline.nodes {
      for (word, range) in step.itemEnds {
        collector.report(
          .noItem, "'\(word)' is only valid inside 'for_each'", at: range,
          help: "use 'success', 'fail' or 'pause'")
      }
    }
    for step in pipeline.steps where step.partOf != nil {
      for (word, range) in step.itemEnds {
        collector.report(
          .noItem, "'\(word)' ends an item, and this step is about a part of one", at: range,
          help: "use 'success', and add an 'if' to the steps that the part does not need")
      }
    }
  }
}

extension DraftStep {
  /// What ends an item before its last step, as it is written.
  fileprivate var itemEnds: [(word: String, range: TextRange)] {
    var ends: [(word: String, range: TextRange)] = []
    for matcher in matchers {
      guard case .word(let word, let range)? = matcher.outcome,
        word == .finishItem || word == .skipItem
      else { continue }
      ends.append((matcher.compared.isEmpty ? word.rawValue : "same", range))
    }
    if case .download(let download)? = action, let save = download.save,
      save.existing == .skip
    {
      ends.append(("existing: skip", range))
    }
    return ends
  }
}
