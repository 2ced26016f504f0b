import CEL

/// A draft together with what compiling its expressions found out.
struct Analysis {
  /// One expression, at one place.
  struct Key: Hashable {
    /// From `${{` to `}}`.
    let range: TextRange
    /// The step whose expression it is: an alias puts one text into several steps.
    let step: Int
  }

  /// What is known of an expression.
  struct Entry {
    let syntax: Syntax
    /// `dyn` where that depends on the values; `nil` where it was not compiled.
    let compiled: CompiledExpression?
    let draft: DraftExpression
    let place: Place
  }

  let draft: DraftPipeline
  let reader: DocumentReader
  let directory: StepDirectory
  fileprivate(set) var entries: [Key: Entry] = [:]

  init(_ draft: DraftPipeline, reader: DocumentReader, directory: StepDirectory) {
    self.draft = draft
    self.reader = reader
    self.directory = directory
  }

  mutating func add(
    _ draft: DraftExpression, _ syntax: Syntax, _ compiled: CompiledExpression?, at place: Place
  ) {
    entries[Key(range: draft.range, step: place.step)] = Entry(
      syntax: syntax, compiled: compiled, draft: draft, place: place)
  }

  /// What is known of an expression of a step; `nil` where it could not be read.
  func entry(_ expression: DraftExpression?, in step: Int) -> Entry? {
    expression.flatMap { entries[Key(range: $0.range, step: step)] }
  }

  /// The place of a part of an expression.
  func range(_ part: Syntax, in entry: Entry) -> TextRange {
    reader.range(part.range, of: entry.draft)
  }
}
