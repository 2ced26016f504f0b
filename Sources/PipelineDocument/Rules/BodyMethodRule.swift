/// A body has no meaning with GET, HEAD or TRACE (RFC 9110 §9.3), and servers drop or refuse it.
enum BodyMethodRule: Rule {
  static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
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
