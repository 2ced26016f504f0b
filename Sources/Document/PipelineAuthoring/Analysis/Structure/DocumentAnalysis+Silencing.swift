extension DocumentAnalysis {
  /// The edits that ignore findings in a range, each with its finding, where a comment may do that.
  ///
  /// Findings that prevent a run cannot be ignored, nor those inside a text of several lines.
  public func silencings(in range: TextRange) -> [(diagnostic: Diagnostic, fix: Diagnostic.Fix)] {
    let found = diagnostics.filter { diagnostic in
      diagnostic.range.start <= range.end && range.start <= diagnostic.range.end
        && !diagnostic.code.isStructural
    }
    // A text with nothing to ignore is not read again.
    guard !found.isEmpty, let root = index.document?.root else { return [] }
    let comments = IgnoreCommentReader(file: file, bytes: lines.bytes, root: root).comments()
    var seen: Set<String> = []
    return found.compactMap { diagnostic in
      let line = diagnostic.range.start.line
      guard seen.insert("\(line) \(diagnostic.code.rawValue)").inserted,
        let fix = silencing(diagnostic.code, line, comments, root)
      else { return nil }
      return (diagnostic, fix)
    }
  }

  private func silencing(
    _ code: DiagnosticCode, _ line: Int, _ comments: [IgnoreComment], _ root: YAMLNode
  ) -> Diagnostic.Fix? {
    if let comment = comments.last(where: { $0.line == line && !$0.codes.isEmpty }),
      let last = comment.codes.last
    {
      let place = last.range.end
      return Diagnostic.Fix(
        range: TextRange(file: file, start: place, end: place), replacement: ", \(code.rawValue)")
    }
    let blanks = lines.scalars(line - 1).prefix { $0 == " " || $0 == "\t" }
    guard !contains(root, SourcePosition(line: line, column: blanks.count + 1)) else { return nil }
    let place = SourcePosition(line: line, column: 1)
    // A comment without a reason is a finding itself.
    return Diagnostic.Fix(
      range: TextRange(file: file, start: place, end: place),
      replacement: "\(blanks.text)# pipeline: ignore[\(code.rawValue)] explain why"
        + lineBreak(before: line))
  }

  private func lineBreak(before line: Int) -> String {
    let end = lines.byteRange(line - 1).upperBound
    let isPair = lines.bytes[end...].starts(with: [0x0D, 0x0A])
    return isPair ? "\r\n" : lines.bytes[end...].first == 0x0D ? "\r" : "\n"
  }

  /// Whether a scalar that starts before the position continues there.
  private func contains(_ node: YAMLNode, _ place: SourcePosition) -> Bool {
    switch node.content {
    case .scalar: node.range.start < place && place < node.range.end
    case .sequence(let elements): elements.contains { contains($0, place) }
    case .mapping(let entries):
      entries.contains { contains($0.key, place) || contains($0.value, place) }
    case .alias: false
    }
  }
}
