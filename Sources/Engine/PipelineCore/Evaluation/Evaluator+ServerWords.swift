import Basics
import CEL

extension Evaluator {
  private static let longestWords = 200
  /// Larger bodies are no error messages.
  private static let largestBody = 64 << 10
  /// Where a body describes the error: RFC 9457 (`detail`, `title`), RFC 6749 (`error_description`), and what S3,
  /// OCI registries, Git LFS and WebDAV servers use (`Message`, `message`).
  private static let messageKeys = [
    "message", "detail", "error_description", "title", "error", "error_summary",
  ]

  /// `text`, followed by the response body's description of the error, without secrets:
  /// the message of JSON or XML, or a short plain text.
  ///
  /// Only text meant for the user is quoted, because the rest of a body may hold anything.
  func quoting(_ view: ResponseView, _ scope: Scope, after text: String) -> String {
    let response = view.response
    guard response.error == nil, !(200..<300).contains(response.status), !response.body.isEmpty,
      response.body.count <= Self.largestBody, let words = words(of: response)
    else { return text }
    let line = String(redact(words, scope).prefix(Self.longestWords)).visibleLine
    return "\(text); the server says '\(line)\(words.count > Self.longestWords ? "…" : "")'"
  }

  private func words(of response: Response) -> String? {
    let type = response.header("content-type")?.lowercased() ?? ""
    guard !type.hasPrefix("text/html") else { return nil }
    let body = ResponseText(of: response)
    guard body.failure == nil else { return nil }
    let text = String(decoding: body.utf8, as: UTF8.self).trimmingSpaces
    let value =
      text.hasPrefix("<") ? try? Value(xml: body.utf8) : try? Value(json: body.utf8)
    if let value, let message = message(in: value, depth: 4) { return message }
    // A web page is not a message, and neither is structure without one.
    guard value == nil || type.hasPrefix("text/plain"), !text.hasPrefix("<"), !text.hasPrefix("{"),
      type.isEmpty || type.hasPrefix("text/plain")
    else { return nil }
    return text.isEmpty ? nil : text
  }

  /// The first message in a value, the outermost first, with the code next to it.
  private func message(in value: Value, depth: Int) -> String? {
    guard depth > 0 else { return nil }
    switch value {
    case .list(let members):
      for member in members {
        if let found = message(in: member, depth: depth - 1) { return found }
      }
      return nil
    case .map(let map):
      var texts: [String: String] = [:]
      let members = map.keys.compactMap { key -> (String, Value)? in
        guard case .string(let name) = key else { return nil }
        return map[name].map { (name, $0) }
      }
      for case (let name, .string(let text)) in members {
        // XML: the prefix of a namespace is irrelevant here.
        let word = name.split(separator: ":").last.map { String($0).lowercased() } ?? ""
        if !text.isEmpty, texts[word] == nil { texts[word] = text.trimmingSpaces }
      }
      if let message = Self.messageKeys.lazy.compactMap({ texts[$0] }).first {
        return texts["code"].map { $0 == message ? message : "\($0): \(message)" } ?? message
      }
      for (_, member) in members {
        if let found = message(in: member, depth: depth - 1) { return found }
      }
      return texts["code"] ?? texts["reason"]
    default: return nil
    }
  }
}

extension String {
  var trimmingSpaces: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
