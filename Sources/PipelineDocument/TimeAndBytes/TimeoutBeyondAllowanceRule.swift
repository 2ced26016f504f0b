import PipelineCore
import YAMLSyntax

/// A short request is stopped when the allowance ends, so that one which needs longer is never done in the background (BT2).
enum TimeoutBeyondAllowanceRule: TimeAndBytesRule {
  static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    // Without a transfer nothing resumes the process in the background.
    guard document.hasUploads else { return }
    for (step, draft) in zip(document.pipeline.steps, document.steps) {
      if case .request(let request) = step.action {
        check(request, document.range(of: "request", "timeout", in: draft.node), collector)
      }
      if let probe = step.probe {
        check(
          probe.request, document.range(of: "probe", "request", "timeout", in: draft.node),
          collector)
      }
    }
    for (loop, draft) in zip(document.pipeline.loops, document.loops) {
      for (abandonment, node) in zip(loop.onAbandon, draft.node["on_abandon"]?.sequence ?? []) {
        check(
          abandonment.request, document.range(of: "request", "timeout", in: node), collector)
      }
    }
  }

  private static func check(
    _ request: RequestTemplate, _ range: TextRange?, _ collector: DiagnosticCollector
  ) {
    guard let range, request.timeout > TimeAndBytes.allowance else { return }
    collector.warning(
      .timeoutBeyondAllowance,
      """
      the request may take \(Quantity.text(request.timeout)), and a process that a finished \
      transfer resumes has \(Quantity.text(TimeAndBytes.allowance))
      """, at: range,
      help: "set 'timeout: 30s' or less; what takes longer is asked for with 'then: poll'")
  }
}
