import CEL

/// A result selected by neither position nor entry is the same for each item of a batch.
enum SharedResultRule: Rule {
  static let pages = [
    Check(
      .sharedResult, .warning, .flow,
      summary: "every item of a batch gets the same result",
      explanation: """
        `results.each` selects one item's result from the response: by its position, `batch.index`, or by something in \
        its entry, `batch.entry`. An expression that reads neither, and nothing else of the item, gives one item's \
        result to all of them. If the server accepts or refuses a batch as a whole, ignore the check with `# pipeline: \
        ignore[shared-result]` and a reason.
        """,
      example: """
         pipeline: example
         steps:
           - for_each: name
             in: ${{ ["a", "b"] }}
             steps:
               - id: finish
                 batch: { items: 100, within: 30s, entry: "${{ name }}" }
                 request: { method: POST, url: "https://example.com/finish", json: "${{ batch.entries }}" }
                 results:
        -          each: ${{ response.json.results[0] }}
        +          each: ${{ response.json.results.filter(one, one.name == batch.entry)[0] }}
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
      collector.report(
        .sharedResult, "every item of the batch gets the same result", at: each.range,
        help: "select the item's own result with 'batch.index' or 'batch.entry'")
    }
  }
}
