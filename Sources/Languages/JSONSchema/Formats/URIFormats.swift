/// The grammar of URIs (RFC 3986 appendix A) and IRIs (RFC 3987 §2.2).
struct URIGrammar {
  let isInternational: Bool

  func isReference(_ text: String, needsScheme: Bool) -> Bool {
    var rest = Array(text.unicodeScalars)[...]
    if let mark = rest.firstIndex(of: "#") {
      guard consists(rest[(mark + 1)...], of: isQueryCharacter) else { return false }
      rest = rest[..<mark]
    }
    if let mark = rest.firstIndex(of: "?") {
      let query = rest[(mark + 1)...]
      guard consists(query, of: { isQueryCharacter($0) || isPrivate($0) }) else { return false }
      rest = rest[..<mark]
    }
    if let mark = rest.firstIndex(where: { $0 == ":" || $0 == "/" }), rest[mark] == ":" {
      // A colon in the first segment is only allowed after a scheme (§4.2).
      guard isScheme(rest[..<mark]) else { return false }
      rest = rest[(mark + 1)...]
    } else if needsScheme {
      return false
    }
    if rest.starts(with: ["/", "/"]) {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: "/") ?? rest.endIndex
      guard isAuthority(rest[..<end]) else { return false }
      rest = rest[end...]
    }
    return consists(rest) { isPathCharacter($0) || $0 == "/" }
  }

  private func isScheme(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let first = text.first, isASCIILetter(first) else { return false }
    return text.allSatisfy {
      isASCIILetter($0) || isASCIIDigit($0) || $0 == "+" || $0 == "-" || $0 == "."
    }
  }

  private func isAuthority(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    var rest = text
    if let at = rest.lastIndex(of: "@") {
      let isUser = { (scalar: Unicode.Scalar) in
        isUnreserved(scalar) || isSubDelimiter(scalar) || scalar == ":"
      }
      guard consists(rest[..<at], of: isUser) else { return false }
      rest = rest[(at + 1)...]
    }
    if rest.first == "[" {
      guard let close = rest.firstIndex(of: "]") else { return false }
      return isLiteral(rest[(rest.startIndex + 1)..<close]) && isPort(rest[(close + 1)...])
    }
    let colon = rest.firstIndex(of: ":") ?? rest.endIndex
    return consists(rest[..<colon]) { isUnreserved($0) || isSubDelimiter($0) }
      && isPort(rest[colon...])
  }

  private func isPort(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    text.isEmpty || (text.first == ":" && text.dropFirst().allSatisfy(isASCIIDigit))
  }

  /// The allowed text between brackets: an IPv6 address or a future form.
  private func isLiteral(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    guard text.allSatisfy(\.isASCII) else { return false }
    let bytes = text.map { UInt8($0.value) }
    guard let first = bytes.first, first | 0x20 == 0x76
    else { return FormatRules.isIPv6(bytes[...]) }
    guard let dot = bytes.firstIndex(of: 0x2E), dot > 1, dot + 1 < bytes.count else { return false }
    return bytes[1..<dot].allSatisfy { Hexadecimal.value($0) != nil }
      && text.dropFirst(dot + 1).allSatisfy { isUnreserved($0) || isSubDelimiter($0) || $0 == ":" }
  }

  /// Whether every scalar is allowed or part of a percent-encoded byte.
  private func consists(
    _ text: ArraySlice<Unicode.Scalar>, of isAllowed: (Unicode.Scalar) -> Bool
  ) -> Bool {
    var rest = text
    while let scalar = rest.popFirst() {
      guard scalar == "%" ? takeHexadecimal(&rest) : isAllowed(scalar) else { return false }
    }
    return true
  }

  private func isQueryCharacter(_ scalar: Unicode.Scalar) -> Bool {
    isPathCharacter(scalar) || scalar == "/" || scalar == "?"
  }

  private func isPathCharacter(_ scalar: Unicode.Scalar) -> Bool {
    isUnreserved(scalar) || isSubDelimiter(scalar) || scalar == ":" || scalar == "@"
  }

  private func isUnreserved(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "-", ".", "_", "~": true
    default:
      isASCIILetter(scalar) || isASCIIDigit(scalar)
        || (isInternational && Self.isInternationalCharacter(scalar))
    }
  }

  private func isSubDelimiter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "=": true
    default: false
    }
  }

  private func isPrivate(_ scalar: Unicode.Scalar) -> Bool {
    guard isInternational else { return false }
    return switch scalar.value {
    case 0xE000...0xF8FF, 0xF0000...0xFFFFD, 0x100000...0x10FFFD: true
    default: false
    }
  }

  /// `ucschar` of RFC 3987 §2.2.
  static func isInternationalCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xA0...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFEF: true
    case 0x10000...0xDFFFF: scalar.value & 0xFFFF <= 0xFFFD
    case 0xE1000...0xEFFFD: true
    default: false
    }
  }
}

private func isASCIILetter(_ scalar: Unicode.Scalar) -> Bool {
  ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
}

/// Consumes the two digits after a percent sign.
private func takeHexadecimal(_ rest: inout ArraySlice<Unicode.Scalar>) -> Bool {
  rest.popFirst()?.hexValue != nil && rest.popFirst()?.hexValue != nil
}

private func isASCIIDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

/// URI templates (RFC 6570 §2).
extension FormatRules {
  static func isURITemplate(_ text: String) -> Bool {
    var rest = Array(text.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "{":
        guard let close = rest.firstIndex(of: "}"), isExpression(rest[..<close])
        else { return false }
        rest = rest[(close + 1)...]
      case "%": guard takeHexadecimal(&rest) else { return false }
      default: guard isLiteral(scalar) else { return false }
      }
    }
    return true
  }

  /// `literals`; the apostrophe is allowed by erratum 6937.
  private static func isLiteral(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{0}"..." ", "\"", "<", ">", "\\", "^", "`", "|", "}", "\u{7F}": false
    default:
      scalar.isASCII || URIGrammar.isInternationalCharacter(scalar)
        || (0xE000...0xF8FF).contains(scalar.value) || scalar.value >= 0xF0000
    }
  }

  private static func isExpression(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    var rest = text
    if let first = rest.first, "+#./;?&=,!@|".unicodeScalars.contains(first) {
      // The last five are reserved for extensions and are not operators yet (§2.2).
      guard !"=,!@|".unicodeScalars.contains(first) else { return false }
      rest = rest.dropFirst()
    }
    return rest.split(separator: ",", omittingEmptySubsequences: false).allSatisfy(isVariable)
  }

  private static func isVariable(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    var name = text
    if name.last == "*" {
      name = name.dropLast()
    } else if let colon = name.firstIndex(of: ":") {
      let digits = name[(colon + 1)...]
      guard (1...4).contains(digits.count), digits.first != "0", digits.allSatisfy(isASCIIDigit)
      else { return false }
      name = name[..<colon]
    }
    return name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isNamePart)
  }

  private static func isNamePart(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    var rest = text
    guard !rest.isEmpty else { return false }
    while let scalar = rest.popFirst() {
      let isAllowed = isASCIILetter(scalar) || isASCIIDigit(scalar) || scalar == "_"
      guard scalar == "%" ? takeHexadecimal(&rest) : isAllowed else { return false }
    }
    return true
  }
}
