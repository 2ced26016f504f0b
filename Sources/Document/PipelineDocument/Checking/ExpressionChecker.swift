final class ExpressionChecker {
  package let reader: DocumentReader
  let directory: StepDirectory
  let inputNames: [String]
  var examples = ServerExamples()
  package let analysis: ExpressionAnalysis
  /// The meaning of names while used files are linked; `nil` while a file is checked by itself.
  let numbering: StepNumbering?
  private let cache = CompilationCache()

  private struct Origin {
    package let step: Int
    /// `nil` if it is the step's file, or if the step has no such output.
    package let output: Int?
  }

  /// All parts of the compiled expressions; repeated texts share their syntax.
  private var partsOfSyntax: [ObjectIdentifier: [Syntax]] = [:]
  /// Facts about variables, cached because each expression that reads one asks again.
  private var origins: [String: Origin?] = [:]
  package var collector: DiagnosticCollector { reader.collector }

  init(_ draft: DraftPipeline, reader: DocumentReader, numbering: StepNumbering? = nil) {
    (self.reader, self.numbering) = (reader, numbering)
    directory = StepDirectory(draft)
    inputNames = draft.inputs.map(\.name.value)
    analysis = ExpressionAnalysis(draft, reader: reader, directory: directory)
  }

  struct Context {
    package let environment: Environment
    package let place: ExpressionPlace
    package var uses = UseCollector()

    /// The context of a later expression of the same step, which sees other names.
    func seeing(_ environment: Environment, at place: ExpressionPlace? = nil) -> Context {
      Context(environment: environment, place: place ?? self.place, uses: uses)
    }
  }

  package func compile(
    _ draft: DraftExpression?, _ expected: ExpectedType, _ context: inout Context,
    isCredential: Bool = false
  ) -> Expression? {
    guard let draft, collector.spend(32 + draft.source.utf8.count, at: draft.range) else {
      return nil
    }
    let compilation = context.environment.compile(draft.source, with: cache)
    collector.spend(4 * (compilation.expression?.references.count ?? 0), at: draft.range)
    // Type errors around a syntax error would only mislead.
    let syntax = compilation.issues.filter { Self.syntaxCodes.contains($0.code) }
    for issue in syntax.isEmpty ? compilation.issues : syntax {
      report(issue, in: draft, from: context.place)
    }
    let makers = compilation.expression.map { compiled in
      record(compiled, in: draft, &context, isCredential: isCredential)
    }
    if syntax.isEmpty {
      analysis.add(
        ExpressionAnalysis.Entry(
          parts(of: compilation.syntax), compilation.expression, draft, at: context.place,
          makers: makers ?? [], isCredential: isCredential))
    }
    guard let compiled = compilation.expression else { return nil }
    guard expected.accepts(compiled.type) else {
      return collector.refuse(
        .expressionType, "expected \(expected.phrase), found \(compiled.type)",
        at: reader.range(Self.solid(draft.source), of: draft),
        help: expected.help(for: compiled.type))
    }
    let start = Self.indentation(draft.source)
    return Expression(compiled, at: collector.location(reader.range(start..<start, of: draft)))
  }

  package func template(
    _ draft: DraftTemplate?, as expected: ExpectedType, each: ExpectedType = .textual,
    _ context: inout Context, isCredential: Bool = false
  ) -> Template? {
    guard let draft else { return nil }
    // An expression inside other text must convert to text, regardless of the type of the whole.
    let each: ExpectedType = draft.parts.count == 1 ? expected : each
    var parts: [Template.Part] = []
    var isComplete = true
    for part in draft.parts {
      switch part {
      case .text(let text): parts.append(.text(text))
      case .expression(let expression):
        if let compiled = compile(expression, each, &context, isCredential: isCredential) {
          parts.append(.expression(compiled))
        } else {
          isComplete = false
        }
      }
    }
    return isComplete ? Template(parts) : nil
  }

  package func json(_ draft: DraftJSON?, _ context: inout Context) -> JSONTemplate? {
    draft?.mapped { template($0, as: .json, &context) }
  }

  private static let syntaxCodes: Set<Issue.Code> = [
    .syntax, .invalidLiteral, .reservedWord, .invalidMacro, .tooComplex,
  ]

  private static func solid(_ source: String) -> Range<Int> {
    let scalars = source.unicodeScalars
    let start = indentation(source)
    let end = scalars.reversed().prefix(while: isBlank).count
    return start..<max(start, scalars.count - end)
  }

  private static func indentation(_ source: String) -> Int {
    source.unicodeScalars.prefix(while: isBlank).count
  }

  /// Looking up the properties of each scalar would cost more than compiling the expression.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? scalar == " " || (9...13).contains(scalar.value) : scalar.properties.isWhitespace
  }

  /// Records the names that an expression reads.
  ///
  /// - Returns: the steps whose results it reads, once per reading.
  private func record(
    _ compiled: CompiledExpression, in draft: DraftExpression, _ context: inout Context,
    isCredential: Bool
  ) -> [Int] {
    var makers: [Int] = []
    for reference in compiled.references {
      if let numbering {
        guard let place = numbering.values.places[reference.variable] else { continue }
        context.uses.add(step: place.step, output: place.output, isCredential: isCredential)
        continue
      }
      if let origin = origin(of: reference.variable) {
        makers.append(origin.step)
        context.uses.add(step: origin.step, output: origin.output, isCredential: isCredential)
      }
      checkDigest(reference, in: draft, context.environment)
    }
    return makers
  }

  private func parts(of syntax: Syntax) -> [Syntax] {
    if let known = partsOfSyntax[ObjectIdentifier(syntax)] { return known }
    let parts = syntax.allParts
    partsOfSyntax[ObjectIdentifier(syntax)] = parts
    return parts
  }

  private func origin(of variable: String) -> Origin? {
    if let known = origins[variable] { return known }
    let origin = directory.maker(of: variable).map { entry, name in
      Origin(step: entry.index, output: entry.draft.outputs.firstIndex { $0.name.value == name })
    }
    origins[variable] = .some(origin)
    return origin
  }

  /// A digest that no step computes does not exist when it is read.
  private func checkDigest(
    _ reference: Reference, in draft: DraftExpression, _ environment: Environment
  ) {
    // Few references continue after the variable, and fewer still end in the name of a digest.
    let (path, variable) = (reference.path.utf8, reference.variable)
    guard path.count > variable.utf8.count, variable != "response",
      let dot = path.lastIndex(of: UInt8(ascii: ".")),
      path.distance(from: path.startIndex, to: dot) == variable.utf8.count,
      let digest = DigestAlgorithm(rawValue: String(reference.path[dot...].dropFirst()))
    else { return }
    let names = variable.split(separator: ".").map(String.init)
    guard names.count != 3 || names[2] == "file" else { return }
    var help = "compute it in a materialize step: 'digests: [\(digest.rawValue)]'"
    switch names.first {
    case "steps":
      guard names.count == 3, let action = directory.byID[names[1]]?.draft.action,
        action.kind.makesFile, !action.digests.contains(digest)
      else { return }
      help = "add 'digests: [\(digest.rawValue)]' to the step '\(names[1])'"
    case "inputs": break
    default:
      // An element of another list, such as one from a response, may have a member of that name.
      guard names.count == 1, !DocumentReader.rootNames.contains(names[0]),
        environment.type(of: variable) == .object(Variables.file)
      else { return }
    }
    collector.report(
      .unknownOutput, "the file '\(reference.variable)' has no digest '\(digest.rawValue)'",
      at: reader.range(reference.range, of: draft), help: help)
  }

  package func report(_ issue: Issue, in draft: DraftExpression, from place: ExpressionPlace) {
    if issue.code == .undeclaredReference, explain(issue, in: draft, from: place) { return }
    let range = reader.range(issue.range, of: draft)
    let code: DiagnosticCode =
      switch issue.code {
      case .undeclaredReference, .undeclaredFunction: .undeclaredReference
      case .invalidLiteral, .invalidPattern: .invalidConstant
      case .noSuchField: .unknownField
      case .noSuchOverload, .typeMismatch: .expressionType
      default: .expressionSyntax
      }
    collector.report(
      code, issue.message, at: range,
      help: issue.code == .noSuchField && issue.message.hasPrefix("response.json")
        ? "declare it in the request's 'schema'"
        : Self.conversion(for: issue) ?? Self.fields(for: issue)
          ?? (code == .expressionSyntax ? Self.hyphen(in: draft.source) : nil),
      nearest: issue.suggestion)
  }

  /// Help for a name with `-`, which subtracts in an expression.
  private static func hyphen(in source: String) -> String? {
    guard let name = source.firstMatch(of: /(?:steps|inputs)\.[A-Za-z0-9_]*-[A-Za-z0-9_-]*/)
    else { return nil }
    return "'-' subtracts; names contain '_' instead: '\(name.output.replacing("-", with: "_"))'"
  }

  private static func fields(for issue: Issue) -> String? {
    guard issue.code == .noSuchField, issue.message.hasPrefix("\(Variables.file.name) ")
    else { return nil }
    return "its fields are \(quotedList(Variables.file.fields.map(\.name)))"
  }

  private static func conversion(for issue: Issue) -> String? {
    guard issue.code == .noSuchOverload,
      let start = issue.message.firstRange(of: " does not accept (")
    else { return nil }
    let types = issue.message[start.upperBound...].prefix { $0 != ")" }
      .split(separator: ",").map { String($0.trimmed) }
    let numbers: Set<String> = ["int", "uint", "double"]
    guard issue.message.hasPrefix("operator "), types.count == 2, types.contains("string"),
      let number = types.first(where: numbers.contains)
    else { return nil }
    return issue.message.hasPrefix("operator '+'")
      ? "convert the \(number) with 'string(…)'"
      : "compare it with a number, or convert the \(number) with 'string(…)'"
  }

  /// Explains a path that matches no declared name; `false` if there is nothing to add.
  private func explain(_ issue: Issue, in draft: DraftExpression, from place: ExpressionPlace)
    -> Bool
  {
    let names = path(at: issue.range.lowerBound, in: draft.source)
    guard let root = names.first else { return false }
    if explainBatch(root, names, in: draft, from: place) { return true }
    switch root.name {
    case "inputs": explainInput(names, in: draft)
    case "steps": explainStep(names, in: draft, from: place)
    case "response", "history":
      guard !place.hasResponse else { return false }
      collector.report(
        .undeclaredReference,
        "'\(root.name)' is not available here, only in 'on', in 'took_effect', and in 'outputs' of a request or upload",
        at: reader.range(root.range, of: draft))
    case "item":
      guard place.loop == nil else { return false }
      collector.report(
        .undeclaredReference, "'item' is only available inside 'for_each'",
        at: reader.range(root.range, of: draft))
    // The contexts of other workflow languages.
    case "secrets", "env", "vars", "variables", "params", "parameters":
      let name = names.count > 1 ? names[1].name.lowercased() : "name"
      collector.report(
        .undeclaredReference, "undeclared reference '\(root.name)'",
        at: reader.range(root.range, of: draft),
        help: root.name == "secrets"
          ? "declare an input with 'type: secret', and read 'inputs.\(name)'"
          : "declare an input, and read 'inputs.\(name)'")
    default: return false
    }
    return true
  }

  /// Explains a path into a batch or its items that is not available; `false` if it is about something else.
  private func explainBatch(
    _ root: PathName, _ names: [PathName], in draft: DraftExpression, from place: ExpressionPlace
  ) -> Bool {
    let range = reader.range(root.range, of: draft)
    if root.name == "batch" {
      let known =
        place.hasResult
        ? "'batch.entries', 'batch.entry', 'batch.index', and 'batch.result' in 'on' and 'outputs'"
        : "'batch.entries'"
      let isKnown = place.hasResult || place.isOfBatch
      collector.report(
        .undeclaredReference,
        isKnown
          ? "'\(names.prefix(2).map(\.name).joined(separator: "."))' is not available here, expected \(known)"
          : "'batch' is only available in the request, 'results' and 'outputs' of a step with 'batch'",
        at: range)
      return true
    }
    guard place.isOfBatch else { return false }
    let isOfItem =
      root.name == "item" || root.name == place.loop.flatMap { analysis.loops[$0]?.variable?.value }
      || (root.name == "steps" && names.count > 1 && directory.byID[names[1].name]?.loop != nil)
    guard isOfItem else { return false }
    collector.report(
      .outOfScope, "this is sent for many items, so '\(root.name)' is not available here",
      at: range, help: "add the needed values to 'entry', and read them from 'batch.entries'")
    return true
  }

  private typealias PathName = (name: String, range: Range<Int>)

  private func explainInput(_ names: [PathName], in draft: DraftExpression) {
    guard names.count > 1 else {
      collector.report(
        .undeclaredReference, "'inputs' is not a value by itself, expected 'inputs.NAME'",
        at: reader.range(names[0].range, of: draft))
      return
    }
    let input = names[1]
    let range = reader.range(input.range, of: draft)
    collector.report(
      .unknownInput, "unknown input '\(input.name)'", at: range,
      help: inputNames.isEmpty
        ? "declare it under 'inputs'" : "the inputs are \(quotedList(inputNames))",
      nearest: nearestName(to: input.name, among: inputNames))
  }

  private func explainStep(
    _ names: [PathName], in draft: DraftExpression, from place: ExpressionPlace
  ) {
    guard names.count > 1 else {
      collector.report(
        .undeclaredReference, "'steps' is not a value by itself, expected 'steps.ID.NAME'",
        at: reader.range(names[0].range, of: draft))
      return
    }
    let id = Located(names[1].name, at: reader.range(names[1].range, of: draft))
    guard let entry = directory.find(id, from: place, collector) else { return }
    // The outputs of a file that could not be loaded are unknown.
    if let use = entry.draft.use, use.file == nil { return }
    var outputs = entry.draft.outputs.map(\.name.value)
    if entry.draft.makesFile { outputs.append("file") }
    let known = outputs.isEmpty ? "it has no outputs" : "its outputs are \(quotedList(outputs))"
    guard names.count > 2 else {
      collector.report(
        .unknownOutput,
        "'steps.\(id.value)' is not a value by itself, expected 'steps.\(id.value).NAME'",
        at: id.range, help: known)
      return
    }
    let output = names[2]
    let range = reader.range(output.range, of: draft)
    collector.report(
      .unknownOutput, "the step '\(id.value)' has no output '\(output.name)'", at: range,
      help: known, nearest: nearestName(to: output.name, among: outputs))
  }

  private func path(at start: Int, in source: String) -> [PathName] {
    let scalars = Array(source.unicodeScalars)
    var names: [PathName] = []
    var index = start
    while index < scalars.count {
      let begin = index
      while index < scalars.count, scalars[index].isIdentifierPart { index += 1 }
      guard index > begin else { break }
      names.append((String(String.UnicodeScalarView(scalars[begin..<index])), begin..<index))
      guard index < scalars.count, scalars[index] == "." else { break }
      index += 1
    }
    return names
  }
}
