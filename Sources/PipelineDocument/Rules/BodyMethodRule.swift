/// A body has no meaning with GET, HEAD or TRACE (RFC 9110 §9.3), and servers drop or refuse it.
enum BodyMethodRule: Rule {
  static let pages = [
    Check(
      .bodyNotAllowed, .error, .values, summary: "a method that has no body is given one",
      explanation: """
        A body has no meaning with GET, HEAD or TRACE (RFC 9110 §9.3): servers drop it or refuse the request. The method is GET \
        where none is written.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping", json: { a: 1 } }
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request: { method: POST, url: "https://example.com/ping", json: { a: 1 } }
        """)
  ]

  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for request in pipeline.requests {
      guard let range = request.bodyRange,
        ["GET", "HEAD", "TRACE"].contains(request.method.value)
      else { continue }
      collector.error(
        .bodyNotAllowed, "a request with method '\(request.method.value)' has no body", at: range,
        help: "set 'method: POST', or remove the body")
    }
  }
}
