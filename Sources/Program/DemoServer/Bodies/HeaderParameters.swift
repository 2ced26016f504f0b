/// Reads the parameters of a header such as `form-data; name="file"; filename="a;b.jpg"`.
enum HeaderParameters {
  /// The parameters by lower-case name; quotes are removed and `\"` is unescaped.
  static func parse(_ value: String) -> [String: String] {
    var parameters: [String: String] = [:]
    for part in split(value).dropFirst() {
      guard let equals = part.firstIndex(of: "=") else { continue }
      let name = part[..<equals].filter { !$0.isWhitespace }.lowercased()
      parameters[name] = text(part[part.index(after: equals)...])
    }
    return parameters
  }

  private static func split(_ value: String) -> [Substring] {
    var parts: [Substring] = []
    var start = value.startIndex
    var isQuoted = false
    var isEscaped = false
    for index in value.indices {
      let character = value[index]
      if isEscaped {
        isEscaped = false
      } else if character == "\\", isQuoted {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character == ";", !isQuoted {
        parts.append(value[start..<index])
        start = value.index(after: index)
      }
    }
    parts.append(value[start...])
    return parts
  }

  /// Only `\"` and `\\` are escapes: browsers send other backslashes unchanged.
  private static func text(_ raw: Substring) -> String {
    var raw = raw
    while raw.first?.isWhitespace == true { raw.removeFirst() }
    while raw.last?.isWhitespace == true { raw.removeLast() }
    guard raw.count >= 2, raw.first == "\"", raw.last == "\"" else { return String(raw) }
    return raw.dropFirst().dropLast()
      .replacing("\\\"", with: "\"").replacing("\\\\", with: "\\").description
  }
}
