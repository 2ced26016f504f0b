struct IndexBuilder {
  private let file: String
  let document: YAMLDocument
  private let files: DocumentFiles
  var index = DocumentIndex()
  var owners: [Int] = []
  private var seen: Set<DocumentIndex.Occurrence> = []
  /// Aliases can make a small file large; nodes beyond this limit are left out.
  private var remainingNodes = 200_000

  typealias Scope = DocumentIndex.Scope

  init(_ document: YAMLDocument, file: String, files: DocumentFiles) {
    (self.document, self.file, self.files) = (document, file, files)
  }

  static func index(_ lines: LineTable, file: String, files: DocumentFiles) -> DocumentIndex {
    let (document, isExact) = TolerantParser.parse(lines)
    guard let document, let root = document.root else {
      var index = DocumentIndex()
      index.root = Self.root(ofFile: file)
      index.isExact = isExact
      return index
    }
    var builder = IndexBuilder(document, file: file, files: files)
    builder.root(root)
    var index = builder.index
    index.isExact = isExact
    index.document = document
    return index
  }

  func range(_ range: SourceRange) -> TextRange {
    TextRange(file: file, start: range.start, end: range.end)
  }

  func text(_ node: YAMLNode?) -> Located<String>? {
    guard let node, let text = node.string else { return nil }
    let inner = document.range(ofScalarOffsets: 0..<text.unicodeScalars.count, in: node)
    return Located(text, at: range(inner ?? node.range))
  }

  mutating func note(
    _ symbol: DocumentIndex.Symbol, _ range: TextRange, isDefinition: Bool = false
  ) {
    let occurrence = DocumentIndex.Occurrence(
      symbol: symbol, range: range, isDefinition: isDefinition)
    if seen.insert(occurrence).inserted { index.occurrences.append(occurrence) }
  }

  private mutating func note(key entry: YAMLEntry, _ name: String, of construct: Construct) {
    index.keys.append(
      DocumentIndex.KeyUse(
        range: range(entry.key.range), construct: construct, key: name,
        value: entry.value.scalar == nil ? nil : range(entry.value.range)))
  }

  private mutating func root(_ node: YAMLNode) {
    index.root = Self.root(node, file: file)
    if index.root == .test { index.tested = testedPipeline(node["pipeline"]) }
    for path in node["use"]?.sequence ?? [] {
      guard let used = usedRoot(path) else { continue }
      index.shared.policies += Self.names(used["retry"])
      index.shared.credentials += Self.names(used["credentials"])
    }
    mapping(node, index.root, Scope())
  }

  private static func root(_ node: YAMLNode, file: String) -> Construct {
    let named = root(ofFile: file)
    if named != .pipeline { return named }
    if node["test"] != nil, node["cases"] != nil { return .test }
    if node["pipeline"] != nil { return .pipeline }
    if node["scenario"] != nil { return .scenario }
    return node["definitions"] != nil ? .definitions : .pipeline
  }

  private static func root(ofFile file: String) -> Construct {
    if TestDocument.isNamed(file) { return .test }
    return ScenarioDocument.isNamed(file) ? .scenario : .pipeline
  }

  private func testedPipeline(_ node: YAMLNode?) -> Pipeline? {
    guard let name = node?.string else { return nil }
    let path = DocumentPath.resolve(name, from: "")
    guard let text = files.text(path) else { return nil }
    let beside = DocumentFiles { used in
      files.text(DocumentPath.resolve(used, from: path)).map { Array($0.utf8) }
    }
    return PipelineDocument.load(text: text, file: path, files: beside).pipeline
  }

  private func usedRoot(_ path: YAMLNode?) -> YAMLNode? {
    guard let path = path?.string, let text = files.text(DocumentPath.resolve(path, from: ""))
    else { return nil }
    return YAMLDocument.parse(text).root
  }

  private static func names(_ node: YAMLNode?) -> [String] {
    (node?.mapping ?? []).compactMap(\.name)
  }

  private mutating func mapping(_ node: YAMLNode, _ construct: Construct, _ scope: Scope) {
    var seeing: [(node: YAMLNode, key: Key)] = []
    for entry in node.mapping ?? [] {
      guard let name = entry.name, let key = construct.key(name) else { continue }
      let value = entry.value
      note(key: entry, name, of: construct)
      // They see all steps of the run, or of the turn, regardless of their position.
      let seesAll =
        switch construct {
        case .pipeline: name == "outputs" || name == "credentials"
        case .repeat: name == "until" || name == "next" || name == "resync"
        default: false
        }
      if seesAll {
        seeing.append((value, key))
      } else {
        var scope = scope
        scope.enterExpectation(construct, name)
        if construct == .poll {
          scope.hasResponse = ["until", "fail_when", "every", "message"].contains(name)
        }
        self.value(value, key.shape, of: construct, name, scope)
      }
    }
    for (value, key) in seeing {
      var scope = Scope(step: index.steps.count, loop: scope.loop)
      scope.hasResponse = construct == .repeat && key.name == "resync"
      self.value(value, key.shape, of: construct, key.name, scope)
    }
  }

  private mutating func value(
    _ node: YAMLNode, _ shape: ValueShape, of construct: Construct, _ key: String, _ scope: Scope
  ) {
    remainingNodes -= 1
    guard remainingNodes > 0 else { return }
    switch shape {
    case .text:
      if DocumentIndex.namesFile(construct, key), let name = text(node) { index.files.append(name) }
    case .duration, .size, .rate, .requestRate, .integer, .number, .fraction, .flag, .choice,
      .scalar:
      break
    case .pattern: reference(node, of: construct, key)
    case .template, .optionalTemplate, .expression, .durationOrExpression: expressions(node, scope)
    case .json: json(node, scope)
    case .map(let shape, names: _):
      for entry in node.mapping ?? [] {
        // The names of outputs are read with their step.
        if case .json = shape, key == "outputs" {} else { declare(entry, of: construct, key) }
        var scope = scope
        scope.enterReplies(of: entry.name, construct, key)
        value(entry.value, shape, of: construct, key, scope)
      }
    case .list(let shape), .filledList(let shape):
      for element in node.sequence ?? [] { value(element, shape, of: construct, key, scope) }
    case .construct(let inner): enter(node, inner(), of: construct, key, scope)
    case .either(let shapes):
      if node.mapping != nil, let name = Self.construct(among: shapes, for: node) {
        enter(node, name, of: construct, key, scope)
      } else if let shape = shapes.shape(of: node) {
        value(node, shape, of: construct, key, scope)
      }
    }
  }

  private static func construct(among shapes: [ValueShape], for node: YAMLNode) -> Construct? {
    let names = Set((node.mapping ?? []).compactMap(\.name))
    return choose(among: shapes.compactMap(\.construct), keys: names).first
  }

  /// The constructs that share the most of `keys`; several if they are equally likely.
  static func choose(among names: [Construct], keys: Set<String>) -> [Construct] {
    // Like the reader, this recognizes a loop by its own keys, regardless of its other keys.
    if names.contains(.innerLoop), !keys.isDisjoint(with: ["for_each", "steps", "collect"]) {
      return [.innerLoop]
    }
    if names.contains(.loop), !keys.isDisjoint(with: ["for_each", "on_abandon", "steps"]) {
      return [.loop]
    }
    let counts = names.map { name in name.keys.count { keys.contains($0.name) } }
    guard let most = counts.max() else { return [] }
    return zip(names, counts).filter { $0.1 == most }.map(\.0)
  }

  private mutating func enter(
    _ node: YAMLNode, _ name: Construct, of construct: Construct, _ key: String, _ scope: Scope
  ) {
    var scope = scope
    switch (name, construct, key) {
    case (.step, _, _), (.innerLoop, _, _): step(node, as: name, scope)
    case (.loop, _, _): loop(node)
    case (.abandonment, _, _):
      scope.step = index.steps.count
      mapping(node, name, scope)
    // Inside a request there is no response yet.
    case (_, .probe, _) where name == .request, (_, .resync, _) where name == .request,
      (_, .step, _) where StepKind(rawValue: key) != nil:
      scope.hasResponse = false
      mapping(node, name, scope)
    default: mapping(node, name, scope)
    }
  }

  private mutating func step(_ node: YAMLNode, as construct: Construct, _ outer: Scope) {
    // A step's references are resolved from its own position, so it is added once its parts are read.
    let action = (Construct.kinds + ["for_each"]).lazy.compactMap { node.entry($0)?.key }.first
    var scope = outer
    scope.step = index.steps.count
    let place = range(node.range)
    index.steps.append(
      DocumentIndex.Step(
        id: text(node["id"]), start: place.start, range: place, loop: scope.loop,
        partOf: outer.parts,
        action: action.flatMap(text), description: node["description"]?.string))
    let own = index.steps.count - 1
    index.steps[own].responseSchema =
      index.steps[own].action.flatMap { node[$0.value] }?["response"]?["schema"]
    index.steps[own].hasKey = node["idempotency"] != nil
    if let batch = node["batch"] {
      index.steps[own].batch = (batch["entry"], node["results"]?["each"])
    }
    if let file = node["use"]?.string {
      let given = (node["with"]?.mapping ?? []).compactMap { text($0.key) }
      index.uses.append(DocumentIndex.Use(file: file, given: given))
    }
    if let used = usedRoot(node["use"]) {
      index.steps[own].used = (Self.names(used["inputs"]), Self.names(used["outputs"]))
    }
    if let id = index.steps[own].id {
      note(.step(id.value), id.range, isDefinition: true)
      if let action = index.steps[own].action, index.steps[own].makesFile {
        note(.output(step: id.value, name: "file"), action.range, isDefinition: true)
      }
    }
    index.steps[own].outputs = outputs(of: node, index.steps[own].id?.value)
    if construct == .innerLoop {
      let variable = text(node["for_each"])
      index.steps[own].parts = (variable, node["in"])
      scope.parts = own
      if let variable { note(.part(step: own), variable.range, isDefinition: true) }
    }
    if node["repeat"] != nil || node["digest"] != nil || construct == .innerLoop {
      noteOutputs(of: own)
    }
    owners.append(own)
    defer { owners.removeLast() }
    // `collect` sees the steps of a part, regardless of its position.
    let entries = node.mapping ?? []
    for entry in entries.filter({ $0.name != "collect" }) + entries.filter({ $0.name == "collect" })
    {
      guard let name = entry.name, let key = construct.key(name) else { continue }
      note(key: entry, name, of: construct)
      var inner = scope
      if name == "collect" { inner.step = index.steps.count }
      inner.hasResponse =
        ["on", "success_if", "outputs", "probe", "results"].contains(name)
        && !(name != "probe" && !index.steps[own].hasResponse)
      value(entry.value, key.shape, of: construct, name, inner)
    }
  }

  private mutating func noteOutputs(of step: Int) {
    guard let id = index.steps[step].id?.value else { return }
    for output in index.steps[step].outputs {
      note(.output(step: id, name: output.name.value), output.name.range, isDefinition: true)
    }
  }

  private mutating func loop(_ node: YAMLNode) {
    let number = index.loops.count
    let place = range(node.range)
    let variable = text(node["for_each"])
    index.loops.append(
      DocumentIndex.Loop(
        id: text(node["id"]), variable: variable, items: node["in"], start: place.start,
        range: place, firstStep: index.steps.count))
    if let variable { note(.variable(loop: number), variable.range, isDefinition: true) }
    let construct = Construct.loop
    var compensations: YAMLEntry?
    for entry in node.mapping ?? [] {
      guard let name = entry.name, let key = construct.key(name) else { continue }
      note(key: entry, name, of: .loop)
      // They see all steps of the loop, regardless of their position.
      if name == "on_abandon" {
        compensations = entry
        continue
      }
      let isOutside = name == "in" || name == "if"
      let scope = Scope(step: index.steps.count, loop: isOutside ? nil : number)
      value(entry.value, key.shape, of: .loop, name, scope)
    }
    if let compensations, let key = construct.key("on_abandon") {
      let scope = Scope(step: index.steps.count, loop: number)
      value(compensations.value, key.shape, of: .loop, key.name, scope)
    }
  }

  private mutating func json(_ node: YAMLNode, _ scope: Scope) {
    remainingNodes -= 1
    guard remainingNodes > 0 else { return }
    switch node.resolved.content {
    case .scalar: expressions(node, scope)
    case .sequence(let elements): for element in elements { json(element, scope) }
    case .mapping(let entries): for entry in entries { json(entry.value, scope) }
    case .alias: break
    }
  }

  private mutating func expressions(_ node: YAMLNode, _ scope: Scope) {
    guard let scalar = node.scalar, scalar.text.utf8.contains(UInt8(ascii: "$")) else { return }
    var pieces: [(inner: Range<Int>, outer: Range<Int>)] = []
    let scalars = Array(scalar.text.unicodeScalars)
    var scanner = TemplateScanner(scalar.text)
    while let piece = scanner.next() {
      switch piece {
      case .text: continue
      case .expression(let inner):
        pieces.append((inner, (inner.lowerBound - 3)..<(inner.upperBound + 2)))
      case .unclosed(let start):
        let end = scalars.count
        pieces.append(((start + 3)..<end, start..<end))
      }
    }
    let ranges = document.ranges(ofScalarOffsets: pieces.map(\.outer), in: node)
    for (piece, outer) in zip(pieces, ranges) {
      index.expressions.append(
        DocumentIndex.ExpressionUse(
          source: scalars[piece.inner].text, range: range(outer), scope: scope, node: node,
          offset: piece.inner.lowerBound))
    }
    names(scalars, pieces.map(\.inner), node, scope)
  }
}
