package import CEL

/// A draft together with what compiling its expressions found out.
///
/// A reference, and so are its entries: each rule hands them on for every part of an expression.
package final class Analysis {
  /// One expression, at one place.
  package struct Key: Hashable {
    /// From `${{` to `}}`.
    package let range: TextRange
    /// The step whose expression it is: an alias puts one text into several steps.
    package let step: Int

    /// All are of one file, and few begin at one place; one number costs half of what three do.
    package func hash(into hasher: inout Hasher) {
      hasher.combine((range.start.line << 16 ^ range.start.column) << 16 ^ step)
    }
  }

  /// What is known of an expression.
  package final class Entry {
    let syntax: Syntax
    /// The expression and all its parts, which many rules go over.
    package let parts: [Syntax]
    /// `dyn` where that depends on the values; `nil` where it was not compiled.
    package let compiled: CompiledExpression?
    package let draft: DraftExpression
    package let place: ExpressionPlace
    /// The steps whose results it reads, as often as it does.
    let makers: [Int]
    /// Whether its value does nothing but authorize a request.
    let isCredential: Bool

    init(
      _ parts: [Syntax], _ compiled: CompiledExpression?, _ draft: DraftExpression,
      at place: ExpressionPlace,
      makers: [Int], isCredential: Bool
    ) {
      syntax = parts[0]
      self.parts = parts
      self.compiled = compiled
      self.draft = draft
      self.place = place
      self.makers = makers
      self.isCredential = isCredential
    }
  }

  package let draft: DraftPipeline
  package let reader: DocumentReader
  let directory: StepDirectory
  /// The loops by their number.
  package let loops: [Int: DraftLoop]
  private(set) var entries: [Key: Entry] = [:]
  private var lists: [ExpressionPlace: [Entry]] = [:]
  /// Every request with the number under which its expressions are known.
  package let requests: [(request: DraftRequest, step: Int)]
  private let loopOfStep: [Int: Int]

  /// The analysis of a part of the same draft, without any expressions yet.
  init(partOf whole: Analysis, reader: DocumentReader) {
    draft = whole.draft
    self.reader = reader
    directory = whole.directory
    loops = whole.loops
    loopOfStep = whole.loopOfStep
    requests = whole.requests
  }

  /// Takes over the expressions of parts.
  package func add(_ parts: [Analysis]) {
    entries.reserveCapacity(parts.reduce(entries.count) { $0 + $1.entries.count })
    lists.reserveCapacity(parts.reduce(lists.count) { $0 + $1.lists.count })
    for part in parts {
      entries.merge(part.entries) { _, new in new }
      lists.merge(part.lists) { $0 + $1 }
    }
  }

  init(_ draft: DraftPipeline, reader: DocumentReader, directory: StepDirectory) {
    self.draft = draft
    self.reader = reader
    self.directory = directory
    var loops: [Int: DraftLoop] = [:]
    for case .loop(let loop) in draft.nodes { loops[loops.count] = loop }
    self.loops = loops
    var loopOfStep: [Int: Int] = [:]
    for (number, loop) in loops {
      for step in loop.steps { loopOfStep[step.index] = number }
    }
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
    // An answer makes no other owner of it.
    lists[ExpressionPlace(step: place.step, loop: place.loop), default: []].append(entry)
  }

  /// The expressions that belong to a step itself: neither to the list of its loop nor to what is sent when an item is
  /// given up.
  package func entries(of step: DraftStep) -> [Entry] {
    lists[ExpressionPlace(step: step.index, loop: loopOfStep[step.index])] ?? []
  }

  /// What is known of an expression of a step; `nil` where it could not be read.
  package func entry(_ expression: DraftExpression?, in step: Int) -> Entry? {
    expression.flatMap { entries[Key(range: $0.range, step: step)] }
  }

  /// The place of a part of an expression.
  package func range(_ part: Syntax, in entry: Entry) -> TextRange {
    reader.range(part.range, of: entry.draft)
  }
}
