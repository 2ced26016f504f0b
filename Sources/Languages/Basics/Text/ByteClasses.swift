/// Classes of ASCII characters.
extension UInt8 {
  @inlinable package var isDigit: Bool { self &- 0x30 < 10 }
  @inlinable package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
  @inlinable package var isAlphanumeric: Bool { isDigit || isLetter }
  @inlinable package var isLineBreak: Bool { self == 0x0A || self == 0x0D }
  @inlinable package var isWhitespace: Bool { self == 0x20 || self == 0x09 || isLineBreak }
  @inlinable package var isQuote: Bool { self == 0x22 || self == 0x27 }
  /// Whether it may be part of a token (RFC 9110 §5.6.2).
  package var isTokenPart: Bool { isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(self) }
}
