public import PipelineDocument
import PipelineScenarios

extension DocumentAnalysis {
  /// The name at a place, where it can be changed.
  ///
  /// - Throws: ``RenameRefusal`` where no name stands there, or it is not the document's own.
  public func renameTarget(
    at position: TextPosition
  ) throws(RenameRefusal) -> (name: String, range: TextRange) {
    let occurrence = try renamed(at: position)
    return (name(of: occurrence.symbol), occurrence.range)
  }

  /// Replacements that give the thing at a place another name, wherever it is named.
  ///
  /// - Throws: ``RenameRefusal`` where the name cannot be changed, or `name` is none or is taken.
  public func rename(
    at position: TextPosition, to name: String
  ) throws(RenameRefusal) -> [Diagnostic.Fix] {
    let symbol = try renamed(at: position).symbol
    if name == self.name(of: symbol) { return [] }
    try check(name, for: symbol)
    try checkTaken(name, for: symbol)
    return places(of: symbol, includingDefinition: true)
      .map { Diagnostic.Fix(range: $0, replacement: name) }
  }

  private func renamed(
    at position: TextPosition
  ) throws(RenameRefusal) -> DocumentIndex.Occurrence {
    let index = index
    guard index.isExact else {
      throw RenameRefusal(message: "the file is not valid YAML; mend it first")
    }
    guard let found = occurrence(at: position) else {
      throw RenameRefusal(
        message: "nothing that has a name of its own is named here")
    }
    let name = name(of: found.symbol)
    let definitions = index.occurrences.filter { $0.symbol == found.symbol && $0.isDefinition }
    guard let definition = definitions.first else {
      throw RenameRefusal(message: "nothing declares '\(name)'")
    }
    guard definitions.count == 1 else {
      throw RenameRefusal(message: "'\(name)' is declared more than once; mend that first")
    }
    if case .output(_, "file") = found.symbol {
      throw RenameRefusal(
        message: "'file' is what every materialize step calls its file; it has no other name")
    }
    if case .policy("standard") = found.symbol {
      throw RenameRefusal(
        message: "'standard' is the policy of every step that names none; it has no other name")
    }
    // A text that an alias repeats means something else at each place.
    let places = Set(places(of: found.symbol, includingDefinition: true))
    let isShared = index.occurrences.contains {
      $0.symbol != found.symbol && places.contains($0.range)
    }
    if isShared {
      throw RenameRefusal(
        message: "an alias gives '\(name)' another meaning elsewhere; write the alias out first")
    }
    guard definition.range.start.line == definition.range.end.line else {
      throw RenameRefusal(message: "the name is written over several lines")
    }
    return found
  }

  private func name(of symbol: Symbol) -> String {
    switch symbol {
    case .input(let name), .policy(let name), .credential(let name), .step(let name),
      .output(_, let name):
      name
    case .variable(let loop):
      index.loops.indices.contains(loop) ? index.loops[loop].variable?.value ?? "" : ""
    }
  }

  private func check(_ name: String, for symbol: Symbol) throws(RenameRefusal) {
    let allowsHyphen: Bool
    switch symbol {
    case .policy, .credential: allowsHyphen = true
    case .input, .step, .output, .variable: allowsHyphen = false
    }
    let scalars = name.unicodeScalars
    let isName =
      scalars.first.map { ("a"..."z").contains($0) } == true
      && scalars.allSatisfy {
        ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "_"
          || allowsHyphen && $0 == "-"
      }
    guard isName else {
      throw RenameRefusal(
        message: """
          '\(name)' is no name: expected lower-case letters, digits and \
          \(allowsHyphen ? "'_' or '-'" : "'_'"), a letter first
          """)
    }
    // Expressions do not name them.
    if allowsHyphen { return }
    guard !DocumentReader.wordsOfCEL.contains(name) else {
      throw RenameRefusal(message: "expressions keep the word '\(name)' for themselves")
    }
  }

  private func checkTaken(_ name: String, for symbol: Symbol) throws(RenameRefusal) {
    let index = index
    switch symbol {
    case .input:
      if index.input(name) != nil {
        throw RenameRefusal(message: "an input has the name '\(name)' already")
      }
    case .policy:
      if index.policies.contains(where: { $0.name.value == name }) {
        throw RenameRefusal(message: "a retry policy has the name '\(name)' already")
      }
    case .credential:
      if index.credentials.contains(where: { $0.name.value == name }) {
        throw RenameRefusal(message: "credentials have the name '\(name)' already")
      }
    case .step:
      try checkStepOrVariable(name)
    case .output(let step, _):
      if name == "file" {
        throw RenameRefusal(message: "'file' is the file of a materialize step, no output's name")
      }
      if index.step(step)?.outputs.contains(where: { $0.name.value == name }) == true {
        throw RenameRefusal(message: "the step '\(step)' has an output '\(name)' already")
      }
    case .variable(let loop):
      if DocumentReader.rootNames.contains(name) {
        throw RenameRefusal(message: "expressions read something else by the name '\(name)'")
      }
      try checkStepOrVariable(name)
      let isCaptured = index.expressions.contains { expression in
        expression.scope.loop == loop
          && ExpressionNames(Array(expression.source.unicodeScalars)).locals.contains(name)
      }
      if isCaptured {
        throw RenameRefusal(
          message: "an expression of the loop has a variable '\(name)' of its own")
      }
    }
  }

  private func checkStepOrVariable(_ name: String) throws(RenameRefusal) {
    if index.step(name) != nil {
      throw RenameRefusal(message: "a step has the id '\(name)' already")
    }
    if index.loops.contains(where: { $0.variable?.value == name }) {
      throw RenameRefusal(message: "a loop's variable has the name '\(name)' already")
    }
  }
}
