/// A long queue stalls the transfer service (TX21), and creating its tasks needs more time than an app has (TX20).
enum TooManyTransfersRule: Rule {
  /// The number of queued transfers that a service handles well (TX21).
  private static let most = 100
  /// The number of tasks that an app can create in the time it has when it leaves the foreground (TX20, BT8).
  private static let tooManyToCreate = 500

  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    let pipeline = document.pipeline
    let counts = pipeline.loops.indices.map { loop in
      pipeline.loops[loop].steps.map { transfers(of: $0, pipeline) }.max() ?? 0
    }
    let busiest = counts.indices.max { left, right in
      pipeline.loops[left].concurrency * counts[left]
        < pipeline.loops[right].concurrency * counts[right]
    }
    guard let busiest, counts[busiest] > 0 else { return }
    let concurrency = pipeline.loops[busiest].concurrency * counts[busiest]
    let count = min(concurrency, pipeline.budgets.transfers ?? concurrency)
    guard count > most,
      let range = document.range(of: "budgets", "transfers", in: document.root)
        ?? document.loops[busiest].flatMap({ document.range(of: "concurrency", in: $0.node) })
    else { return }
    var message =
      "up to \(count) uploads are queued at once, but a transfer service handles about \(most)"
    if count >= tooManyToCreate {
      let time = Quantity.text(.milliseconds(Int64(count) * 9))
      message += "; creating them needs \(count) × 9 ms = \(time) of the 5 s that an app has when "
      message += "it leaves the foreground"
    }
    collector.report(
      .tooManyTransfers, message, at: range, help: "set 'transfers: 100' under 'budgets'")
  }

  /// How many transfers of one item the step may have at once: those of its parts, for a `for_each` step.
  private static func transfers(of step: Int, _ pipeline: Pipeline) -> Int {
    guard case .forEach(let template) = pipeline.steps[step].action
    else { return pipeline.steps[step].transfer == nil ? 0 : 1 }
    let sends = pipeline.partSteps(of: step).contains { pipeline.steps[$0].transfer != nil }
    return sends ? template.concurrency : 0
  }
}
