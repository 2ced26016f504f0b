/// A method is a token in capital letters: methods are case-sensitive (RFC 9110 §9.1).
enum MethodRule: Rule {
  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for request in pipeline.requests {
      let method = request.method
      guard !method.value.isToken || method.value != method.value.uppercased()
      else { continue }
      let upper = method.value.uppercased()
      let fix = upper.isToken ? upper : nil
      collector.report(
        .invalidMethod,
        "invalid HTTP method '\(method.value)', expected capital letters such as 'POST'",
        at: method.range, help: fix.map { "write '\($0)'" },
        fix: fix.map { Diagnostic.Fix(range: method.range, replacement: $0, isSafe: true) })
    }
  }
}
