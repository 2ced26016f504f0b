/// Finds an expression whose own quote ends the quoted scalar that contains it, as in `"${{ header("x") }}"`.
enum EndedQuote {
  /// The expression that a quoted scalar on the line of the syntax error at `offset` cuts.
  static func issue(around offset: Int, in source: SourceText) -> YAMLIssue? {
    var index = lineStart(of: offset, in: source)
    var before: UInt8?
    while index <= offset, let byte = source.byte(index), !byte.isLineBreak {
      guard byte.isQuote, before.map({ openers.contains($0) }) ?? true else {
        if byte != UInt8(ascii: " ") { before = byte }
        index += 1
        continue
      }
      guard let (end, hasLines) = source.closingQuote(from: index), !hasLines else { return nil }
      if let cut = expression(cutAt: end, after: index, in: source) {
        return issue(from: index, endedAt: end, expression: cut, in: source)
      }
      before = byte
      index = end + 1
    }
    return nil
  }

  /// The text before a quoted scalar, except for spaces.
  static let openers = Set(":,{[-?".utf8)

  private static func lineStart(of offset: Int, in source: SourceText) -> Int {
    let before = source.bytes[source.start..<min(offset, source.bytes.count)]
    return before.lastIndex(where: \.isLineBreak).map { $0 + 1 } ?? source.start
  }

  /// The bytes of the last expression that starts in the scalar at `start` and contains the quote at `end`.
  private static func expression(
    cutAt end: Int, after start: Int, in source: SourceText
  ) -> Range<Int>? {
    let opening = (start + 1..<end).last { UnquotedExpression.opens(at: $0, in: source) }
    guard let opening else { return nil }
    let close = UnquotedExpression.closing(from: opening, in: source)
    return source.has("}", at: close - 1) && close > end ? opening..<close : nil
  }

  private static func issue(
    from start: Int, endedAt end: Int, expression: Range<Int>, in source: SourceText
  ) -> YAMLIssue {
    let mark = source.string(end..<end + 1)
    let whole = scalar(from: start, after: expression, in: source)
    let fix = whole.flatMap { whole in
      quoted(whole, in: source).map { YAMLIssue.Fix(range: source.range(whole), replacement: $0) }
    }
    let advice =
      fix.map { "write \($0.replacement)" } ?? "write the value after '|-', on a line of its own"
    return YAMLIssue(
      .syntax, "the \(mark) in the expression ends the quoted text; \(advice)",
      at: source.range(end..<end + 1), fix: fix)
  }

  /// The bytes from the first quote to the intended last one.
  private static func scalar(
    from start: Int, after expression: Range<Int>, in source: SourceText
  ) -> Range<Int>? {
    var index = expression.upperBound
    while let byte = source.byte(index), !byte.isLineBreak {
      if UnquotedExpression.opens(at: index, in: source) {
        index = UnquotedExpression.closing(from: index, in: source)
      } else if byte == source.byte(start) {
        return start..<index + 1
      } else {
        index += 1
      }
    }
    return nil
  }

  /// The same text in quotes that it does not contain; `nil` if it contains both, or escapes.
  private static func quoted(_ scalar: Range<Int>, in source: SourceText) -> String? {
    let text = source.string(scalar.lowerBound + 1..<scalar.upperBound - 1)
    guard !text.contains("\\") else { return nil }
    if !text.contains("'") { return "'\(text)'" }
    return text.contains("\"") ? nil : "\"\(text)\""
  }
}
