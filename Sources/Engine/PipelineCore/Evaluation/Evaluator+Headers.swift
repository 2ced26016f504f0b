import Basics
import CEL

extension Evaluator {
  /// Adds the headers of the template: of a name that occurs twice the later value, unless that is `null`.
  func addHeaders(
    of template: RequestTemplate, _ scope: Scope, at location: SourceLocation,
    to request: inout RenderedRequest
  ) throws(EvaluationFailure) {
    var entries = HeaderEntries()
    var maps = template.headerMaps[...]
    for (index, field) in template.headers.enumerated() {
      while let map = maps.first, map.position <= index {
        try add(map.value, template, scope, to: &entries)
        maps.removeFirst()
      }
      let isSecret = field.value.expressions.contains { self.isSecret($0, template, scope) }
      entries.set(field.name, try header(field, scope, at: location), isSecret: isSecret)
    }
    for map in maps { try add(map.value, template, scope, to: &entries) }
    for entry in entries.list {
      let name = entry.name.lowercased()
      guard let value = entry.value else {
        request.omittedHeaders.insert(name)
        continue
      }
      if let origin = entry.origin { try check(entry.name, value, at: origin, scope) }
      request.headers.append(.init(name: entry.name, value: value))
      if entry.isSecret { request.secretHeaders.insert(name) }
    }
  }

  func header(
    _ field: RequestTemplate.Field, _ scope: Scope, at location: SourceLocation
  ) throws(EvaluationFailure) -> String? {
    var text: String?
    if field.value.parts.count == 1, case .expression(let only) = field.value.parts[0] {
      let value = try value(only, scope)
      switch value {
      case .null, .optional(nil), .optional(.null?): return nil
      case .optional(let inner?): text = Self.text(of: inner)
      default: text = Self.text(of: value)
      }
      guard text != nil
      else { throw EvaluationFailure("expected a string or a number", at: only.location) }
    }
    let value: String
    if let text { value = text } else { value = try self.text(field.value, scope) }
    guard Self.isHeaderValue(value) else {
      throw EvaluationFailure(
        "the value of header '\(field.name)' contains a control character", at: location)
    }
    return value
  }

  static func isHeaderValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }

  private func add(
    _ expression: Expression, _ template: RequestTemplate, _ scope: Scope,
    to entries: inout HeaderEntries
  ) throws(EvaluationFailure) {
    let value = try value(expression, scope)
    if value.isNull { return }
    guard case .map(let map) = value
    else { throw EvaluationFailure("expected headers as a map by name", at: expression.location) }
    for (key, value) in map {
      guard case .string(let name) = key
      else { throw EvaluationFailure("the name of a header is a string", at: expression.location) }
      // They were created for one host, regardless of their names.
      entries.set(
        name, try text(ofHeader: name, value, at: expression.location), isSecret: true,
        from: expression.location)
    }
  }

  private func text(
    ofHeader name: String, _ value: Value, at location: SourceLocation
  ) throws(EvaluationFailure) -> String? {
    if value.isNull { return nil }
    // Some servers send a list, because a header may have several lines (RFC 9110 §5.3).
    let texts = (value.listValue ?? [value]).map(Self.text(of:))
    guard let whole = texts.complete(), !whole.isEmpty else {
      throw EvaluationFailure(
        "the value of the header '\(name.prefix(80))' is neither text nor a number", at: location)
    }
    return whole.joined(separator: ", ")
  }

  /// Refuses headers by which a response could control the request: broken names, line breaks, and headers that
  /// frame the message (RFC 9112 §6), belong to the connection (RFC 9110 §7.6.1) or name the host.
  private func check(
    _ name: String, _ value: String, at location: SourceLocation, _ scope: Scope
  ) throws(EvaluationFailure) {
    let shown = redact(String(name.prefix(80)), scope)
    guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenPart)
    else { throw EvaluationFailure("'\(shown)' is not a name of a header", at: location) }
    guard Self.isHeaderValue(value) else {
      throw EvaluationFailure(
        "the value of header '\(shown)' contains a control character", at: location)
    }
    guard !Self.ofTransport.contains(name.lowercased()) else {
      throw EvaluationFailure(
        "a response must not set the header '\(shown)', which belongs to the transport; to leave it "
          + "out, add '\(shown): null' after it", at: location)
    }
  }

  /// Headers that only the transport sets; names in lower case.
  public static let ofTransport: Set<String> = [
    "connection", "content-length", "host", "keep-alive", "proxy-authenticate",
    "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
  ]
}

/// Headers in the order in which their names were first set.
private struct HeaderEntries {
  struct Entry {
    let name: String
    let value: String?
    let isSecret: Bool
    /// The expression whose map has it.
    let origin: SourceLocation?
  }

  private(set) var list: [Entry] = []
  private var places: [String: Int] = [:]

  mutating func set(
    _ name: String, _ value: String?, isSecret: Bool, from origin: SourceLocation? = nil
  ) {
    let entry = Entry(name: name, value: value, isSecret: isSecret, origin: origin)
    if let place = places[name.lowercased()] {
      list[place] = entry
    } else {
      places[name.lowercased()] = list.count
      list.append(entry)
    }
  }
}
