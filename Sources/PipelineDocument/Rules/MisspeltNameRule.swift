/// Servers take any method and any header; one that differs in a letter from a known one is most likely that one.
enum MisspeltNameRule: Rule {
  static let pages = [
    Check(
      .misspeltName, .warning, .values, summary: "a method or header is nearly a known one",
      explanation: """
        A server answers an unknown method with an error and ignores an unknown header: a misspelt `Idempotency-Key` makes no \
        repeat safe, and nothing says so. Methods and headers of your own are fine; what is reported differs from a registered \
        name in a letter or two.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: allocate
            request: { method: PSOT, url: "https://example.com/uploads", headers: { Acept: text/plain } }
            effect: create
            idempotency: { header: Idempotency-Kye }
        """,
      right: """
        pipeline: example
        steps:
          - id: allocate
            request: { method: POST, url: "https://example.com/uploads", headers: { Accept: text/plain } }
            effect: create
            idempotency: { header: Idempotency-Key }
        """)
  ]

  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for request in pipeline.requests {
      check(request.method, "method", methods, collector)
      for header in request.headers { check(header.name, "header", headers, collector) }
    }
    for step in pipeline.steps {
      step.idempotencyHeader.map { check($0, "header", headers, collector) }
    }
  }

  private static func check(
    _ name: Located<String>, _ what: String, _ known: [String], _ collector: DiagnosticCollector
  ) {
    // A name that is written as usual is done with before the list is taken apart.
    guard !known.contains(name.value) else { return }
    let lower = name.value.lowercased()
    guard lower.utf8.count > 2, !known.contains(where: { $0.lowercased() == lower }),
      let nearest = nearestName(to: name.value, among: known),
      // Short words and families of names are near to one another without being misspelt.
      abs(nearest.utf8.count - name.value.utf8.count) <= 1, !lower.hasPrefix("x-")
    else { return }
    collector.warning(
      .misspeltName, "the \(what) '\(name.value)' is not known, and nearly '\(nearest)'",
      at: name.range, help: "did you mean '\(nearest)'?",
      fix: Diagnostic.Fix(range: name.range, replacement: nearest))
  }

  /// Methods of RFC 9110 §9, RFC 5789, WebDAV (RFC 4918, RFC 5323, RFC 3253) and QUERY.
  private static let methods = [
    "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "PROPFIND",
    "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK", "SEARCH", "REPORT", "MERGE", "LINK",
    "UNLINK", "BIND", "UNBIND", "REBIND", "ACL", "LABEL", "UPDATE", "QUERY", "PURGE", "LIST",
  ]

  /// Request headers of RFC 9110 and of common upload protocols.
  private static let headers = [
    "Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Authorization",
    "Cache-Control", "Content-Digest", "Content-Disposition", "Content-Encoding",
    "Content-Language", "Content-Location", "Content-MD5", "Content-Range", "Content-Type",
    "Cookie", "Date", "Digest", "Expect", "Forwarded", "From", "Idempotency-Key", "If-Match",
    "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Location",
    "Max-Forwards", "Origin", "Pragma", "Prefer", "Priority", "Proxy-Authorization", "Range",
    "Referer", "Repr-Digest", "Slug", "Tus-Checksum-Algorithm", "Tus-Resumable",
    "Upload-Checksum", "Upload-Complete", "Upload-Concat", "Upload-Defer-Length",
    "Upload-Draft-Interop-Version", "Upload-Expires", "Upload-Length", "Upload-Metadata",
    "Upload-Offset", "User-Agent", "Want-Digest",
  ]
}
