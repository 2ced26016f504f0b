extension String {
  /// Whether `piece` stands in it.
  ///
  /// The standard library's search among generic collections costs more than reading a whole document does.
  package func holds(_ piece: StaticString) -> Bool {
    var text = self
    return text.withUTF8 { $0.holds(piece) }
  }

  /// Whether both are the same, told by their lengths where these differ: most names do.
  func isSame(as other: String) -> Bool { utf8.count == other.utf8.count && self == other }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether `piece` stands in it.
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

extension Collection<Unicode.Scalar> {
  /// The scalars as a string.
  ///
  /// Bytes are written in one go: the standard library appends to a string scalar by scalar.
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
