/// A URL in the file must be absolute; for a template, only its constant beginning is checked.
enum URLRule: Rule {
  static let pages = [
    Check(
      .invalidURL, .error, .values, summary: "the text is not an absolute `http` or `https` URL",
      explanation: """
        A URL begins with `http://` or `https://` and has a host (RFC 3986 §3). Spaces and control characters are \
        percent-encoded. If a URL contains expressions, only the part before the first one is checked.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
        -    request: { url: example.com/ping }
        +    request: { url: "https://example.com/ping" }
           - id: pong
        -    request: { url: "ftp://example.com/${{ run.id }}" }
        +    request: { url: "https://example.com/${{ run.id }}" }
        """)
  ]

  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for url in pipeline.requests.compactMap(\.url) {
      let problem: String?
      if let constant = url.constant {
        problem = URLLiteral.problem(constant)
      } else {
        problem = URLLiteral.problem(beginning: url.leadingText)
      }
      if let problem {
        collector.report(
          .invalidURL, problem, at: url.range,
          help: url.leadingText.hasPrefix("/")
            ? "write what comes before it under 'defaults', as 'url'" : nil)
      }
    }
  }
}
