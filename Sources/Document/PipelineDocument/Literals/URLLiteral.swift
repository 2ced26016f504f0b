/// Absolute `http` and `https` URLs (RFC 3986 §3, RFC 9110 §4.2).
enum URLLiteral {
  static func problem(_ text: String) -> String? {
    guard let colon = text.schemeMark
    else { return "expected an absolute URL such as 'https://example.com', found '\(text)'" }
    let scheme = text[..<colon.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https"
    else { return "the scheme '\(scheme)' is not supported, expected 'http' or 'https'" }
    let host = text[colon.upperBound...].prefix { !"/?#".contains($0) }
    guard !host.contains("@") else { return userProblem }
    let name = host.first == "[" ? host.prefix { $0 != "]" } : host.prefix { $0 != ":" }
    if name.isEmpty { return "the URL '\(text)' has no host" }
    guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
      return
        "'\(name)' is an international host name; write it in its ASCII form, which contains 'xn--'"
    }
    if host.count > name.count, host.first != "[" {
      guard let port = Int(host.dropFirst(name.count + 1)), (1...65535).contains(port)
      else { return "the URL '\(text)' has an invalid port, expected 1 to 65535" }
    }
    guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
    else { return "the URL '\(text)' has a space or control character; percent-encode it" }
    return nil
  }

  /// The text before `@` looks like a host, and may be a password.
  private static let userProblem = "a URL cannot contain a user before '@'; use 'basic' instead"

  static func problem(beginning text: String) -> String? {
    guard !text.isEmpty else { return nil }
    let schemes = ["http://", "https://"]
    let lower = text.lowercased()
    if let mark = text.schemeMark,
      text[mark.upperBound...].prefix(while: { !"/?#".contains($0) }).contains("@")
    {
      return userProblem
    }
    if schemes.contains(where: { lower.hasPrefix($0) || $0.hasPrefix(lower) }) { return nil }
    return "expected a URL that starts with 'http://' or 'https://', found '\(text)'"
  }
}

extension String {
  var schemeMark: Range<Index>? {
    var rest = utf8[...]
    while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
      rest = rest[colon...]
      if rest.starts(with: "://".utf8) { return colon..<utf8.index(colon, offsetBy: 3) }
      rest = rest.dropFirst()
    }
    return nil
  }
}
