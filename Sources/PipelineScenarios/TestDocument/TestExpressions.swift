package import PipelineDocument
package import CEL
package import PipelineCore

/// Compiles the expressions of a test against the names of the pipeline that it tests.
struct TestExpressions {
  package let reader: DocumentReader
  package let pipeline: Pipeline

  private var collector: DiagnosticCollector { reader.collector }

  /// The names visible everywhere in a test: the inputs, and if `hasRequest`, a request.
  package func environment(hasRequest: Bool) -> Environment {
    var environment = Variables.base
    for input in pipeline.inputs {
      environment.declare("inputs.\(input.name)", as: Variables.type(of: input.kind))
    }
    if hasRequest {
      for (name, type) in Variables.ofRequest { environment.declare(name, as: type) }
    }
    return environment
  }

  /// The names visible in a response to the step, including its item and the steps of its frames.
  package func environment(answering index: Int) -> Environment {
    var environment = environment(hasRequest: true)
    let loop = pipeline.steps[index].loop
    if pipeline.steps[index].batch != nil {
      environment.declare(Variables.batchEntries, as: .list(.dyn))
      return environment
    }
    let parts = pipeline.steps[index].partOf
    for step in pipeline.steps
    where (step.loop == nil || step.loop == loop) && (step.partOf == nil || step.partOf == parts) {
      for output in step.outputs {
        let type = Self.type(of: output.value)
        environment.declare(
          "steps.\(step.id).\(output.name)", as: step.kind == .forEach ? .list(type) : type)
      }
      if step.makesFile {
        environment.declare("steps.\(step.id).file", as: .object(Variables.file))
      }
    }
    if let loop {
      var element = ValueType.dyn
      if case .list(let type) = pipeline.loops[loop].items.compiled.type { element = type }
      environment.declare(pipeline.loops[loop].variable, as: element)
      for (name, type) in Variables.item { environment.declare(name, as: type) }
    }
    if let parts, case .forEach(let template) = pipeline.steps[parts].action {
      var element = ValueType.dyn
      if case .list(let type) = template.items.compiled.type { element = type }
      environment.declare(template.variable, as: element)
    }
    return environment
  }

  private static func type(of template: Template) -> ValueType {
    guard template.parts.count == 1, case .expression(let only) = template.parts[0] else {
      return .string
    }
    return only.compiled.type
  }

  package func compile(
    _ draft: DraftExpression?, _ expected: ExpectedType, _ environment: Environment
  ) -> Expression? {
    draft.flatMap { reader.compile($0, expected, environment) }
  }

  package func template(
    _ draft: DraftTemplate?, as expected: ExpectedType = .textual, _ environment: Environment
  ) -> Template? {
    guard let draft else { return nil }
    let each: ExpectedType = draft.parts.count == 1 ? expected : .textual
    var parts: [Template.Part] = []
    for part in draft.parts {
      switch part {
      case .text(let text): parts.append(.text(text))
      case .expression(let expression):
        if let compiled = compile(expression, each, environment) {
          parts.append(.expression(compiled))
        }
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
    guard headers.count == draft.headers.count, (body == nil) == (draft.body == nil) else {
      return nil
    }
    return ResponseTemplate(
      status: draft.status, headers: headers, body: body, delay: draft.delay)
  }

  package func json(_ draft: DraftJSON?, _ environment: Environment) -> JSONTemplate? {
    draft?.mapped { template($0, as: .json, environment) }
  }
}

extension DocumentReader {
  /// Compiles an expression that must have a type; reports its errors.
  package func compile(
    _ draft: DraftExpression, _ expected: ExpectedType, _ environment: Environment
  ) -> Expression? {
    let compilation = environment.compile(draft.source)
    for issue in compilation.issues { report(issue, in: draft) }
    guard let compiled = compilation.expression else { return nil }
    guard expected.accepts(compiled.type) else {
      collector.error(
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
    collector.error(
      code, issue.message, at: range, help: issue.suggestion.map { "did you mean '\($0)'?" },
      fix: issue.suggestion.map { Diagnostic.Fix(range: range, replacement: $0) })
  }
}
