extension DocumentAnalysis {
  typealias Symbol = DocumentIndex.Symbol

  /// The declaration of the name at a position; `nil` if there is no name or no declaration.
  public func definition(at position: SourcePosition) -> TextRange? {
    occurrence(at: position).flatMap { definition(of: $0.symbol)?.range }
  }

  /// All occurrences of the name at a position, in text order; empty if the position is at none.
  public func references(
    at position: SourcePosition, includingDefinition: Bool = true
  ) -> [TextRange] {
    guard let symbol = occurrence(at: position)?.symbol else { return [] }
    return places(of: symbol, includingDefinition: includingDefinition)
  }

  func places(of symbol: Symbol, includingDefinition: Bool) -> [TextRange] {
    index.occurrences.filter { $0.symbol == symbol && (includingDefinition || !$0.isDefinition) }
      .map(\.range).sorted { $0.start < $1.start }
  }

  func occurrence(at position: SourcePosition) -> DocumentIndex.Occurrence? {
    let position = lines.clamped(position)
    let found = index.occurrences.filter { $0.range.touches(position) }
    // Between two names, the one that starts there counts.
    return found.first { position < $0.range.end } ?? found.first
  }

  func definition(of symbol: Symbol) -> DocumentIndex.Occurrence? {
    index.occurrences.first { $0.symbol == symbol && $0.isDefinition }
  }

  /// The named parts of the document, in text order.
  public var documentSymbols: [DocumentSymbol] {
    let index = index
    var symbols: [DocumentSymbol] = index.inputs.map { input in
      DocumentSymbol(
        name: input.name.value, detail: input.kind?.rawValue, kind: .input, range: input.range,
        nameRange: input.name.range, children: [])
    }
    for (definitions, detail) in [
      (index.policies, "retry policy"), (index.credentials, "credentials"), (index.rates, "rate"),
    ] {
      symbols += definitions.map { definition in
        DocumentSymbol(
          name: definition.name.value, detail: detail, kind: .policy, range: definition.range,
          nameRange: definition.name.range, children: [])
      }
    }
    let inLoops = Dictionary(grouping: index.steps, by: \.loop)
    symbols += steps(inLoops[nil] ?? [])
    symbols += index.loops.enumerated().map { number, loop in
      DocumentSymbol(
        name: loop.id?.value ?? loop.variable.map { "for_each \($0.value)" } ?? "for_each",
        detail: "loop", kind: .loop, range: loop.range,
        nameRange: loop.variable?.range ?? emptyRange(at: loop.start),
        children: steps(inLoops[number] ?? []))
    }
    return symbols.sorted { $0.range.start < $1.range.start }
  }

  private func emptyRange(at place: SourcePosition) -> TextRange {
    TextRange(file: file, start: place, end: place)
  }

  private func steps(_ steps: [DocumentIndex.Step]) -> [DocumentSymbol] {
    var symbols: [DocumentSymbol] = []
    var rest = steps[...]
    while let step = rest.popFirst() {
      let inner = rest.prefix { step.range.contains($0.range) }
      rest = rest.dropFirst(inner.count)
      symbols.append(symbol(step, Array(inner)))
    }
    return symbols
  }

  private func symbol(_ step: DocumentIndex.Step, _ inner: [DocumentIndex.Step]) -> DocumentSymbol {
    let outputs = step.outputs.map { output in
      DocumentSymbol(
        name: output.name.value, detail: nil, kind: .output, range: output.range,
        nameRange: output.name.range, children: [])
    }
    return DocumentSymbol(
      name: step.id?.value ?? "(no id)", detail: step.action?.value, kind: .step,
      range: step.range, nameRange: step.id?.range ?? emptyRange(at: step.start),
      children: (outputs + steps(inner)).sorted { $0.range.start < $1.range.start })
  }

  /// All places of the name at a position, in text order; empty if the position is at none.
  public func highlights(at position: SourcePosition) -> [DocumentHighlight] {
    guard let symbol = occurrence(at: position)?.symbol else { return [] }
    return index.occurrences.filter { $0.symbol == symbol }
      .map { DocumentHighlight(range: $0.range, kind: $0.isDefinition ? .write : .read) }
      .sorted { $0.range.start < $1.range.start }
  }

  /// The files that the document names and that exist, and the schema that its first comment names, in text order.
  public var documentLinks: [DocumentLink] {
    var links = index.files.compactMap { link(to: $0.value, at: $0.range) }
    if let schema { links.append(schema) }
    return links.sorted { $0.range.start < $1.range.start }
  }

  private func link(to path: String, at range: TextRange) -> DocumentLink? {
    guard range.start.line == range.end.line, !path.isEmpty,
      files.text(DocumentPath.resolve(path, from: "")) != nil
    else { return nil }
    return DocumentLink(range: range, target: .file(DocumentPath.resolve(path, from: "")))
  }

  /// `# yaml-language-server: $schema=PATH` before the first key.
  private var schema: DocumentLink? {
    let mark = Array("$schema=".unicodeScalars)
    for number in 0..<min(lines.count, 100) {
      let scalars = lines.scalars(number)
      guard OutlineLine(scalars).isEmpty else { return nil }
      guard let found = scalars.firstRange(of: mark) else { continue }
      let end = scalars[found.upperBound...].firstIndex { $0 == " " || $0 == "\t" }
      let columns = found.upperBound..<(end ?? scalars.count)
      let name = scalars[columns].text
      let range = range(line: number + 1, columns)
      if name.hasPrefix("https://") || name.hasPrefix("http://") {
        return DocumentLink(range: range, target: .address(name))
      }
      return link(to: name, at: range)
    }
    return nil
  }
}

/// A place that has the name under the cursor.
public struct DocumentHighlight: Hashable, Sendable {
  /// How the name is used there.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Its value is read, or it is named.
    case read
    /// It is declared, which assigns its value.
    case write
  }

  /// The place.
  public let range: TextRange
  /// The use.
  public let kind: Kind
}

/// A place that names another document.
public struct DocumentLink: Hashable, Sendable {
  /// Where it is.
  public enum Target: Hashable, Sendable {
    /// A file: its path from the folder of the document, or an absolute path.
    case file(String)
    case address(String)
  }

  /// The name, without quotes.
  public let range: TextRange
  public let target: Target
}
