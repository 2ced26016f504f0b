/// A batch is one request for several items of a loop, with a result for each in the response.
enum BatchPlaceRule: Rule {
  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for node in pipeline.nodes {
      switch node {
      case .step(let step):
        guard let range = step.batch?.range else {
          checkResults(of: step, collector)
          continue
        }
        collector.report(.misplacedBatch, "'batch' is only valid inside 'for_each'", at: range)
      case .loop(let loop): for step in loop.steps { check(step, collector) }
      }
    }
  }

  private static func check(_ step: DraftStep, _ collector: DiagnosticCollector) {
    guard let batch = step.batch else {
      checkResults(of: step, collector)
      return
    }
    let reason: String? =
      if step.use != nil {
        "a used file has its own steps"
      } else if let kind = step.action?.kind, kind != .request {
        "'\(kind.rawValue)' handles one file"
      } else { nil }
    if let reason {
      collector.report(
        .misplacedBatch, "'batch' sends one request for many items, but \(reason)", at: batch.range,
        help: "put 'batch' on a step with 'request'")
    } else if step.results == nil {
      collector.report(
        .misplacedBatch,
        "'batch' requires 'results', which defines the outcome of each item",
        at: batch.range,
        help:
          "for example: results: { each: \"${{ response.json.results[batch.index] }}\", on: [{ then: success }] }"
      )
    }
  }

  private static func checkResults(of step: DraftStep, _ collector: DiagnosticCollector) {
    guard let results = step.results else { return }
    collector.report(.misplacedBatch, "'results' requires 'batch'", at: results.range)
  }
}
