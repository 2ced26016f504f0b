extension DocumentAnalysis {
  /// The name at a position and its range; throws if there is no name, or the document does not declare it.
  public func renameTarget(
    at position: SourcePosition
  ) throws(RenameRefusal) -> (name: String, range: TextRange) {
    let occurrence = try renamed(at: position)
    return (name(of: occurrence.symbol), occurrence.range)
  }

  /// The replacements that rename the symbol at a position everywhere; throws if `name` is invalid or in use.
  public func rename(
    at position: SourcePosition, to name: String
  ) throws(RenameRefusal) -> [Diagnostic.Fix] {
    let symbol = try renamed(at: position).symbol
    if name == self.name(of: symbol) { return [] }
    try check(name, for: symbol)
    try checkTaken(name, for: symbol)
    return places(of: symbol, includingDefinition: true)
      .map { Diagnostic.Fix(range: $0, replacement: name) }
  }

  private func renamed(
    at position: SourcePosition
  ) throws(RenameRefusal) -> DocumentIndex.Occurrence {
    let index = index
    try refuse(if: !index.isExact, "the file is not valid YAML; fix it first")
    guard let found = occurrence(at: position)
    else { throw RenameRefusal(message: "there is nothing to rename here") }
    let name = name(of: found.symbol)
    let definitions = index.occurrences.filter { $0.symbol == found.symbol && $0.isDefinition }
    try refuse(
      if: definitions.isEmpty && index.shared.declares(found.symbol),
      "'\(name)' is declared in a file that this one uses; rename it there")
    guard let definition = definitions.first
    else { throw RenameRefusal(message: "'\(name)' is not declared") }
    try refuse(if: definitions.count != 1, "'\(name)' is declared more than once; fix that first")
    if case .output(_, "file") = found.symbol {
      throw RenameRefusal(message: "'file' is the fixed name of a materialize step's file")
    }
    if case .output(let step, let name) = found.symbol, index.step(step)?.action?.value == "digest"
    {
      throw RenameRefusal(message: "'\(name)' is the fixed name of a digest")
    }
    if case .policy("standard") = found.symbol {
      throw RenameRefusal(message: "'standard' is the fixed name of the default policy")
    }
    // A text repeated by an alias has another meaning in each place.
    let places = Set(places(of: found.symbol, includingDefinition: true))
    let isShared = index.occurrences.contains {
      $0.symbol != found.symbol && places.contains($0.range)
    }
    try refuse(
      if: isShared,
      "through an alias, '\(name)' has another meaning elsewhere; write out the alias first")
    try refuse(
      if: definition.range.start.line != definition.range.end.line, "the name spans several lines")
    return found
  }

  func name(of symbol: Symbol) -> String {
    switch symbol {
    case .input(let name), .policy(let name), .credential(let name), .rate(let name),
      .step(let name), .output(_, let name), .value(_, let name):
      name
    case .variable(let loop):
      index.loops.indices.contains(loop) ? index.loops[loop].variable?.value ?? "" : ""
    case .part(let step):
      index.steps.indices.contains(step) ? index.steps[step].parts?.variable?.value ?? "" : ""
    }
  }

  private func check(_ name: String, for symbol: Symbol) throws(RenameRefusal) {
    let allowsHyphen: Bool
    switch symbol {
    case .policy, .credential, .rate: allowsHyphen = true
    case .input, .step, .output, .value, .variable, .part: allowsHyphen = false
    }
    guard DocumentReader.isName(name, allowsHyphen: allowsHyphen) else {
      throw RenameRefusal(
        message: """
          invalid name '\(name)', expected lower-case letters, digits\
          \(allowsHyphen ? ", '_' and '-'" : " and '_'"), starting with a letter
          """)
    }
    // Expressions do not name them.
    let isReserved = !allowsHyphen && DocumentReader.wordsOfCEL.contains(name)
    try refuse(if: isReserved, "'\(name)' is a reserved word in expressions")
  }

  private func checkTaken(_ name: String, for symbol: Symbol) throws(RenameRefusal) {
    let index = index
    switch symbol {
    case .input: try refuse(if: index.input(name) != nil, "there is already an input '\(name)'")
    case .policy, .credential: try checkShared(name, for: symbol)
    case .rate:
      try refuse(
        if: index.rates.contains(where: { $0.name.value == name }),
        "there is already a rate '\(name)'")
    case .step: try checkStepOrVariable(name)
    case .output(let step, _):
      try refuse(if: name == "file", "'file' is reserved for the file of a materialize step")
      try refuse(
        if: index.step(step)?.outputs.contains(where: { $0.name.value == name }) == true,
        "the step '\(step)' already has an output '\(name)'")
    case .value(let step, _):
      try refuse(
        if: index.steps[step].values.contains(where: { $0.name.value == name }),
        "the step already has a value '\(name)'")
      try checkVariable(name, for: symbol)
    case .variable, .part: try checkVariable(name, for: symbol)
    }
  }

  private func checkVariable(_ name: String, for symbol: Symbol) throws(RenameRefusal) {
    try refuse(
      if: DocumentReader.rootNames.contains(name), "'\(name)' already has a meaning in expressions")
    try checkStepOrVariable(name)
    let isCaptured = index.expressions.contains { expression in
      isInside(expression.scope, symbol)
        && ExpressionNames(Array(expression.source.unicodeScalars)).locals.contains(name)
    }
    try refuse(if: isCaptured, "an expression in the loop already declares a variable '\(name)'")
  }

  private func isInside(_ scope: DocumentIndex.Scope, _ symbol: Symbol) -> Bool {
    switch symbol {
    case .variable(let loop): scope.loop == loop
    case .part(let step): scope.parts == step
    case .value(let step, _): scope.step == step
    default: false
    }
  }

  private func checkStepOrVariable(_ name: String) throws(RenameRefusal) {
    try refuse(if: index.step(name) != nil, "there is already a step '\(name)'")
    try refuse(
      if: index.loops.contains(where: { $0.variable?.value == name })
        || index.steps.contains(where: { $0.parts?.variable?.value == name }),
      "there is already a loop variable '\(name)'")
    try refuse(
      if: index.steps.contains(where: { $0.values.contains { $0.name.value == name } }),
      "a step already has a value '\(name)'")
  }

  /// The name at a position, if files that use or test this one can have it.
  public func sharedName(at position: SourcePosition) -> SharedName? {
    guard let symbol = occurrence(at: position)?.symbol else { return nil }
    switch symbol {
    case .policy, .credential: return index.root == .definitions ? SharedName(symbol: symbol) : nil
    case .input, .step, .output: return index.root == .pipeline ? SharedName(symbol: symbol) : nil
    case .rate, .value, .variable, .part: return nil
    }
  }

  /// The replacements that rename a declaration of the file `path`; none if this document neither uses nor tests it.
  ///
  /// Refused if this document declares `name` itself, or is not valid YAML.
  public func rename(
    _ shared: SharedName, of path: String, to name: String
  ) throws(RenameRefusal) -> [Diagnostic.Fix] {
    let places = places(of: shared.symbol, from: path)
    guard !places.isEmpty else { return [] }
    try refuse(if: !index.isExact, "'\(file)' is not valid YAML; fix it first")
    do throws(RenameRefusal) {
      try checkShared(name, for: shared.symbol)
    } catch { throw RenameRefusal(message: "in '\(file)' \(error.message)") }
    return places.map { Diagnostic.Fix(range: $0, replacement: name) }
  }

  private func places(of symbol: Symbol, from path: String) -> [TextRange] {
    let index = index
    let path = DocumentPath.resolve(path, from: "")
    func isOther(_ name: String) -> Bool { DocumentPath.resolve(name, from: file) == path }
    switch symbol {
    case .input(let name) where index.root == .pipeline:
      return index.uses.filter { isOther($0.file) }.flatMap(\.given)
        .filter { $0.value == name }.map(\.range)
    case .policy, .credential: guard definition(of: symbol) == nil else { return [] }
    case .input, .step, .output: guard index.root == .test else { return [] }
    case .rate, .value, .variable, .part: return []
    }
    guard index.files.contains(where: { isOther($0.value) }) else { return [] }
    return places(of: symbol, includingDefinition: false)
  }

  func refuse(
    if isRefused: Bool, _ message: @autoclosure () -> String
  ) throws(RenameRefusal) { if isRefused { throw RenameRefusal(message: message()) } }

  /// Refuses a name that the document uses for another policy, or to other credentials.
  func checkShared(_ name: String, for symbol: Symbol) throws(RenameRefusal) {
    switch symbol {
    case .policy:
      try refuse(
        if: index.policies.contains(where: { $0.name.value == name }),
        "there is already a retry policy '\(name)'")
    case .credential:
      try refuse(
        if: index.credentials.contains(where: { $0.name.value == name }),
        "there are already credentials '\(name)'")
    default: break
    }
  }
}

/// A name that other files have from this one: they use it, or test it.
public struct SharedName: Hashable, Sendable { let symbol: DocumentIndex.Symbol }

extension DocumentIndex.Shared {
  func declares(_ symbol: DocumentIndex.Symbol) -> Bool {
    switch symbol {
    case .policy(let name): policies.contains(name)
    case .credential(let name): credentials.contains(name)
    default: false
    }
  }
}
