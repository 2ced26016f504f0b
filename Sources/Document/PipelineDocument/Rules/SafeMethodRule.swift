/// Safe methods such as GET change nothing on the server (RFC 9110 §9.2.1); caches and proxies rely on it.
enum SafeMethodRule: Rule {
  private static let methods: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE"]

  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for step in pipeline.steps where step.effect == .create {
      guard let method = step.action?.request?.method, methods.contains(method.value)
      else { continue }
      collector.report(
        .safeMethod, "the step creates something, but '\(method.value)' is a safe method",
        at: method.range, note: ("the effect is declared here", step.effectRange),
        help: "set the 'method' that the server expects, such as 'POST'")
    }
    for case .loop(let loop) in pipeline.nodes {
      for method in loop.onAbandon.map(\.method) where methods.contains(method.value) {
        collector.report(
          .safeMethod, "the request should undo something, but '\(method.value)' is a safe method",
          at: method.range, help: "set the 'method' that the server expects, such as 'DELETE'")
      }
    }
  }
}
