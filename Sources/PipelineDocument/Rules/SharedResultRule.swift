import CEL

/// A result that is found by neither place nor entry is the same for each item of a batch.
enum SharedResultRule: ExpressionRule {
  static let pages = [
    Check(
      .sharedResult, .warning, .flow,
      summary: "each item of a batch is given the same result",
      explanation: """
        `results.each` picks what the answer tells of one item: by its place, `batch.index`, or by something that the item put in, \
        `batch.entry`. An expression that reads neither, and nothing else of the item, gives one item's result to all of them. \
        Where the server takes or refuses a batch as a whole, say so with `# pipeline: ignore[shared-result]` and a reason.
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
                results:
                  each: ${{ response.json.results[0] }}
                  on:
                    - if: ${{ batch.result.done }}
                      then: success
                    - then: retry
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
                  each: ${{ response.json.results.filter(one, one.name == batch.entry)[0] }}
                  on:
                    - if: ${{ batch.result.done }}
                      then: success
                    - then: retry
        """)
  ]

  package static func check(_ analysis: Analysis, _ collector: DiagnosticCollector) {
    for step in analysis.draft.steps {
      guard let each = step.results?.each, step.batch != nil,
        let entry = analysis.entry(each, in: step.index), let compiled = entry.compiled
      else { continue }
      let variable = entry.place.loop.flatMap { analysis.loops[$0]?.variable?.value }
      let isOfItem = compiled.references.contains { reference in
        let names = reference.variable.split(separator: ".").map(String.init)
        guard let root = names.first else { return false }
        if root == "batch" { return reference.variable != Variables.batchEntries }
        if root == "steps", names.count > 1 {
          return analysis.directory.byID[names[1]]?.loop != nil
        }
        return root == "item" || root == variable
      }
      guard !isOfItem else { continue }
      collector.warning(
        .sharedResult, "this gives each item of the batch the same result", at: each.range,
        help: "find the item's own with 'batch.index' or 'batch.entry'")
    }
  }
}
