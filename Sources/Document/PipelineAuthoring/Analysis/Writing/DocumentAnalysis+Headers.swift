extension DocumentAnalysis {
  func headerNames(
    _ context: CursorContext, _ place: CursorPlace, _ range: TextRange
  ) -> [Completion] {
    guard let owner = place.owner, owner.key == "headers" || owner.key == "trailers",
      place.shapes.mapped != nil, Self.sendsHeaders(owner.construct)
    else { return [] }
    let present = Set(context.siblings.map { $0.lowercased() })
    return HeaderReference.headers.enumerated()
      .filter { !present.contains($0.element.name.lowercased()) }
      .map { order, header in
        Completion(
          label: header.name, kind: .header, detail: "header", documentation: header.summary,
          range: range, text: context.hasColon ? header.name : "\(header.name): ", snippet: nil,
          sortText: "0\(Self.order(order))")
      }
  }

  /// Whether the headers of a construct are sent; those of responses in tests and examples are others.
  private static func sendsHeaders(_ construct: Construct) -> Bool {
    ![Construct.response, .example].contains(construct) && construct.name != "reply"
  }

  func headerValues(
    _ context: CursorContext, _ place: CursorPlace, _ position: SourcePosition
  ) -> [Completion] {
    guard let owner = place.owner, case .key(let key)? = context.path.last else { return [] }
    let range = range(line: position.line, wordRange(at: position))
    switch (owner.construct, owner.key) {
    case (_, "headers") where key != "headers", (_, "trailers") where key != "trailers":
      return (HeaderReference.header(key)?.values ?? []).enumerated().map { order, value in
        self.value(value, HeaderReference.header(key)?.summary, range, order, context)
      }
    case (.part, "content_type"):
      return (HeaderReference.header("Content-Type")?.values ?? []).enumerated().map {
        value($0.element, nil, range, $0.offset, context)
      }
    case (.idempotency, "header"):
      return ["Idempotency-Key", "X-Request-Id", "Request-Id"].enumerated().map {
        value($0.element, HeaderReference.header($0.element)?.summary, range, $0.offset, context)
      }
    default: return []
    }
  }

  private func value(
    _ text: String, _ documentation: String?, _ range: TextRange, _ order: Int,
    _ context: CursorContext
  ) -> Completion {
    Completion(
      label: text, kind: .value, detail: nil, documentation: documentation, range: range,
      text: isQuoted(at: range) ? text : Self.written(text, isFlow: context.isFlow), snippet: nil,
      sortText: "0\(Self.order(order))")
  }

  static func written(_ text: String, isFlow: Bool) -> String {
    let isPlain =
      text.unicodeScalars.first.map { !"*&!%@`'\"|>#{}[],".unicodeScalars.contains($0) } ?? false
      && !text.contains(": ") && !text.contains(" #")
      && !(isFlow && text.contains { "[]{},".contains($0) })
    return isPlain ? text : "\"\(text)\""
  }

  func isQuoted(at range: TextRange) -> Bool {
    let before = lines.scalars(range.start.line - 1).prefix(range.start.column - 1)
    return before.last == "\"" || before.last == "'"
  }

  /// The columns of the text around a position up to white space, a quote, a comma or a bracket.
  func wordRange(at position: SourcePosition) -> Range<Int> {
    let scalars = lines.scalars(position.line - 1)
    func isPart(_ scalar: Unicode.Scalar) -> Bool { !" \t\"',[]{}".unicodeScalars.contains(scalar) }
    var start = min(position.column - 1, scalars.count)
    var end = start
    // A colon right before the position ends a key.
    if start == 0 || scalars[start - 1] != ":" {
      while start > 0, isPart(scalars[start - 1]) { start -= 1 }
    }
    while end < scalars.count, isPart(scalars[end]) { end += 1 }
    return start..<end
  }

  func paths(
    _ context: CursorContext, _ place: CursorPlace, _ position: SourcePosition
  ) -> [Completion] {
    guard let owner = place.owner, DocumentIndex.namesFile(owner.construct, owner.key),
      place.shapes.contains(where: { if case .text = $0 { true } else { false } })
    else { return [] }
    let scalars = lines.scalars(position.line - 1)
    let word = wordRange(at: position)
    let cursor = min(max(position.column - 1, word.lowerBound), word.upperBound)
    let slash = scalars[word.lowerBound..<cursor].lastIndex(of: "/")
    let start = slash.map { $0 + 1 } ?? word.lowerBound
    let folder = scalars[word.lowerBound..<start].text
    let end = scalars[cursor..<word.upperBound].firstIndex(of: "/") ?? word.upperBound
    let range = range(line: position.line, start..<end)
    return entries(of: folder, hidden: start < scalars.count && scalars[start] == ".")
      .map { entry in
        let isFolder = entry.hasSuffix("/")
        return Completion(
          label: entry, kind: isFolder ? .folder : .file, detail: nil, documentation: nil,
          range: range, text: entry, snippet: nil, sortText: "\(isFolder ? 1 : 0)\(entry)")
      }
  }

  private func entries(of folder: String, hidden: Bool) -> [String] {
    let own = DocumentPath.lastName(of: file)
    return files.entries(of: DocumentPath.resolve(folder, from: "")).sorted().filter { entry in
      if entry.hasPrefix("."), !hidden { return false }
      if entry.hasSuffix("/") { return true }
      if folder.isEmpty, entry == own { return false }
      // Neither tests nor scenarios can be named.
      return (entry.hasSuffix(".yaml") || entry.hasSuffix(".yml")) && !TestDocument.isNamed(entry)
        && !entry.hasSuffix(".scenario.yaml") && !entry.hasSuffix(".scenario.yml")
    }
  }
}
