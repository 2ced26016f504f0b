/// The parts of an absolute URL (RFC 3986 §3), found by bytes: searching characters is ten times slower, and each request asks
/// several times.
extension String {
  /// The start of the authority, after `://`; `nil` if there is no authority.
  package var authorityStart: Index? {
    var rest = utf8[...]
    while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
      rest = rest[rest.index(after: colon)...]
      if rest.starts(with: "//".utf8) { return rest.index(rest.startIndex, offsetBy: 2) }
    }
    return nil
  }

  /// The start of the path, the query or the fragment after the authority at `start`.
  package func authorityEnd(after start: Index) -> Index {
    utf8[start...].firstIndex {
      $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
    } ?? endIndex
  }

  /// Whether it contains `origin`, the start of a URL in lower case, with nothing after it there that is part of the host.
  func names(origin: String) -> Bool {
    let (text, wanted) = (Array(utf8), Array(origin.utf8))
    guard !wanted.isEmpty, text.count >= wanted.count else { return false }
    for start in 0...text.count - wanted.count {
      guard zip(text[start...], wanted).allSatisfy({ Self.lowered($0) == $1 }) else { continue }
      guard start + wanted.count < text.count else { return true }
      if "/?#\"'".utf8.contains(text[start + wanted.count]) { return true }
    }
    return false
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }
}
