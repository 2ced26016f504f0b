/// Items without disk space occupy slots while they wait.
enum ConcurrencyBeyondDiskRule: Rule {
  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    guard let budget = document.pipeline.budgets.diskBytes,
      let budgetRange = document.range(of: "budgets", "disk", in: document.root)
    else { return }
    let shared = sum(of: document.pipeline.runSteps, document)
    for (loop, draft) in zip(document.pipeline.loops, document.loops) {
      let item = sum(of: loop.steps, document)
      let count = Int64(loop.concurrency)
      guard let draft, let range = document.range(of: "concurrency", in: draft.node),
        item.bytes > 0, shared.bytes.adding(item.bytes) <= budget,
        shared.bytes.adding(item.bytes.times(count)) > budget
      else { continue }
      let fitting = (budget - shared.bytes) / item.bytes
      let all = Quantity.text(bytes: item.bytes.times(count))
      var inputs = item
      inputs.add(shared)
      let held = shared.bytes > 0 ? " plus \(Quantity.text(bytes: shared.bytes)) of the run" : ""
      collector.report(
        .concurrencyBeyondDisk,
        """
        not all items fit the disk budget at once: \(count) × \(Quantity.text(bytes: item.bytes)) \
        = \(all)\(held)\(Constants.proviso(inputs.inputs)) > \(Quantity.text(bytes: budget))
        """, at: range,
        note: ("the budget is set here", budgetRange),
        help: "\(fitting) fit: set 'concurrency: \(fitting)' or less, or raise the budget")
    }
  }

  private static func sum(of steps: [Int], _ document: CheckedDocument) -> BodySizes.Bound {
    var sum = BodySizes.Bound(bytes: 0)
    for step in steps where document.pipeline.steps[step].condition == nil {
      if let bound = document.sizes.bound(ofStep: step) { sum.add(bound) }
      // As many parts as are worked on at once hold their files together.
      if case .forEach(let template) = document.pipeline.steps[step].action {
        var part = Self.sum(of: Array(document.pipeline.partSteps(of: step)), document)
        part.bytes = part.bytes.times(Int64(template.concurrency))
        sum.add(part)
      }
    }
    return sum
  }
}
