import PipelineCore

/// Servers accept any method and header name; one that is a letter away from a known name is most likely a typo.
enum MisspeltNameRule: Rule {
  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for request in pipeline.requests {
      check(request.method, "method", methods, collector)
      for header in request.headers where header.value?.isNull != true {
        check(header.name, "header", headers, collector)
      }
    }
    for step in pipeline.steps {
      step.keyPlace?.header.map { check($0, "header", headers, collector) }
    }
  }

  private static func check(
    _ name: Located<String>, _ what: String, _ known: [String], _ collector: DiagnosticCollector
  ) {
    // A name in its usual spelling is accepted before the list is split.
    guard !known.contains(name.value) else { return }
    let lower = name.value.lowercased()
    guard lower.utf8.count > 2, !known.contains(where: { $0.lowercased() == lower }),
      let nearest = nearestName(to: name.value, among: known),
      // Short words and families of names are close to one another without being misspelt.
      abs(nearest.utf8.count - name.value.utf8.count) <= 1, !lower.hasPrefix("x-")
    else { return }
    collector.report(
      .misspeltName, "unknown \(what) '\(name.value)'", at: name.range, nearest: nearest)
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
    "Content-Language", "Content-Length", "Content-Location", "Content-MD5", "Content-Range",
    "Content-Type", "Cookie", "Date", "Digest", "Expect", "Forwarded", "From", "Idempotency-Key",
    "If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Location",
    "Max-Forwards", "Origin", "Pragma", "Prefer", "Priority", "Proxy-Authorization", "Range",
    "Referer", "Repr-Digest", "Slug", "Tus-Checksum-Algorithm", "Tus-Resumable", "Upload-Checksum",
    "Upload-Complete", "Upload-Concat", "Upload-Defer-Length", "Upload-Draft-Interop-Version",
    "Upload-Expires", "Upload-Length", "Upload-Metadata", "Upload-Offset", "User-Agent",
    "Want-Digest",
  ]
}
