/// A URL that stands in the file is absolute; of a template, as far as its beginning tells.
enum URLRule: Rule {
  static let pages = [
    Check(
      .invalidURL, .error, .values, summary: "the text is no absolute `http` or `https` URL",
      explanation: """
        A URL begins with `http://` or `https://` and has a host (RFC 3986 §3); blanks and control characters are percent-encoded. \
        Of a URL with expressions in it, what stands before the first is looked at.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: { url: example.com/ping }
          - id: pong
            request: { url: "ftp://example.com/${{ run.id }}" }
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
          - id: pong
            request: { url: "https://example.com/${{ run.id }}" }
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
      if let problem { collector.error(.invalidURL, problem, at: url.range) }
    }
  }
}
