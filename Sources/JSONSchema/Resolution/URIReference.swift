import Basics

/// The five parts of a URI reference and their resolution against a base (RFC 3986 §4, §5).
struct URIReference: Hashable, Sendable {
  var scheme: String?
  var authority: String?
  var path: String
  var query: String?
  var fragment: String?

  /// Splits by the delimiters only, like the expression in RFC 3986 appendix B.
  init(_ text: String) {
    var rest = Substring(text)
    if let mark = rest.utf8.firstIndex(of: 0x23) {
      fragment = String(rest[rest.utf8.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let mark = rest.utf8.firstIndex(of: 0x3F) {
      query = String(rest[rest.utf8.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let mark = rest.utf8.firstIndex(where: { $0 == 0x3A || $0 == 0x2F }),
      rest.utf8[mark] == 0x3A, mark > rest.startIndex
    {
      scheme = rest[..<mark].lowercased()
      rest = rest[rest.utf8.index(after: mark)...]
    }
    if rest.utf8.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let end = rest.utf8.firstIndex(of: 0x2F) ?? rest.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
    }
    path = String(rest)
  }

  /// This reference resolved against `base`.
  func resolved(against base: URIReference) -> URIReference {
    var target = self
    if scheme != nil {
      target.path = Self.withoutDotSegments(path)
      return target
    }
    target.scheme = base.scheme
    if authority != nil {
      target.path = Self.withoutDotSegments(path)
      return target
    }
    target.authority = base.authority
    if path.isEmpty {
      target.path = base.path
      target.query = query ?? base.query
      return target
    }
    target.path = Self.withoutDotSegments(path.utf8.first == 0x2F ? path : merged(with: base))
    return target
  }

  private func merged(with base: URIReference) -> String {
    if base.authority != nil, base.path.isEmpty { return "/" + path }
    guard let slash = base.path.utf8.lastIndex(of: 0x2F) else { return path }
    return base.path[...slash] + path
  }

  private static func withoutDotSegments(_ path: String) -> String {
    let segments = path.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard segments.contains(where: { $0 == "." || $0 == ".." }) else { return path }
    let isAbsolute = segments.first?.isEmpty ?? false
    var kept: [String] = []
    for (place, segment) in segments.enumerated() {
      let isLast = place == segments.count - 1
      switch segment {
      case ".": if isLast { kept.append("") }
      case "..":
        if kept.count > (isAbsolute ? 1 : 0) { kept.removeLast() }
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return kept.joined(separator: "/")
  }

  /// This reference without its fragment: the key of a document or resource.
  var withoutFragment: URIReference {
    var copy = self
    copy.fragment = nil
    return copy
  }

  /// The reference as text (RFC 3986 §5.3).
  var text: String {
    var result = ""
    if let scheme { result += scheme + ":" }
    if let authority { result += "//" + authority }
    result += path
    if let query { result += "?" + query }
    if let fragment { result += "#" + fragment }
    return result
  }

  /// The percent-decoded fragment, or `nil` if it is not UTF-8.
  var decodedFragment: String? {
    guard let fragment else { return "" }
    guard fragment.utf8.contains(0x25) else { return fragment }
    return PercentEncoding.decode(fragment.utf8, keepingMalformed: true)
      .flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// A JSON Pointer as a fragment, with characters that RFC 3986 does not allow percent-encoded.
  static func encodeFragment(_ pointer: String) -> String {
    PercentEncoding.encode(pointer, keeping: "!$&'()*+,;=:@/?")
  }
}
