/// Finds an expression `${{ … }}` in a plain scalar that YAML splits: at `{`, at `: ` or at ` #`.
enum UnquotedExpression {
  /// The expression around the byte at `offset`, the position of a syntax error.
  static func issue(around offset: Int, in source: SourceText, isFlow: Bool) -> YAMLIssue? {
    // Expressions span a few lines; the bound keeps the search linear in a long file.
    let near = max(source.start, offset - 4096)...max(source.start, offset)
    guard let start = near.last(where: { opens(at: $0, in: source) }) else { return nil }
    let end = closing(from: start, in: source)
    return offset < end ? issue(from: start, to: end, in: source, isFlow: isFlow) : nil
  }

  /// A value that starts with `{{`, as in other tools, where text follows the part that YAML reads as a mapping.
  static func issue(unmarkedBefore offset: Int, in source: SourceText) -> YAMLIssue? {
    var start = offset
    while let byte = source.byte(start - 1), start > source.start, byte != 0x0A { start -= 1 }
    guard let start = (start..<offset).first(where: { source.has(": {{", at: $0 - 2) })
    else { return nil }
    var end = start
    while let byte = source.byte(end), !byte.isLineBreak { end += 1 }
    let text = source.string(start..<end)
    guard text.contains("}}"), !text.contains("\"") else { return nil }
    return YAMLIssue(
      .unquotedExpression,
      "an expression starts with '${{', and YAML reads '{{' as a mapping; write \"$\(text)\"",
      at: source.range(start..<end))
  }

  /// The expression in a plain scalar at `range` that ends before the expression does.
  static func issue(cutFrom range: Range<Int>, in source: SourceText, isFlow: Bool) -> YAMLIssue? {
    var offset = range.lowerBound
    while offset < range.upperBound {
      if opens(at: offset, in: source) {
        let end = closing(from: offset, in: source)
        if end > range.upperBound {
          return issue(from: offset, to: end, in: source, isFlow: isFlow)
        }
        offset = end
      } else {
        offset += 1
      }
    }
    return nil
  }

  static func opens(at offset: Int, in source: SourceText) -> Bool {
    source.byte(offset) == UInt8(ascii: "$") && source.has("{{", at: offset + 1)
  }

  /// The offset after the braces that close the expression at `start`, or else the end of the line.
  static func closing(from start: Int, in source: SourceText) -> Int {
    var depth = 0
    var quote: UInt8?
    var offset = start + 1
    var lineEnd: Int?
    while let byte = source.byte(offset), offset < start + 8192 {
      switch byte {
      case 0x0A, 0x0D:
        if lineEnd == nil { lineEnd = offset }
        quote = nil
      case UInt8(ascii: "\\") where quote != nil: offset += 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if quote == byte { quote = nil } else if quote == nil { quote = byte }
      case UInt8(ascii: "{") where quote == nil: depth += 1
      case UInt8(ascii: "}") where quote == nil:
        depth -= 1
        if depth == 0 { return offset + 1 }
      default: break
      }
      offset += 1
    }
    // White space at the end of the line is not part of a plain scalar.
    var end = lineEnd ?? min(offset, source.bytes.count)
    while end > start, source.byte(end - 1) == UInt8(ascii: " ") { end -= 1 }
    return end
  }

  private static func issue(
    from start: Int, to end: Int, in source: SourceText, isFlow: Bool
  ) -> YAMLIssue? {
    let value = valueBounds(around: start..<end, in: source, isFlow: isFlow)
    // Text that starts with a quote is already quoted; adding more quotes would fix nothing, forever.
    guard let first = source.byte(value.lowerBound), !first.isQuote
    else { return nil }
    let quoted = quote(source.string(value))
    let reason =
      isFlow
      ? "inside '{…}' and '[…]' YAML reads its braces as a mapping"
      : "YAML cuts a plain value at ': ' and ' #'"
    return YAMLIssue(
      .unquotedExpression, "quote the expression: \(reason); write \(quoted)",
      at: source.range(start..<end),
      fix: YAMLIssue.Fix(range: source.range(value), replacement: quoted))
  }

  /// The whole plain value that contains the expression, within its line.
  private static func valueBounds(
    around expression: Range<Int>, in source: SourceText, isFlow: Bool
  ) -> Range<Int> {
    var start = expression.lowerBound
    while let before = source.byte(start - 1), start > source.start,
      !before.isLineBreak, !isFlow || !"[{,".utf8.contains(before)
    {
      if [": ", "- ", "? ", ", "].contains(where: { source.has($0, at: start - 2) }) { break }
      start -= 1
    }
    while source.has(" ", at: start), start < expression.lowerBound { start += 1 }
    var end = expression.upperBound
    while let next = source.byte(end), !next.isLineBreak,
      !isFlow || !"]},".utf8.contains(next), !source.has(" #", at: end)
    {
      end += 1
    }
    while end > expression.upperBound, source.has(" ", at: end - 1) { end -= 1 }
    return start..<end
  }

  private static func quote(_ text: String) -> String {
    if !text.contains("\""), !text.contains("\\") { return "\"\(text)\"" }
    let parts = text.split(separator: "'", omittingEmptySubsequences: false)
    return "'\(parts.joined(separator: "''"))'"
  }
}
