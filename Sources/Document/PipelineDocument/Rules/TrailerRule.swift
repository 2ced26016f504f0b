/// The fields after the body of an upload.
enum TrailerRule {
  /// Reports a name that cannot be that of a trailer.
  static func check(_ name: Located<String>, _ collector: DiagnosticCollector) {
    if !HeaderRule.isToken(name.value) {
      collector.report(
        .invalidTrailer,
        "invalid field name '\(name.value)', expected letters, digits and '-'", at: name.range)
    } else if forbidden.contains(name.value.lowercased()) {
      collector.report(
        .invalidTrailer, "'\(name.value)' cannot follow the body", at: name.range,
        help: "servers need it before the body: write it under 'headers'")
    }
  }

  static func check(
    _ field: NamedTemplate<Compiled>, _ draft: DraftField, _ collector: DiagnosticCollector
  ) {
    for expression in field.value.expressions {
      let names = expression.compiled.references.map(\.variable)
      guard expression.compiled.variable == nil,
        let name = names.first(where: { $0.hasPrefix("body.") })
      else { continue }
      collector.report(
        .invalidTrailer,
        "'\(name)' is not known until the body has been sent, so it cannot be used in an expression",
        at: draft.value?.range ?? draft.name.range,
        help: "write it by itself, such as '${{ \(name) }}', with the text around it")
    }
  }

  /// Framing, routing, modifiers of the request, authentication and content (RFC 9110 §6.5.1), and fields of the connection.
  private static let forbidden: Set<String> = [
    "content-length", "transfer-encoding", "trailer", "host", "connection", "keep-alive", "te",
    "upgrade", "expect", "max-forwards", "pragma", "range", "if-match", "if-none-match",
    "if-modified-since", "if-unmodified-since", "if-range", "cache-control", "authorization",
    "proxy-authorization", "cookie", "content-encoding", "content-type", "content-range",
  ]
}
