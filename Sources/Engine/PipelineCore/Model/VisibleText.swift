extension String {
  /// The text as one line without side effects, regardless of its origin: for a terminal, a log or a page.
  ///
  /// File names and servers' texts may contain characters that control a terminal, change the direction of writing, are
  /// invisible, or end the line, and sequences that a build server would treat as a command of ours. They become JSON
  /// escapes, so that JSON stays JSON with the same value.
  public var visibleLine: String {
    isPlain(keepingLines: false) ? self : escaped(keepingLines: false)
  }

  /// The text including its line ends and tabs; otherwise like ``visibleLine``.
  public var visible: String { isPlain(keepingLines: true) ? self : escaped(keepingLines: true) }

  /// Whether everything is printable ASCII and nothing looks like a command.
  private func isPlain(keepingLines: Bool) -> Bool {
    var previous: UInt8 = 0
    for byte in utf8 {
      let isKept = keepingLines && (byte == 0x0A || byte == 0x09)
      guard isKept || byte >= 0x20 && byte < 0x7F else { return false }
      if byte == previous, byte == 0x3A || byte == 0x23 { return false }
      previous = byte
    }
    return true
  }

  private func escaped(keepingLines: Bool) -> String {
    var result = String.UnicodeScalarView()
    let scalars = unicodeScalars
    var isStart = true
    var index = scalars.startIndex
    while index < scalars.endIndex {
      let scalar = scalars[index]
      let rest = scalars[scalars.index(after: index)...]
      let isKept =
        keepingLines && (scalar == "\n" || scalar == "\t")
        || !scalar.isInvisible && !(isStart && scalar == ":" && rest.first == ":")
          && !(scalar == "#" && Self.beginsCommand(rest))
      if isKept {
        result.append(scalar)
      } else {
        result.append(contentsOf: scalar.escape.unicodeScalars)
      }
      isStart = isKept && (scalar == "\n" || isStart && scalar.properties.isWhitespace)
      index = scalars.index(after: index)
    }
    return String(result)
  }

  /// Whether the text after a `#` makes it a command of a build server, anywhere in a line: `##[error]`,
  /// `##vso[…]`, `##teamcity[…]`.
  private static func beginsCommand(_ rest: Substring.UnicodeScalarView) -> Bool {
    rest.first == "#" && rest.dropFirst().first { !$0.properties.isAlphabetic } == "["
  }
}

extension Unicode.Scalar {
  /// Whether it is invisible: controls, direction marks, zero-width characters, line separators.
  public var isInvisible: Bool {
    if value >= 0x20, value < 0x7F { return false }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// The JSON escape for it.
  public var escape: String {
    switch self {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default:
      UTF16.encode(self).map { units in
        units.map { unit in
          let digits = String(unit, radix: 16)
          return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
      } ?? "\u{FFFD}"
    }
  }
}
