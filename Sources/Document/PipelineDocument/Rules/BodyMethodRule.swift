/// A body has no meaning with GET, HEAD or TRACE (RFC 9110 §9.3), and servers ignore or reject it.
enum BodyMethodRule: Rule {
  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for request in pipeline.requests {
      guard let range = request.bodyRange, ["GET", "HEAD", "TRACE"].contains(request.method.value)
      else { continue }
      collector.report(
        .bodyNotAllowed, "a '\(request.method.value)' request cannot have a body", at: range,
        help: "set 'method: POST', or remove the body")
    }
  }
}
