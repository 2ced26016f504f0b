/// A batch is one request for items of a loop, whose answer tells of each.
enum BatchPlaceRule: Rule {
  static let pages = [
    Check(
      .misplacedBatch, .error, .shape,
      summary:
        "a batch is not one request for the items of a loop, or does not say what its answer means for each",
      explanation: """
        `batch` collects items of a `for_each` loop and sends one `request` for all of them; `results` then says what the answer \
        means for each. An upload or a materialize step acts on one file, and a step outside of a loop has nothing to collect. \
        Put `batch` on a request in a loop, and `results` beside it.
        """,
      wrong: """
        pipeline: example
        steps:
          - for_each: name
            in: ${{ ["a", "b"] }}
            steps:
              - id: finish
                batch: { items: 100, within: 30s, entry: "${{ name }}" }
                request: { method: POST, url: "https://example.com/finish", json: "${{ batch.entries }}" }
        """,
      right: """
        pipeline: example
        steps:
          - for_each: name
            in: ${{ ["a", "b"] }}
            steps:
              - id: finish
                batch: { items: 100, within: 30s, entry: "${{ name }}" }
                request: { method: POST, url: "https://example.com/finish", json: "${{ batch.entries }}" }
                results:
                  each: ${{ response.json.results[batch.index] }}
                  on:
                    - if: ${{ batch.result.done }}
                      then: success
                    - then: retry
        """)
  ]

  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for node in pipeline.nodes {
      switch node {
      case .step(let step):
        guard let range = step.batch?.range else {
          checkResults(of: step, collector)
          continue
        }
        collector.error(
          .misplacedBatch, "'batch' collects items, and this step stands outside of 'for_each'",
          at: range)
      case .loop(let loop): for step in loop.steps { check(step, collector) }
      }
    }
  }

  private static func check(_ step: DraftStep, _ collector: DiagnosticCollector) {
    guard let batch = step.batch else {
      checkResults(of: step, collector)
      return
    }
    let kind: String? =
      switch step.action {
      case .upload?: "an upload carries one file"
      case .download?: "a download brings one file"
      case .materialize?: "a materialize step makes one file"
      case .use?: "a used file stands for steps of its own"
      case .request?, nil: nil
      }
    if let kind {
      collector.error(
        .misplacedBatch, "'batch' sends one request for many items, and \(kind)", at: batch.range,
        help: "put 'batch' on a step with 'request'")
    } else if step.results == nil {
      collector.error(
        .misplacedBatch, "'batch' needs 'results': what its answer means for each item",
        at: batch.range,
        help:
          "for example: results: { each: \"${{ response.json.results[batch.index] }}\", on: [{ then: success }] }"
      )
    }
  }

  private static func checkResults(of step: DraftStep, _ collector: DiagnosticCollector) {
    guard let results = step.results else { return }
    collector.error(
      .misplacedBatch, "'results' speaks of the items of a batch, and the step has no 'batch'",
      at: results.range)
  }
}
