/// Servers accept any method and header name; one that is a letter away from a known name is most likely a typo.
enum MisspelledNameRule: Rule {
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
      // Short words and families of names are close to one another without being misspelled.
      abs(nearest.utf8.count - name.value.utf8.count) <= 1, !lower.hasPrefix("x-")
    else { return }
    collector.report(
      .misspelledName, "unknown \(what) '\(name.value)'", at: name.range, nearest: nearest)
  }

  /// Methods of RFC 9110 §9, RFC 5789, WebDAV (RFC 4918, RFC 5323, RFC 3253) and QUERY.
  private static let methods = lines("methods")
  /// Request headers of RFC 9110 and of common upload protocols.
  private static let headers = lines("headers")

  private static func lines(_ file: String) -> [String] {
    EmbeddedTexts.names.filter { $0.name == file }
      .flatMap { $0.text.split(separator: "\n").map(String.init) }
  }
}
