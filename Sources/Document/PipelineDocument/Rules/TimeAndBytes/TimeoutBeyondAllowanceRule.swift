/// A short request is stopped when the allowance ends, so one that needs longer never completes in the background (BT2).
enum TimeoutBeyondAllowanceRule: Rule {
  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    // Without a transfer nothing wakes the process in the background.
    guard document.hasUploads else { return }
    for (step, draft) in zip(document.pipeline.steps, document.steps) {
      if case .request(let request) = step.action {
        check(request, document.range(of: "request", "timeout", in: draft.node), collector)
      }
      if case .poll(let poll) = step.action {
        check(poll.request, document.range(of: "poll", "timeout", in: draft.node), collector)
      }
      if let probe = step.probe {
        check(
          probe.request, document.range(of: "probe", "request", "timeout", in: draft.node),
          collector)
      }
    }
    for (loop, draft) in zip(document.pipeline.loops, document.loops) {
      for (abandonment, node) in zip(loop.onAbandon, draft?.node["on_abandon"]?.sequence ?? []) {
        check(abandonment.request, document.range(of: "request", "timeout", in: node), collector)
      }
    }
  }

  private static func check(
    _ request: RequestTemplate, _ range: TextRange?, _ collector: DiagnosticCollector
  ) {
    guard let range, request.timeout > CheckedDocument.allowance else { return }
    collector.report(
      .timeoutBeyondAllowance,
      """
      the request may last \(Quantity.text(request.timeout)), but a process woken by a finished \
      transfer gets \(Quantity.text(CheckedDocument.allowance))
      """, at: range,
      help: "set 'timeout: 30s' or less, and fetch results that take longer with 'poll'")
  }
}
