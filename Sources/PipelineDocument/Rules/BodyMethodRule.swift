/// A body has no meaning with GET, HEAD or TRACE (RFC 9110 §9.3), and servers ignore or reject it.
enum BodyMethodRule: Rule {
  static let pages = [
    Check(
      .bodyNotAllowed, .error, .values, summary: "a method without a body is given one",
      explanation: """
        A body has no meaning with GET, HEAD or TRACE (RFC 9110 §9.3): servers ignore it or reject the request. The \
        default method is GET.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
        -    request: { url: "https://example.com/ping", json: { a: 1 } }
        +    request: { method: POST, url: "https://example.com/ping", json: { a: 1 } }
        """)
  ]

  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for request in pipeline.requests {
      guard let range = request.bodyRange,
        ["GET", "HEAD", "TRACE"].contains(request.method.value)
      else { continue }
      collector.report(
        .bodyNotAllowed, "a '\(request.method.value)' request cannot have a body", at: range,
        help: "set 'method: POST', or remove the body")
    }
  }
}
