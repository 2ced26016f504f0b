struct ExpressionCompletion {
  private let analysis: DocumentAnalysis
  private let cursor: ExpressionCursor
  private let scope: DocumentIndex.Scope
  private let types: TypeInference
  private let steps: [String: DocumentIndex.Step]
  private let inputs: [String: DocumentIndex.Input]
  private let range: TextRange
  private var environment: Environment { types.environment }

  init(
    analysis: DocumentAnalysis, cursor: ExpressionCursor, scope: DocumentIndex.Scope,
    position: SourcePosition
  ) {
    (self.analysis, self.cursor, self.scope) = (analysis, cursor, scope)
    let index = analysis.index
    types = TypeInference(index, in: scope)
    steps = Dictionary(index.steps.map { ($0.id?.value ?? "", $0) }) { first, _ in first }
    inputs = Dictionary(index.inputs.map { ($0.name.value, $0) }) { first, _ in first }
    let column = position.column - 1
    range = analysis.range(
      line: position.line, max(0, column - cursor.prefixLength)..<(column + cursor.suffixLength))
  }

  var completions: [Completion] {
    switch cursor.position {
    case .text: []
    case .name: names
    case .member(let receiver): members(of: receiver)
    }
  }

  private func completion(
    _ label: String, _ kind: Completion.Kind, detail: String?, _ documentation: String? = nil,
    snippet: String? = nil, rank: Int
  ) -> Completion {
    Completion(
      label: label, kind: kind, detail: detail, documentation: documentation, range: range,
      text: label, snippet: cursor.isCalled ? nil : snippet, sortText: "\(rank)\(label)")
  }

  private var names: [Completion] {
    var completions = cursor.locals.map {
      completion($0, .variable, detail: "macro variable", rank: 0)
    }
    var seen = Set(cursor.locals)
    for variable in environment.variables {
      let parts = variable.name.split(separator: ".", maxSplits: 1).map(String.init)
      guard let root = parts.first, seen.insert(root).inserted else { continue }
      let detail = parts.count == 1 ? variable.type.description : Self.roots[root]
      completions.append(completion(root, .variable, detail: detail, rank: 1))
    }
    for name in environment.functionNames {
      guard let dot = name.firstIndex(of: ".") else {
        let overloads = environment.overloads(of: name).filter { !$0.isMethod }
        if !overloads.isEmpty { completions.append(function(name, overloads)) }
        continue
      }
      let namespace = String(name[..<dot])
      if seen.insert(namespace).inserted {
        completions.append(completion(namespace, .variable, detail: "functions", rank: 3))
      }
    }
    if seen.insert("cel").inserted {
      completions.append(completion("cel", .variable, detail: "functions", rank: 3))
    }
    completions += FunctionReference.macros.filter { $0.target == nil && !$0.name.contains(".") }
      .map { macro($0, label: $0.name) }
    for constant in environment.constants where !constant.name.contains(".") {
      if case .type = constant.type { continue }
      completions.append(
        completion(constant.name, .constant, detail: constant.type.description, rank: 3))
    }
    return completions
      + ["true", "false", "null", "in"].map { completion($0, .constant, detail: nil, rank: 4) }
  }

  private static let roots = [
    "inputs": "the run's inputs", "steps": "results of steps", "run": "the run",
    "item": "the item", "response": "the response", "history": "earlier responses",
    "items": "numbers of items", "disk": "files that the run created", "transfers": "transfers",
    "bytes": "bytes of transfers", "device": "the device", "requests": "requests",
    "request": "the request", "batch": "the batch", "idempotency": "the step's idempotency key",
  ]

  private func members(of receiver: String) -> [Completion] {
    let declared = declared(below: receiver)
    let namespace = functions(in: receiver)
    if !declared.isEmpty || !namespace.isEmpty { return declared + namespace }
    // `steps` and the like are not values by themselves; nothing else can follow.
    if DocumentReader.rootNames.subtracting(["now"]).contains(receiver) { return [] }
    let type = isLocal(receiver) ? .dyn : types.type(of: receiver) ?? .dyn
    return fields(of: type) + methods(of: type)
  }

  private func isLocal(_ receiver: String) -> Bool {
    cursor.locals.contains(String(receiver.prefix { $0 != "." }))
  }

  private func declared(below receiver: String) -> [Completion] {
    guard !isLocal(receiver) else { return [] }
    let prefix = receiver + "."
    var seen: Set<String> = []
    return environment.variables.compactMap { variable in
      guard variable.name.hasPrefix(prefix) else { return nil }
      let part = String(variable.name.dropFirst(prefix.count).prefix { $0 != "." })
      guard seen.insert(part).inserted else { return nil }
      return self.part(part, of: receiver, variable.type)
    } + idsWithoutOutputs(receiver, seen)
  }

  private func part(_ name: String, of receiver: String, _ type: ValueType) -> Completion {
    switch receiver {
    case "inputs":
      let input = inputs[name]
      return completion(name, .input, detail: input?.kind?.rawValue, input?.description, rank: 0)
    case "steps":
      let step = steps[name]
      return completion(name, .step, detail: step?.action?.value, step?.description, rank: 0)
    default:
      let kind: Completion.Kind = receiver.hasPrefix("steps.") ? .output : .variable
      return completion(name, kind, detail: type.description, rank: 0)
    }
  }

  private func idsWithoutOutputs(_ receiver: String, _ seen: Set<String>) -> [Completion] {
    guard receiver == "steps" else { return [] }
    return analysis.index.visibleSteps(in: scope).compactMap { step in
      guard let id = step.id?.value, !seen.contains(id) else { return nil }
      return completion(id, .step, detail: "no outputs", step.description, rank: 1)
    }
  }

  private func functions(in namespace: String) -> [Completion] {
    let prefix = namespace + "."
    let functions = environment.functionNames.filter { $0.hasPrefix(prefix) }.map { name in
      function(String(name.dropFirst(prefix.count)), environment.overloads(of: name), name)
    }
    return functions
      + FunctionReference.macros.filter { $0.target == nil && $0.name.hasPrefix(prefix) }
      .map { macro($0, label: String($0.name.dropFirst(prefix.count))) }
  }

  private func fields(of type: ValueType) -> [Completion] {
    guard case .object(let object) = type else { return [] }
    return object.fields.map { completion($0.name, .field, detail: $0.type.description, rank: 0) }
  }

  private func methods(of type: ValueType) -> [Completion] {
    var completions: [Completion] = []
    for name in environment.functionNames where !name.contains(".") {
      let overloads = environment.overloads(of: name).filter { overload in
        overload.isMethod && overload.parameters.first.map(type.isAssignable) == true
      }
      if !overloads.isEmpty { completions.append(function(name, overloads, isMethod: true)) }
    }
    let targets: [FunctionReference.Macro.Target] =
      switch type {
      case .list, .map: [.collection]
      case .optional: [.optional]
      case .dyn: [.collection]
      default: []
      }
    completions += FunctionReference.macros.filter { macro in
      macro.target.map { target in targets.contains { $0 == target } } ?? false
    }.map { macro($0, label: $0.name) }
    return completions
  }

  private func function(
    _ label: String, _ overloads: [Overload], _ name: String? = nil, isMethod: Bool = false
  ) -> Completion {
    let name = name ?? label
    let parameters = overloads.map { $0.parameters.count - (isMethod ? 1 : 0) }.min() ?? 0
    let signatures = overloads.map { $0.text(name: name) }
    return completion(
      label, .function, detail: signatures.first, FunctionReference.summaries[name],
      snippet: parameters == 0 ? "\(label)()$0" : "\(label)($1)$0", rank: 2)
  }

  private func macro(_ macro: FunctionReference.Macro, label: String) -> Completion {
    completion(
      label, .function, detail: macro.signature, macro.summary,
      snippet: "\(label)(\(macro.arguments))$0", rank: 2)
  }
}

extension Overload {
  func text(name: String) -> String {
    let names = parameters.map(\.description)
    guard isMethod, let target = names.first
    else { return "\(name)(\(names.joined(separator: ", "))) -> \(result)" }
    return "\(target).\(name)(\(names.dropFirst().joined(separator: ", "))) -> \(result)"
  }
}
