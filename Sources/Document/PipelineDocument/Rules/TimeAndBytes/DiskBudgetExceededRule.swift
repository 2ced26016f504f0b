/// Files are held until their item is done, so all files of an item must fit the disk budget together.
enum DiskBudgetExceededRule: Rule {
  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    guard let budget = document.pipeline.budgets.diskBytes,
      let budgetRange = document.range(of: "budgets", "disk", in: document.root)
    else { return }
    let note = Diagnostic.Note(message: "the budget is set here", range: budgetRange)
    var held: [Held] = []
    for node in document.pipeline.nodes {
      switch node {
      case .step(let step): check(step, &held, budget, note, document, collector)
      case .loop(let loop):
        // An item's space is free again when the next node starts.
        var item = held
        for step in document.pipeline.loops[loop].steps {
          check(step, &item, budget, note, document, collector)
          // So is a part's, when it is done.
          var part = item
          for inner in document.pipeline.partSteps(of: step) {
            check(inner, &part, budget, note, document, collector)
          }
        }
      }
    }
  }

  private typealias Held = BodySizes.Bound

  private static func check(
    _ index: Int, _ held: inout [Held], _ budget: Int64, _ note: Diagnostic.Note,
    _ document: CheckedDocument, _ collector: DiagnosticCollector
  ) {
    guard let own = document.sizes.bound(ofStep: index) else { return }
    let step = document.pipeline.steps[index]
    let range = document.steps[index].range
    if own.bytes > budget {
      collector.report(
        .diskBudgetExceeded,
        severity: own.inputs.isEmpty && step.condition == nil ? .error : .warning,
        """
        the file of '\(step.id)' never fits the disk budget: \(Quantity.text(bytes: own.bytes))\
        \(Constants.proviso(own.inputs)) > \(Quantity.text(bytes: budget))
        """, at: range, notes: [note])
      return
    }
    // It is unknown which branch applies, so only files that are always written are added up.
    guard step.condition == nil else { return }
    held.append(own)
    var sum = Held(bytes: 0)
    for one in held { sum.add(one) }
    guard sum.bytes > budget else { return }
    let terms = held.map { Quantity.text(bytes: $0.bytes) }.joined(separator: " + ")
    collector.report(
      .diskBudgetExceeded, severity: sum.inputs.isEmpty ? .error : .warning,
      """
      the file of '\(step.id)' never fits together with the others held until the item is done: \
      \(terms) = \(Quantity.text(bytes: sum.bytes))\(Constants.proviso(sum.inputs)) > \
      \(Quantity.text(bytes: budget))
      """, at: range, notes: [note])
    held.removeLast()
  }
}
