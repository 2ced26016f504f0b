extension String {
  /// Whether it contains `piece`; the standard library's generic search costs more than reading a whole document.
  package func holds(_ piece: StaticString) -> Bool {
    var text = self
    return text.withUTF8 { $0.holds(piece) }
  }

  /// Whether it is a token (RFC 9110 §5.6.2), such as the name of a header.
  var isToken: Bool { !isEmpty && utf8.allSatisfy(\.isTokenPart) }

  /// Whether both are equal; compares lengths first, which differ for most names.
  func isSame(as other: String) -> Bool { utf8.count == other.utf8.count && self == other }
}

extension UnsafeBufferPointer<UInt8> {
  package func holds(_ piece: StaticString) -> Bool {
    piece.withUTF8Buffer { piece in
      guard let first = piece.first, count >= piece.count else { return piece.isEmpty }
      for start in 0...(count - piece.count) where self[start] == first {
        if (1..<piece.count).allSatisfy({ self[start + $0] == piece[$0] }) { return true }
      }
      return false
    }
  }
}

extension Unicode.Scalar {
  /// Whether it belongs to a name of an expression.
  package var isIdentifierPart: Bool {
    ("a"..."z").contains(self) || ("A"..."Z").contains(self) || ("0"..."9").contains(self)
      || self == "_"
  }
}

extension Collection<Unicode.Scalar> {
  /// The scalars as a string; writes all bytes at once, because the standard library appends scalar by scalar.
  package var text: String {
    String(unsafeUninitializedCapacity: 4 * count) { bytes in
      var length = 0
      for scalar in self {
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
          bytes[length] = byte
          length += 1
        }
      }
      return length
    }
  }
}
