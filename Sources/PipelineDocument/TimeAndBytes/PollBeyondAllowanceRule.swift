import PipelineCore

/// After an upload a process has one allowance: a poll that comes later is not sent before something else wakes the process.
enum PollBeyondAllowanceRule: TimeAndBytesRule {
  static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    for (index, step) in document.pipeline.steps.enumerated() where document.followsUpload(index) {
      for (matcher, draft) in zip(step.matchers, document.steps[index].matchers) {
        guard matcher.outcome == .poll, let after = matcher.after,
          let interval = document.constants.duration(after),
          interval.value >= TimeAndBytes.allowance, let range = draft.after?.range
        else { continue }
        collector.warning(
          .pollBeyondAllowance,
          """
          the next poll is never sent in the background: it comes after \
          \(Quantity.text(interval.value))\(Constants.proviso(interval.inputs)), and a process \
          that a finished transfer resumes has \(Quantity.text(TimeAndBytes.allowance))
          """, at: range, help: "poll sooner, such as 'after: 5s'")
      }
    }
  }
}
