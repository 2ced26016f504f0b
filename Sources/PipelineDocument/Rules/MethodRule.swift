/// A method is a token, and methods are written in capitals (RFC 9110 §9.1: they are case-sensitive).
enum MethodRule: Rule {
  static let pages = [
    Check(
      .invalidMethod, .error, .values, summary: "the text is no method",
      explanation: """
        Methods are tokens and case-sensitive (RFC 9110 §9.1): to a server, `post` is not `POST`.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: { method: post, url: "https://example.com/ping" }
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request: { method: POST, url: "https://example.com/ping" }
        """)
  ]

  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for request in pipeline.requests {
      let method = request.method
      guard !HeaderRule.isToken(method.value) || method.value != method.value.uppercased() else {
        continue
      }
      let upper = method.value.uppercased()
      let fix = HeaderRule.isToken(upper) ? upper : nil
      collector.error(
        .invalidMethod,
        "'\(method.value)' is no method, expected a word in capitals such as 'POST'",
        at: method.range, help: fix.map { "write '\($0)'" },
        fix: fix.map { Diagnostic.Fix(range: method.range, replacement: $0, isSafe: true) })
    }
  }
}
