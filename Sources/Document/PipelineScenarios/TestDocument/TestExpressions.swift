/// Compiles the expressions of a test against the names of the pipeline that it tests.
struct TestExpressions {
  package let reader: DocumentReader
  package let pipeline: Pipeline
  private var collector: DiagnosticCollector { reader.collector }

  func environment(hasRequest: Bool) -> Environment { pipeline.testNames(hasRequest: hasRequest) }
  func environment(answering index: Int) -> Environment { pipeline.testNames(answering: index) }

  package func compile(
    _ draft: DraftExpression?, _ expected: ExpectedType, _ environment: Environment
  ) -> Expression? { draft.flatMap { reader.compile($0, expected, environment) } }

  package func template(
    _ draft: DraftTemplate?, as expected: ExpectedType = .textual, _ environment: Environment
  ) -> Template? {
    guard let draft else { return nil }
    let each: ExpectedType = draft.parts.count == 1 ? expected : .textual
    let parts = draft.parts.compactMap { part -> Template.Part? in
      switch part {
      case .text(let text): .text(text)
      case .expression(let expression):
        compile(expression, each, environment).map(Template.Part.expression)
      }
    }
    return parts.count == draft.parts.count ? Template(parts) : nil
  }

  /// A response with its expressions compiled; `nil` if an error was reported.
  func responseTemplate(_ draft: ExampleResponse<Draft>, _ environment: Environment)
    -> ResponseTemplate?
  {
    let headers = draft.headers.compactMap { field in
      template(field.value, environment)
        .map { RequestTemplate.Field(name: field.name.value, value: $0) }
    }
    var body: ResponseTemplate.Body?
    switch draft.body {
    case .json(let draft)?: body = json(draft, environment).map(ResponseTemplate.Body.json)
    case .text(let draft)?: body = template(draft, environment).map(ResponseTemplate.Body.text)
    case nil: break
    }
    guard headers.count == draft.headers.count, (body == nil) == (draft.body == nil)
    else { return nil }
    return ResponseTemplate(status: draft.status, headers: headers, body: body, delay: draft.delay)
  }

  package func json(_ draft: DraftJSON?, _ environment: Environment) -> JSONTemplate? {
    draft?.mapped { template($0, as: .json, environment) }
  }
}

extension DocumentReader {
  /// Reports a name that is not in `known`, with the nearest of them, or else `help`.
  func report(
    _ code: DiagnosticCode, _ message: String, unknown name: Located<String>,
    among known: [String], help: String? = nil
  ) {
    let nearest = nearestName(to: name.value, among: known)
    collector.report(
      code, message, at: name.range, help: nearest.map { "did you mean '\($0)'?" } ?? help,
      fix: nearest.map { Diagnostic.Fix(range: name.range, replacement: $0) })
  }

  /// Compiles an expression that must have a type; reports its errors.
  package func compile(
    _ draft: DraftExpression, _ expected: ExpectedType, _ environment: Environment
  ) -> Expression? {
    let compilation = environment.compile(draft.source)
    for issue in compilation.issues { report(issue, in: draft) }
    guard let compiled = compilation.expression else { return nil }
    guard expected.accepts(compiled.type) else {
      collector.report(
        .expressionType, "expected \(expected.phrase), found \(compiled.type)", at: draft.range,
        help: expected.help(for: compiled.type))
      return nil
    }
    return Expression(compiled, at: collector.location(draft.range))
  }

  private func report(_ issue: Issue, in draft: DraftExpression) {
    let range = range(issue.range, of: draft)
    let code: DiagnosticCode =
      switch issue.code {
      case .undeclaredReference, .undeclaredFunction: .undeclaredReference
      case .invalidLiteral, .invalidPattern: .invalidConstant
      case .noSuchField, .noSuchOverload, .typeMismatch: .expressionType
      default: .expressionSyntax
      }
    collector.report(
      code, issue.message, at: range, help: issue.suggestion.map { "did you mean '\($0)'?" },
      fix: issue.suggestion.map { Diagnostic.Fix(range: range, replacement: $0) })
  }
}
