/// The components of a URI reference (RFC 3986 §3); nothing is decoded.
package struct URIReference: Hashable, Sendable {
  /// The part before the first `:`, if it is a scheme.
  package var scheme: Substring?
  /// What follows `//`.
  package var authority: Substring?
  /// The path, which may be empty.
  package var path: String
  /// What follows `?`.
  package var query: Substring?
  /// What follows `#`.
  package var fragment: Substring?

  /// Splits a text; every text is a reference of some kind (RFC 3986 appendix B).
  package init(_ text: String) {
    var rest = text[...]
    if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
      fragment = rest[rest.utf8.index(after: hash)...]
      rest = rest[..<hash]
    }
    if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
      query = rest[rest.utf8.index(after: mark)...]
      rest = rest[..<mark]
    }
    if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
      scheme = rest[..<colon]
      rest = rest[rest.utf8.index(after: colon)...]
    }
    if rest.utf8.starts(with: "//".utf8) {
      rest = Substring(rest.utf8.dropFirst(2))
      let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = rest[..<end]
      rest = rest[end...]
    }
    path = String(rest)
  }

  private static func isScheme(_ text: Substring) -> Bool {
    text.utf8.first?.isLetter == true
      && text.utf8.allSatisfy { $0.isAlphanumeric || "+-.".utf8.contains($0) }
  }

  package var text: String {
    (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path
      + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
  }

  /// The target of a reference that was found at this URI (RFC 3986 §5.2.2).
  package func resolving(_ reference: URIReference) -> URIReference {
    var target = reference
    if reference.scheme != nil || reference.authority != nil {
      target.path = Self.withoutDots(reference.path)
    } else if reference.path.isEmpty {
      target.path = path
      target.query = reference.query ?? query
    } else {
      target.path = Self.withoutDots(
        reference.path.utf8.first == UInt8(ascii: "/")
          ? reference.path : merged(with: reference.path))
    }
    if reference.scheme == nil {
      target.scheme = scheme
      if reference.authority == nil { target.authority = authority }
    }
    return target
  }

  /// RFC 3986 §5.2.3.
  private func merged(with relative: String) -> String {
    if authority != nil, path.isEmpty { return "/" + relative }
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return relative }
    return path[...slash] + relative
  }

  /// RFC 3986 §5.2.4.
  private static func withoutDots(_ path: String) -> String {
    var kept: [Substring] = []
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { Substring($0) }
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".": if isLast { kept.append("") }
      case "..":
        // The first segment of an absolute path is the empty text before its slash.
        if kept.count > (isAbsolute ? 1 : 0) { kept.removeLast() }
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return kept.joined(separator: "/")
  }
}
