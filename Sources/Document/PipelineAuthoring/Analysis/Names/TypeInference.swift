struct TypeInference {
  let environment: Environment

  init(_ index: DocumentIndex, in scope: DocumentIndex.Scope) {
    if index.root == .scenario {
      environment = scope.hasResponse ? PropertyReader.answers : PropertyReader.world
      return
    }
    if index.root == .test {
      environment = Self.test(index.tested, scope)
      return
    }
    var visibility = Visibility(Variables.base)
    for input in index.inputs {
      visibility.declare("inputs.\(input.name.value)", as: Variables.type(of: input.kind))
    }
    var entered: Int?
    for step in index.steps.prefix(scope.step) where index.isVisible(step, in: scope) {
      if let loop = step.loop, entered != loop {
        Self.enter(index.loops[loop], &visibility)
        entered = loop
      }
      guard let id = step.id else { continue }
      let response = Self.responseType(of: step)
      for output in step.outputs {
        // Collected expressions read the steps of a part, which are not visible here.
        visibility.declare(
          "steps.\(id.value).\(output.name.value)",
          as: step.parts != nil
            ? .list(.dyn) : Self.type(of: output, visibility.answering(with: response)))
      }
      // Only the names of another file's outputs are known.
      for name in step.used.outputs { visibility.declare("steps.\(id.value).\(name)", as: .dyn) }
      if step.makesFile {
        visibility.declare("steps.\(id.value).file", as: .object(Variables.file))
      }
    }
    if let loop = scope.loop, entered != loop, index.loops.indices.contains(loop) {
      Self.enter(index.loops[loop], &visibility)
    }
    let own = index.steps.indices.contains(scope.step) ? index.steps[scope.step] : nil
    if let parts = scope.parts.flatMap({ index.steps[$0].parts }), let variable = parts.variable {
      visibility.declare(variable.value, as: Self.element(of: parts.items, visibility.asking))
    }
    if let batch = own?.batch { Self.enter(batch, scope, &visibility) }
    if let own { Self.enter(own, scope, &visibility) }
    environment =
      scope.hasResponse
      ? visibility.answering(with: own.flatMap(Self.responseType)) : visibility.asking
  }

  private static func test(_ pipeline: Pipeline?, _ scope: DocumentIndex.Scope) -> Environment {
    guard let pipeline else { return Variables.base }
    switch scope.reply {
    case nil: return pipeline.testNames(hasRequest: false)
    case .any?: return pipeline.testNames(hasRequest: true)
    case .step(let id)?:
      let step = pipeline.steps.firstIndex { $0.id.rawValue == id }
      return step.map { pipeline.testNames(answering: $0) } ?? pipeline.testNames(hasRequest: true)
    }
  }

  private static func responseType(of step: DocumentIndex.Step) -> ValueType? {
    var words: [String: [String]] = [:]
    return step.responseSchema.map {
      SchemaType(isOpen: false).type(of: $0, at: "response.json", &words)
    }
  }

  private static func enter(_ loop: DocumentIndex.Loop, _ visibility: inout Visibility) {
    if let variable = loop.variable {
      visibility.declare(variable.value, as: element(of: loop.items, visibility.asking))
    }
    for (name, type) in Variables.item { visibility.declare(name, as: type) }
  }

  private static func enter(
    _ batch: (entry: YAMLNode?, each: YAMLNode?), _ scope: DocumentIndex.Scope,
    _ visibility: inout Visibility
  ) {
    let entry = batch.entry.map { type(of: $0, visibility.asking) } ?? .dyn
    visibility.declare(Variables.batchEntries, as: .list(entry))
    guard scope.hasResponse else { return }
    visibility.declare(Variables.batchEntry, as: entry)
    visibility.declare(Variables.batchIndex, as: .int)
    let result = batch.each.map { type(of: $0, visibility.answering(with: nil)) } ?? .dyn
    visibility.declare(Variables.batchResult, as: result)
  }

  private static func enter(
    _ step: DocumentIndex.Step, _ scope: DocumentIndex.Scope, _ visibility: inout Visibility
  ) {
    if step.hasKey { visibility.declare(IdempotencyKey.name, as: .string) }
    let response = responseType(of: step)
    for value in step.values {
      visibility.declare(
        value.name.value, as: type(of: value.value, visibility.answering(with: response)))
    }
  }

  private static func element(of items: YAMLNode?, _ environment: Environment) -> ValueType {
    guard let items, case .list(let element) = type(of: items, environment) else { return .dyn }
    return element
  }

  static func type(of output: DocumentIndex.Output, _ environment: Environment) -> ValueType {
    output.type ?? output.value.map { type(of: $0, environment) } ?? .dyn
  }

  /// The type of a scalar: that of its expression if it is exactly one, otherwise string.
  private static func type(of node: YAMLNode, _ environment: Environment) -> ValueType {
    guard let text = node.scalar?.text else { return .dyn }
    var scanner = TemplateScanner(String(Substring(text).trimmed))
    guard case .expression? = scanner.next() else { return .string }
    let source = scanner.source
    guard scanner.next() == nil else { return .string }
    return environment.compile(source).expression?.type ?? .dyn
  }

  func type(of source: String) -> ValueType? { environment.compile(source).expression?.type }
}

extension Key {
  func detail(isNeeded: Bool) -> String { (isNeeded ? "required, " : "") + shape.phrase }

  /// The key's documentation in Markdown, with its default and examples.
  var documentation: String {
    var parts = [summary]
    if case .choice(let words) = shape {
      parts.append("One of " + words.map { "`\($0)`" }.joined(separator: ", ") + ".")
    }
    if let defaultValue { parts.append("Default: `\(Self.text(defaultValue))`") }
    if !examples.isEmpty {
      parts.append(
        "For example: " + examples.map { "`\(name): \(Self.text($0))`" }.joined(separator: ", "))
    }
    return parts.joined(separator: "\n\n")
  }

  private static func text(_ value: Value) -> String {
    if let text = value.stringValue { return text }
    return JSONText.render(value).split(separator: "\n").map { Substring($0).trimmed }
      .joined(separator: " ")
  }

  func snippet(isFlow: Bool) -> String {
    let quote = isFlow ? "\"" : ""
    var shape = shape
    if case .either(let shapes) = shape, case .map? = shapes.first { shape = shapes[0] }
    switch shape {
    case .expression: return "\(name): \(quote)\\${{ $1 \\}\\}\(quote)$0"
    case .flag: return "\(name): ${1|true,false|}$0"
    case .choice(let words): return "\(name): ${1|\(words.joined(separator: ","))|}$0"
    case .construct, .map: return isFlow ? "\(name): { $1 }$0" : "\(name):\n  $0"
    case .list, .filledList: return isFlow ? "\(name): [$1]$0" : "\(name):\n  - $0"
    default: return "\(name): $0"
    }
  }
}

extension ValueShape {
  var phrase: String {
    switch self {
    case .text: "text"
    case .pattern: "name"
    case .template, .optionalTemplate: "text with expressions"
    case .expression: "expression"
    case .duration: "duration"
    case .durationOrExpression: "duration or expression"
    case .size: "size"
    case .rate: "bytes per second"
    case .requestRate: "requests in a time"
    case .integer: "integer"
    case .number: "number"
    case .fraction: "number from 0 to 1"
    case .flag: "true or false"
    case .choice: "choice"
    case .scalar: "value"
    case .json: "JSON value"
    case .map: "mapping from names"
    case .list, .filledList: "list"
    case .construct: "mapping"
    case .either(let shapes): shapes.map(\.phrase).joined(separator: " or ")
    }
  }
}
