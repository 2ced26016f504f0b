/// A draft together with what compiling its expressions revealed.
///
/// A class, like its entries, because each rule forwards them to each part of an expression.
package final class ExpressionAnalysis {
  package struct Key: Hashable {
    package let range: TextRange
    /// The step that the expression belongs to: a YAML alias can put one text into several steps.
    package let step: Int

    /// All are in one file, and few start at the same place; hashing one number costs half as much as three.
    package func hash(into hasher: inout Hasher) {
      hasher.combine((range.start.line << 16 ^ range.start.column) << 16 ^ step)
    }
  }

  package final class Entry {
    let syntax: Syntax
    /// The expression and all its parts, which many rules visit.
    package let parts: [Syntax]
    /// `dyn` if the type depends on the values; `nil` if it was not compiled.
    package let compiled: CompiledExpression?
    package let draft: DraftExpression
    package let place: ExpressionPlace
    let makers: [Int]
    let isCredential: Bool

    init(
      _ parts: [Syntax], _ compiled: CompiledExpression?, _ draft: DraftExpression,
      at place: ExpressionPlace, makers: [Int], isCredential: Bool
    ) {
      syntax = parts[0]
      (self.parts, self.compiled, self.draft, self.place) = (parts, compiled, draft, place)
      (self.makers, self.isCredential) = (makers, isCredential)
    }
  }

  package let draft: DraftPipeline
  package let reader: DocumentReader
  let directory: StepDirectory
  package let loops: [Int: DraftLoop]
  private(set) var entries: [Key: Entry] = [:]
  private var lists: [ExpressionPlace: [Entry]] = [:]
  /// The variables that any expression reads.
  private(set) var variables: Set<String> = []
  /// Whether all expressions were compiled: if not, others may be read too.
  var isComplete = false
  package let requests: [(request: DraftRequest, step: Int)]
  private let loopOfStep: [Int: Int]

  init(_ draft: DraftPipeline, reader: DocumentReader, directory: StepDirectory) {
    (self.draft, self.reader, self.directory) = (draft, reader, directory)
    var loops: [Int: DraftLoop] = [:]
    for case .loop(let loop) in draft.nodes { loops[loops.count] = loop }
    self.loops = loops
    var loopOfStep: [Int: Int] = [:]
    for (number, loop) in loops { for step in loop.steps { loopOfStep[step.index] = number } }
    self.loopOfStep = loopOfStep
    requests =
      draft.steps.flatMap { step in step.requests.map { (request: $0, step: step.index) } }
      + loops.values.flatMap { loop in
        loop.onAbandon.map { (request: $0, step: loop.firstStep + loop.steps.count) }
      }
  }

  package func add(_ entry: Entry) {
    let place = entry.place
    entries[Key(range: entry.draft.range, step: place.step)] = entry
    for reference in entry.compiled?.references ?? [] { variables.insert(reference.variable) }
    // A response does not change its owner.
    lists[ExpressionPlace(step: place.step, loop: place.loop), default: []].append(entry)
  }

  /// The expressions that belong to a step itself, not to the list of its loop or to its compensations.
  package func entries(of step: DraftStep) -> [Entry] {
    lists[ExpressionPlace(step: step.index, loop: loopOfStep[step.index])] ?? []
  }

  package func entry(_ expression: DraftExpression?, in step: Int) -> Entry? {
    expression.flatMap { entries[Key(range: $0.range, step: step)] }
  }

  package func range(_ part: Syntax, in entry: Entry) -> TextRange {
    reader.range(part.range, of: entry.draft)
  }
}

extension ExpressionAnalysis.Entry {
  package func text(_ part: Syntax) -> String { text(part.range) }
  package func text(_ range: Range<Int>) -> String { texts(of: [range])[0] }
  /// The texts of the conditions that hold whenever this one does.
  var conjunctTexts: [String] { texts(of: syntax.conjuncts.map(\.range)) }

  private func texts(of ranges: [Range<Int>]) -> [String] {
    var source = draft.source
    let texts = source.withUTF8 { bytes -> [String]? in
      // If all is ASCII, as is usual, a byte is a scalar.
      guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
      return ranges.map {
        String(
          decoding: UnsafeBufferPointer(rebasing: bytes[$0.clamped(to: 0..<bytes.count)]),
          as: UTF8.self)
      }
    }
    if let texts { return texts }
    let scalars = Array(draft.source.unicodeScalars)
    return ranges.map { scalars[$0.clamped(to: 0..<scalars.count)].text }
  }

  package var variables: Set<String> { Set(compiled?.references.map(\.variable) ?? []) }
}
