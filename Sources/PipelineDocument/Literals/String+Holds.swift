extension String {
  /// Whether `piece` stands in it.
  ///
  /// The standard library's search among generic collections costs more than reading a whole document does.
  func holds(_ piece: StaticString) -> Bool {
    var text = self
    return text.withUTF8 { bytes in
      piece.withUTF8Buffer { piece in
        guard let first = piece.first, bytes.count >= piece.count else { return piece.isEmpty }
        for start in 0...(bytes.count - piece.count) where bytes[start] == first {
          if (1..<piece.count).allSatisfy({ bytes[start + $0] == piece[$0] }) { return true }
        }
        return false
      }
    }
  }
}
