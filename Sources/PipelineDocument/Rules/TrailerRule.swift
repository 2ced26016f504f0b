import CEL
import PipelineCore

/// The fields after the body of an upload.
enum TrailerRule: Rule {
  static let pages = [
    Check(
      .invalidTrailer, .error, .values, summary: "a field cannot follow the body",
      explanation: """
        The fields under `trailers` follow the body, so that they can contain its digests, as `body.crc32c.base64`. HTTP \
        forbids those that a server must know before the body: what frames the message, routes it, authorizes it or says how \
        to read it (RFC 9110 §6.5.1). A digest is put in when the body has been sent, when no expression is evaluated any more: \
        it is alone between `${{` and `}}`, with any text around.
        """,
      example: """
         pipeline: example
         inputs: { photo: { type: file } }
         steps:
           - id: send
             upload:
               url: https://example.com/photo
               file: ${{ inputs.photo }}
        +      headers: { Content-Type: image/jpeg }
               trailers:
        -        Content-Type: image/jpeg
        -        x-amz-checksum-crc32c: ${{ body.crc32c.base64 + "=" }}
        +        x-amz-checksum-crc32c: ${{ body.crc32c.base64 }}
        """)
  ]

  static func check(_ name: Located<String>, _ collector: DiagnosticCollector) {
    if !HeaderRule.isToken(name.value) {
      collector.report(
        .invalidTrailer,
        "invalid field name '\(name.value)', expected letters, digits and '-'", at: name.range)
    } else if forbidden.contains(name.value.lowercased()) {
      collector.report(
        .invalidTrailer, "'\(name.value)' cannot follow the body", at: name.range,
        help: "servers must know it before: write it under 'headers'")
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
        "'\(name)' is not known before the body was sent, so nothing can be made of it",
        at: draft.value?.range ?? draft.name.range,
        help: "write it alone, such as '${{ \(name) }}', with the text around it")
    }
  }

  /// Framing, routing, modifiers of the request, authentication and content (RFC 9110 §6.5.1), and what belongs to the connection.
  private static let forbidden: Set<String> = [
    "content-length", "transfer-encoding", "trailer", "host", "connection", "keep-alive", "te",
    "upgrade", "expect", "max-forwards", "pragma", "range", "if-match", "if-none-match",
    "if-modified-since", "if-unmodified-since", "if-range", "cache-control", "authorization",
    "proxy-authorization", "cookie", "content-encoding", "content-type", "content-range",
  ]
}
