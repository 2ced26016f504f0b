import PipelineCore

/// After an upload a process has one allowance.
///
/// A later poll is not sent until something else wakes the process.
enum PollBeyondAllowanceRule: Rule {
  static let pages = [
    Check(
      .pollBeyondAllowance, .warning, .transfers,
      summary: "a poll after an upload comes after the allowance has ended",
      explanation: """
        A step after an upload usually runs because the finished transfer woke the process, which then gets 30 s \
        (device rule BT2). A later poll is not sent: the process is suspended, and nothing wakes it for a poll. Poll \
        sooner, so that some polls fit, or fetch the result when the user opens the app.
        """,
      example: """
         pipeline: example
         inputs: { photo: { type: file } }
         steps:
           - id: send
             upload: { url: "https://example.com/photo", file: "${{ inputs.photo }}" }
           - id: processed
             request: { url: "https://example.com/photo/state" }
             depends_on: [send]
             on:
               - if: ${{ response.json.state == "processing" }}
                 then: poll
        -        after: 30s
        +        after: 29s
        """)
  ]

  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    for (index, step) in document.pipeline.steps.enumerated() where document.followsUpload(index) {
      for (matcher, draft) in zip(step.matchers, document.steps[index].matchers) {
        guard matcher.outcome == .poll, let after = matcher.after,
          let interval = document.constants.duration(after),
          interval.value >= TimeAndBytes.allowance, let range = draft.after?.range
        else { continue }
        collector.report(
          .pollBeyondAllowance,
          """
          the next poll is never sent in the background: it comes after \
          \(Quantity.text(interval.value))\(Constants.proviso(interval.inputs)), but a process \
          woken by a finished transfer gets \(Quantity.text(TimeAndBytes.allowance))
          """, at: range, help: "poll sooner, such as 'after: 5s'")
      }
    }
  }
}
