/// Finds a quoted scalar that is not closed on its line, so that the next quote of the file ends it, lines later.
struct UnclosedQuote {
  private let source: SourceText
  private var index: Int
  /// The indentation of the key of a block scalar, whose lines are text.
  private var block: Int?

  private init(_ source: SourceText) {
    self.source = source
    index = source.start
  }

  /// The scalar that ends on the line of the syntax error at `offset`, and starts on an earlier one.
  static func issue(before offset: Int, in source: SourceText) -> YAMLIssue? {
    var scan = Self(source)
    while scan.index <= offset, scan.index < source.bytes.count {
      guard let scalar = scan.line(), scalar.upperBound <= offset else { continue }
      guard !source.string(scalar.upperBound..<offset).contains("\n") else { continue }
      let end = source.position(atOffset: scalar.upperBound - 1)
      return YAMLIssue(
        .syntax,
        "this quoted text ends only in line \(end.line); close the quote where the text ends",
        at: source.range(scalar.lowerBound..<scalar.lowerBound + 1),
        notes: [
          YAMLIssue.Note(
            message: "it ends here", range: source.range(scalar.upperBound - 1..<scalar.upperBound))
        ])
    }
    return nil
  }

  /// Reads up to the end of a line; returns a quoted scalar of several lines that ended on it.
  private mutating func line() -> Range<Int>? {
    let start = index
    var indentation = 0
    while source.has(" ", at: start + indentation) { indentation += 1 }
    index += indentation
    if let block, indentation > block || source.byte(index)?.isLineBreak != false {
      skipLine()
      return nil
    }
    block = nil
    var before: UInt8?
    var isAfterSpace = true
    var found: Range<Int>?
    while let byte = source.byte(index), byte != 0x0A {
      if byte == UInt8(ascii: "#"), isAfterSpace {
        skipLine()
        return found
      }
      if byte.isQuote, before.map({ EndedQuote.openers.contains($0) }) ?? true {
        found = quoted()
        before = byte
        continue
      }
      isAfterSpace = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
      if !isAfterSpace, byte != 0x0D { before = byte }
      if byte == UInt8(ascii: "|") || byte == UInt8(ascii: ">"), beginsBlock { block = indentation }
      index += 1
    }
    index += 1
    return found
  }

  /// Whether only indicators of a block scalar follow on the line.
  private var beginsBlock: Bool {
    var rest = index + 1
    while let byte = source.byte(rest), byte != 0x0A {
      guard
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == 0x0D
          || (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(byte)
      else { return false }
      rest += 1
    }
    return true
  }

  private mutating func skipLine() {
    while let byte = source.byte(index), byte != 0x0A { index += 1 }
    index += 1
  }

  /// Reads a quoted scalar; returns it if it has several lines and an end.
  private mutating func quoted() -> Range<Int>? {
    let (start, end) = (index, source.closingQuote(from: index))
    index = end.map { $0.offset + 1 } ?? source.bytes.count
    return end?.hasLines == true ? start..<index : nil
  }
}
