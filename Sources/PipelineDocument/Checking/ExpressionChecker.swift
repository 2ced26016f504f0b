import CEL
import PipelineCore

final class ExpressionChecker {
  package let reader: DocumentReader
  let directory: StepDirectory
  let inputNames: [String]
  private(set) var usedInputs: Set<String> = []
  private(set) var usedOutputs: Set<String> = []
  var examples = ServerExamples()
  package let analysis: Analysis
  /// The meaning of names while used files are linked; `nil` while a file is checked by itself.
  let numbering: PipelineLinker.Numbering?

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

  init(_ draft: DraftPipeline, reader: DocumentReader, numbering: PipelineLinker.Numbering? = nil) {
    self.reader = reader
    self.numbering = numbering
    directory = StepDirectory(draft)
    inputNames = draft.inputs.map(\.name.value)
    analysis = Analysis(draft, reader: reader, directory: directory)
  }

  struct Context {
    package let environment: Environment
    package let place: ExpressionPlace
    package var uses = UseCollector()
  }

  package func compile(
    _ draft: DraftExpression?, _ expected: ExpectedType, _ context: inout Context,
    isCredential: Bool = false
  ) -> Expression? {
    guard let draft else { return nil }
    let compilation = context.environment.compile(draft.source, with: cache)
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
        Analysis.Entry(
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
    // An expression inside other text must convert to text, whatever type the whole has.
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

  /// Records what an expression reads.
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
    var origin: Origin?
    if variable.hasPrefix("inputs.") {
      usedInputs.insert(String(variable.dropFirst(7)))
    } else if variable.hasPrefix("previous.") {
      usedOutputs.insert(variable)
    } else if let (entry, name) = directory.maker(of: variable) {
      usedOutputs.insert(variable)
      let output = entry.draft.outputs.firstIndex { $0.name.value == name }
      origin = Origin(step: entry.index, output: output)
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
}
