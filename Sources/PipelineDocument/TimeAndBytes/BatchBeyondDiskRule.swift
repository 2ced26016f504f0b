import PipelineCore

/// Items that wait for a batch hold their files until its response arrives.
enum BatchBeyondDiskRule: Rule {
  static let pages = [
    Check(
      .batchBeyondDisk, .warning, .bytes,
      summary: "the files of a full batch do not fit the disk budget",
      explanation: """
        An item that waits for a batch keeps its files until the response to the batch arrives. If the budget has \
        space for fewer items than the batch takes, a full batch can never form: a smaller one is sent once all other \
        items wait for space. Lower `items`, or raise the budget. Only constant sizes are counted.
        """,
      example: """
         pipeline: example
         inputs: { film: { type: file } }
         budgets: { disk: 512 MiB }
         steps:
           - for_each: part
             in: ${{ [0, 1, 2, 3, 4, 5, 6, 7] }}
             concurrency: 2
             steps:
               - id: slice
                 materialize:
                   file: ${{ inputs.film }}
                   range: { offset: "${{ part * 104857600 }}", length: "${{ 104857600 }}" }
               - id: send
                 upload: { url: "https://example.com/film/${{ part }}", file: "${{ steps.slice.file }}" }
               - id: finish
                 depends_on: [send]
        -        batch: { items: 8, within: 30s, entry: "${{ part }}" }
        +        batch: { items: 4, within: 30s, entry: "${{ part }}" }
                 request: { method: POST, url: "https://example.com/finish", json: "${{ batch.entries }}" }
                 results:
                   each: ${{ response.json[batch.index] }}
                   on: [{ then: success }]
        """)
  ]

  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    guard let budget = document.pipeline.budgets.diskBytes,
      let budgetRange = document.range(of: "budgets", "disk", in: document.root)
    else { return }
    for loop in document.pipeline.loops {
      var held = BodySizes.Bound(bytes: 0)
      for index in loop.steps {
        let step = document.pipeline.steps[index]
        if step.condition == nil, let bound = document.sizes.bound(ofStep: index) {
          held.add(bound)
        }
        guard let batch = step.batch, held.bytes > 0, held.bytes <= budget,
          held.bytes.times(Int64(batch.items)) > budget,
          let range = document.steps[index].batch?.range
        else { continue }
        let fitting = budget / held.bytes
        collector.report(
          .batchBeyondDisk,
          """
          the files of a full batch do not fit the disk budget: \(batch.items) × \
          \(Quantity.text(bytes: held.bytes))\(Constants.proviso(held.inputs)) > \
          \(Quantity.text(bytes: budget))
          """, at: range,
          note: ("the budget is set here", budgetRange),
          help: "\(fitting) fit: set 'items: \(max(fitting, 2))' or less, or raise the budget")
      }
    }
  }
}
