/// Turns a checked expression into a plan: names are resolved, and local variables have slots.
struct Planner {
  let environment: Environment
  private let resolutions: Resolutions?
  private var locals: [(name: String, slot: Int)] = []
  private(set) var slotCount = 0

  init(_ environment: Environment, resolutions: Resolutions?) {
    (self.environment, self.resolutions) = (environment, resolutions)
  }

  mutating func plan(_ syntax: Syntax) -> Plan {
    let range = CompactRange(syntax.range)
    switch syntax.kind {
    case .literal(let value): return .constant(value)
    case .invalid: return .failure(.undeclaredReference, "invalid expression", range)
    case .name: return planPath(syntax, range)
    case .select(let operand, let field, let isOptional):
      if !isOptional, let node = planDeclared(syntax, range) { return node }
      return .selection(of: field.name, from: plan(operand), isOptional: isOptional, range)
    case .has(let operand, let field):
      switch resolutions?[syntax.id] {
      case .variable(let name)?: return .presence(ofVariable: name)
      case .constant?: return .constant(true)
      case .definition(let expression)?:
        return expression.variable.map { .presence(ofVariable: $0) } ?? .constant(true)
      default: return .presence(of: field.name, in: plan(operand), range)
      }
    case .index(let operand, let key, let isOptional):
      return .index(plan(operand), plan(key), isOptional: isOptional, range)
    case .call(let function, let target, let arguments):
      return planCall(syntax, function, target, arguments)
    case .list(let elements): return planList(elements, range)
    case .map(let entries):
      return .map(entries.map { (plan($0.key), plan($0.value), $0.isOptional) }, range)
    case .and(let operands): return .logical(operands.map { plan($0) }, decisive: false, range)
    case .or(let operands): return .logical(operands.map { plan($0) }, decisive: true, range)
    case .conditional(let condition, let first, let second):
      return .conditional(plan(condition), plan(first), plan(second), range)
    case .comprehension(let comprehension): return planComprehension(comprehension, range)
    case .bind(let name, let value, let body):
      let value = plan(value)
      let slot = push([name])
      defer { locals.removeLast() }
      return .binding(slot, to: value, in: plan(body))
    case .optionalMap(let target, let name, let body, let isFlat):
      let target = plan(target)
      let slot = push([name])
      defer { locals.removeLast() }
      return .optionalMap(target, slot: slot, body: plan(body), isFlat: isFlat, range)
    }
  }

  /// Assigns the next free slots to names; the first one is returned.
  private mutating func push(_ names: [Syntax.Field]) -> Int {
    let first = locals.last.map { $0.slot + 1 } ?? 0
    for (offset, name) in names.enumerated() { locals.append((name.name, first + offset)) }
    slotCount = max(slotCount, first + names.count)
    return first
  }

  private mutating func planComprehension(
    _ comprehension: Syntax.Comprehension, _ range: CompactRange
  ) -> Plan {
    let source = plan(comprehension.source)
    let slot = push(comprehension.names)
    defer { locals.removeLast(comprehension.names.count) }
    let iteration = Iteration(
      kind: comprehension.kind, source: source, slot: slot,
      hasTwoNames: comprehension.names.count == 2,
      condition: comprehension.condition.map { plan($0) },
      transform: comprehension.transform.map { plan($0) }, range: range)
    return Plan { (state) throws(EvaluationError) in try iteration.evaluate(&state) }
  }

  /// A list of literals is built once.
  private mutating func planList(_ elements: [Syntax.ListElement], _ range: CompactRange) -> Plan {
    var constants: [Value] = []
    for element in elements {
      guard case .literal(let value) = element.value.kind, !element.isOptional else { break }
      constants.append(value)
    }
    if constants.count == elements.count { return .constant(.list(constants)) }
    return .list(elements.map { (plan($0.value), $0.isOptional) }, range)
  }

  private mutating func planPath(_ syntax: Syntax, _ range: CompactRange) -> Plan {
    if let node = planDeclared(syntax, range) { return node }
    if case .name(let name, isAbsolute: false) = syntax.kind,
      let local = locals.last(where: { $0.name == name })
    {
      return .local(local.slot)
    }
    return .failure(.undeclaredReference, "undeclared reference", range)
  }

  func variable(_ syntax: Syntax) -> String? {
    switch syntax.kind {
    case .name, .select(_, _, isOptional: false): break
    default: return nil
    }
    switch resolutions?[syntax.id] {
    case .variable(let name)?: return name
    case .definition(let expression)?: return expression.variable
    default: return nil
    }
  }

  private func planDeclared(_ syntax: Syntax, _ range: CompactRange) -> Plan? {
    guard let resolutions else { return planUnchecked(syntax, range) }
    switch resolutions[syntax.id] {
    case .variable(let name): return .variable(name, range)
    case .constant(let value): return .constant(value)
    case .definition(let expression):
      return expression.variable.map { .variable($0, range) } ?? .definition(expression, range)
    default: return nil
    }
  }

  private func planUnchecked(_ syntax: Syntax, _ range: CompactRange) -> Plan? {
    guard let (fields, isAbsolute) = syntax.path else { return nil }
    let names = fields.map(\.name)
    if !isAbsolute, locals.contains(where: { $0.name == names[0] }) { return nil }
    var candidates: [Plan.Candidate] = []
    for count in stride(from: names.count, through: 1, by: -1) {
      let name = (isAbsolute ? "." : "") + names.prefix(count).joined(separator: ".")
      for candidate in environment.candidates(name) {
        var constant: Value?
        if case .constant(let value, _)? = environment.declarations[candidate] { constant = value }
        candidates.append((candidate, Array(names.dropFirst(count)), constant))
      }
    }
    return .path(candidates, names.joined(separator: "."), range)
  }

  private mutating func planCall(
    _ syntax: Syntax, _ function: Syntax.Field, _ target: Syntax?, _ arguments: [Syntax]
  ) -> Plan {
    let range = CompactRange(syntax.range)
    let (name, overloads, hasTarget) = resolveCall(syntax, function, target, arguments.count)
    var all = arguments
    if hasTarget, let target { all.insert(target, at: 0) }
    let nodes = all.map { plan($0) }
    if let node = planOperator(function.name, nodes, range) { return node }
    guard !overloads.isEmpty
    else { return .failure(.noSuchOverload, "no such function '\(function.name)'", range) }
    if name == "matches", nodes.count == 2, case .literal(.string(let pattern)) = all[1].kind,
      let expression = try? RegularExpression(pattern)
    {
      return .match(nodes[0], expression, range)
    }
    return .call(name, overloads, nodes, range)
  }

  private func resolveCall(
    _ syntax: Syntax, _ function: Syntax.Field, _ target: Syntax?, _ count: Int
  ) -> (name: String, overloads: [Overload], hasTarget: Bool) {
    if case .function(let name, let overloads, let hasTarget)? = resolutions?[syntax.id] {
      return (name, overloads, hasTarget)
    }
    if let (names, isAbsolute) = target?.path,
      isAbsolute || !locals.contains(where: { $0.name == names[0].name })
    {
      let path = (isAbsolute ? "." : "") + names.map(\.name).joined(separator: ".")
      if let (name, found) = environment.overloads(path + "." + function.name) {
        return (name, found.filter { !$0.isMethod && $0.parameters.count == count }, false)
      }
    }
    let isMethod = target != nil
    let found = environment.overloads(function.name)
    let fitting = (found?.overloads ?? []).filter {
      $0.isMethod == isMethod && $0.parameters.count == count + (isMethod ? 1 : 0)
    }
    return (found?.name ?? function.name, fitting, isMethod)
  }

  private func planOperator(_ function: String, _ nodes: [Plan], _ range: CompactRange) -> Plan? {
    if nodes.count == 1 {
      switch function {
      case "!_": return .not(nodes[0], range)
      case "-_": return .negation(of: nodes[0], range)
      default: return nil
      }
    }
    guard nodes.count == 2 else { return nil }
    let (left, right) = (nodes[0], nodes[1])
    switch function {
    case "_==_": return .equality(left, right, isNegated: false)
    case "_!=_": return .equality(left, right, isNegated: true)
    case "_<_": return .comparison(left, right, .less, range)
    case "_<=_": return .comparison(left, right, .lessOrEqual, range)
    case "_>_": return .comparison(left, right, .greater, range)
    case "_>=_": return .comparison(left, right, .greaterOrEqual, range)
    case "_+_": return .arithmetic(left, right, .add, range)
    case "_-_": return .arithmetic(left, right, .subtract, range)
    case "_*_": return .arithmetic(left, right, .multiply, range)
    case "_/_": return .arithmetic(left, right, .divide, range)
    case "_%_": return .arithmetic(left, right, .remainder, range)
    case "@in": return .membership(of: left, in: right, range)
    default: return nil
    }
  }
}
