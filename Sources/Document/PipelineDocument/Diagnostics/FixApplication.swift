/// Applies safe fixes to a text.
public enum FixApplication {
  /// The text with the safe fixes of `diagnostics` applied, and their number.
  ///
  /// If fixes overlap, the first one is applied; the next check of the new text finds the others again.
  public static func apply(
    _ diagnostics: [Diagnostic], to text: String
  ) -> (text: String, count: Int) {
    let fixes = Set(diagnostics.compactMap(\.fix).filter(\.isSafe)).sorted {
      ($0.range.start, $0.range.end) < ($1.range.start, $1.range.end)
    }
    guard !fixes.isEmpty else { return (text, 0) }
    var writer = Writer(text)
    for fix in fixes { writer.put(fix) }
    return writer.finished()
  }

  private struct Writer {
    private let scalars: [Unicode.Scalar]
    private var result = String.UnicodeScalarView()
    private var index = 0
    private var place = SourcePosition(line: 1, column: 1)
    private var count = 0

    init(_ text: String) {
      scalars = Array(text.unicodeScalars)
      if scalars.first == "\u{FEFF}" { advance() }
      place = SourcePosition(line: 1, column: 1)
    }

    package mutating func put(_ fix: Diagnostic.Fix) {
      guard fix.range.start >= place else { return }
      while index < scalars.count, place < fix.range.start { advance() }
      result.append(contentsOf: fix.replacement.unicodeScalars)
      while index < scalars.count, place < fix.range.end { advance(isKept: false) }
      count += 1
    }

    package mutating func finished() -> (text: String, count: Int) {
      while index < scalars.count { advance() }
      return (String(result), count)
    }

    private mutating func advance(isKept: Bool = true) {
      let scalar = scalars[index]
      let isReturnOfPair = scalar == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n"
      if isKept { result.append(scalar) }
      index += 1
      place =
        (scalar == "\n" || scalar == "\r") && !isReturnOfPair
        ? SourcePosition(line: place.line + 1, column: 1)
        : SourcePosition(line: place.line, column: place.column + 1)
    }
  }
}
