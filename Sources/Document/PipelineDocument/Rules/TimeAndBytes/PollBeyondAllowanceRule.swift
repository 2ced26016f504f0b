/// After an upload a process has one allowance.
///
/// A later poll is not sent until something else wakes the process.
enum PollBeyondAllowanceRule: Rule {
  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    for (index, step) in document.pipeline.steps.enumerated() where document.followsUpload(index) {
      for (matcher, draft) in zip(step.matchers, document.steps[index].matchers) {
        guard matcher.outcome == .poll, let after = matcher.after,
          let interval = document.constants.duration(after),
          interval.value >= CheckedDocument.allowance, let range = draft.after?.range
        else { continue }
        collector.report(
          .pollBeyondAllowance,
          """
          the next poll is never sent in the background: it comes after \
          \(Quantity.text(interval.value))\(Constants.proviso(interval.inputs)), but a process \
          woken by a finished transfer gets \(Quantity.text(CheckedDocument.allowance))
          """, at: range, help: "poll sooner, such as 'after: 5s'")
      }
    }
  }
}
