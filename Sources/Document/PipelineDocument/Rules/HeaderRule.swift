/// Headers that no server would read as intended: invalid names, values with a line break (RFC 9110 §5.5, §5.6.2),
/// headers that the transport sets itself, and duplicates.
enum HeaderRule: Rule {
  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for request in pipeline.requests {
      var seen: [String: TextRange] = [:]
      if case .bearer(let token?)? = request.authorization,
        Substring(token.leadingText).trimmed.lowercased().hasPrefix("bearer")
      {
        collector.report(
          .invalidHeader, "'bearer' adds the word 'Bearer', so it would be sent twice",
          at: token.range, help: "write only the token")
      }
      for header in request.headers {
        check(header, collector)
        let name = header.name.value.lowercased()
        if let earlier = seen[name] {
          collector.report(
            .conflictingKeys, "the header '\(header.name.value)' is set twice",
            at: header.name.range, note: ("first used here", earlier))
        }
        seen[name] = seen[name] ?? header.name.range
        if header.value?.isNull != true, let authorization = request.authorization,
          sets(authorization, name)
        {
          collector.report(
            .conflictingKeys,
            "the header '\(header.name.value)' is already set by '\(authorization.key)'",
            at: header.name.range)
        }
      }
    }
    for step in pipeline.steps {
      guard let name = step.keyPlace?.header, !name.value.isToken else { continue }
      collector.reportHeader(name)
    }
  }

  /// Whether what authorizes a request sets the header, whose name is in lower case.
  private static func sets(_ authorization: DraftRequest.Authorization, _ name: String) -> Bool {
    func isNamed(_ fields: [DraftField]) -> Bool {
      fields.contains { $0.name.value.lowercased() == name }
    }
    return switch authorization {
    case .bearer, .basic: name == "authorization"
    case .headers(let fields): isNamed(fields)
    case .signing(let signing):
      switch signing.scheme {
      case .expressions: isNamed(signing.entries)
      case .awsV4(let place, _, _): place == .header && name == "authorization"
      case .jwt(_, _, let place): place == .bearer && name == "authorization"
      case .sharedKey, .oauth1: name == "authorization"
      }
    }
  }

  private static func check(_ header: DraftField, _ collector: DiagnosticCollector) {
    if !header.name.value.isToken {
      collector.reportHeader(header.name)
    } else if header.value?.isNull != true, managed.contains(header.name.value.lowercased()) {
      collector.report(
        .invalidHeader, "the header '\(header.name.value)' is set by the transport",
        at: header.name.range, help: "remove it")
    }
    for case .text(let text) in header.value?.parts ?? [] {
      guard text.unicodeScalars.contains(where: { $0 == "\r" || $0 == "\n" || $0 == "\0" })
      else { continue }
      collector.report(
        .invalidHeader, "the value of the header '\(header.name.value)' contains a line break",
        at: header.value?.range ?? header.name.range)
    }
  }

  /// Headers that frame the message (RFC 9112 §6) or control the connection (RFC 9110 §7.6.1).
  private static let managed: Set<String> = [
    "content-length", "transfer-encoding", "connection", "keep-alive", "te", "upgrade",
  ]
}
