public import Basics
public import PipelineDocument
import PipelineCore

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
    // Between two names, the one that begins there counts.
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
}
