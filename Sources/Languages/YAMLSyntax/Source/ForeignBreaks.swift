/// Characters that end a line for libyaml (YAML 1.1) but not in YAML 1.2 (§5.4), replaced while libyaml reads the text.
///
/// Each has a placeholder of as many bytes that the text does not contain, so all positions stay the same.
struct ForeignBreaks {
  private var placeholders: [(original: [UInt8], placeholder: [UInt8])] = []

  /// The placeholders for the characters that occur in the text.
  init(in source: SourceText) {
    guard source.hasForeignBreaks else { return }
    // Letters of N'Ko have two bytes, and private characters three.
    for (scalar, first) in [("\u{85}", 0x7C0), ("\u{2028}", 0xE000), ("\u{2029}", 0xE000)] {
      let original = Array(scalar.utf8)
      guard source.bytes.contains(original) else { continue }
      let candidates = (first..<first + 64).lazy.compactMap(Unicode.Scalar.init)
        .map { Array(String($0).utf8) }
      // A text with all candidates was crafted; its lines then end as in YAML 1.1.
      for candidate in candidates
      where !placeholders.contains(where: { $0.placeholder == candidate })
        && !source.bytes.contains(candidate)
      {
        placeholders.append((original, candidate))
        break
      }
    }
  }

  /// The text for libyaml.
  func replaced(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    placeholders.reduce(Array(bytes)) { $0.replacing($1.original, with: $1.placeholder) }
  }

  /// A text from libyaml as it is in the file.
  func restored(_ text: String) -> String {
    guard !placeholders.isEmpty else { return text }
    let bytes = placeholders.reduce(Array(text.utf8)) {
      $0.replacing($1.placeholder, with: $1.original)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
