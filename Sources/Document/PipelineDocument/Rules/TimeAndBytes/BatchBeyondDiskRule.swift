/// Items that wait for a batch hold their files until its response arrives.
enum BatchBeyondDiskRule: Rule {
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
