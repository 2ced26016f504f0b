/// Turns a checked expression into nodes for evaluation: names are resolved, local variables have
/// slots, and operators have their own nodes.
struct Planner {
  let environment: Environment
  /// `nil` for an unchecked expression.
  private let resolutions: Resolutions?
  private var locals: [(name: String, slot: Int)] = []
  private(set) var slotCount = 0

  init(_ environment: Environment, resolutions: Resolutions?) {
    self.environment = environment
    self.resolutions = resolutions
  }

  mutating func plan(_ syntax: Syntax) -> any PlanNode {
    let range = CompactRange(syntax.range)
    switch syntax.kind {
    case .literal(let value): return ConstantNode(value)
    case .invalid:
      return FailureNode(EvaluationError(.undeclaredReference, "invalid expression", at: range))
    case .name: return planPath(syntax, range)
    case .select(let operand, let field, let isOptional):
      if !isOptional, let node = planDeclared(syntax, range) { return node }
      return SelectNode(plan(operand), field: field.name, isOptional: isOptional, range: range)
    case .has(let operand, let field):
      if case .variable(let name)? = resolutions?[syntax.id] { return HasVariableNode(name) }
      if case .constant? = resolutions?[syntax.id] { return ConstantNode(.bool(true)) }
      if case .definition(let expression)? = resolutions?[syntax.id] {
        return expression.variable.map { HasVariableNode($0) } ?? ConstantNode(.bool(true))
      }
      return HasNode(plan(operand), field: field.name, range: range)
    case .index(let operand, let key, let isOptional):
      return IndexNode(plan(operand), plan(key), isOptional: isOptional, range: range)
    case .call(let function, let target, let arguments):
      return planCall(syntax, function, target, arguments)
    case .list(let elements): return planList(elements, range)
    case .map(let entries):
      return MapNode(
        entries.map {
          MapNode.Entry(key: plan($0.key), value: plan($0.value), isOptional: $0.isOptional)
        }, range: range)
    case .and(let operands):
      return LogicalNode(operands.map { plan($0) }, decisive: false, range: range)
    case .or(let operands):
      return LogicalNode(operands.map { plan($0) }, decisive: true, range: range)
    case .conditional(let condition, let first, let second):
      return ConditionalNode(plan(condition), plan(first), plan(second), range: range)
    case .comprehension(let comprehension): return planComprehension(comprehension, range)
    case .bind(let name, let value, let body):
      let value = plan(value)
      let slot = push([name])
      defer { locals.removeLast() }
      return BindNode(slot: slot, value: value, body: plan(body))
    case .optionalMap(let target, let name, let body, let isFlat):
      let target = plan(target)
      let slot = push([name])
      defer { locals.removeLast() }
      return OptionalMapNode(target, slot: slot, body: plan(body), isFlat: isFlat, range: range)
    }
  }

  /// Gives names the next free slots; the first one is returned.
  private mutating func push(_ names: [Syntax.Field]) -> Int {
    let first = locals.last.map { $0.slot + 1 } ?? 0
    for (offset, name) in names.enumerated() { locals.append((name.name, first + offset)) }
    slotCount = max(slotCount, first + names.count)
    return first
  }

  private mutating func planComprehension(
    _ comprehension: Syntax.Comprehension, _ range: CompactRange
  ) -> any PlanNode {
    let source = plan(comprehension.source)
    let slot = push(comprehension.names)
    defer { locals.removeLast(comprehension.names.count) }
    return ComprehensionNode(
      comprehension.kind, source: source, slot: slot, hasTwoNames: comprehension.names.count == 2,
      condition: comprehension.condition.map { plan($0) },
      transform: comprehension.transform.map { plan($0) }, range: range)
  }

  /// A list of literals is built once.
  private mutating func planList(
    _ elements: [Syntax.ListElement], _ range: CompactRange
  ) -> any PlanNode {
    var constants: [Value] = []
    for element in elements {
      guard case .literal(let value) = element.value.kind, !element.isOptional else { break }
      constants.append(value)
    }
    if constants.count == elements.count { return ConstantNode(.list(constants)) }
    return ListNode(
      elements.map { (node: plan($0.value), isOptional: $0.isOptional) }, range: range)
  }

  private mutating func planPath(_ syntax: Syntax, _ range: CompactRange) -> any PlanNode {
    if let node = planDeclared(syntax, range) { return node }
    if case .name(let name, isAbsolute: false) = syntax.kind,
      let local = locals.last(where: { $0.name == name })
    {
      return LocalNode(slot: local.slot)
    }
    return FailureNode(EvaluationError(.undeclaredReference, "undeclared reference", at: range))
  }

  /// The node of a path that is a variable or a constant as a whole.
  private func planDeclared(_ syntax: Syntax, _ range: CompactRange) -> (any PlanNode)? {
    guard let resolutions else { return planUnchecked(syntax, range) }
    switch resolutions[syntax.id] {
    case .variable(let name): return VariableNode(name, range: range)
    case .constant(let value): return ConstantNode(value)
    case .definition(let expression):
      return expression.variable.map { VariableNode($0, range: range) }
        ?? DefinitionNode(expression, range: range)
    default: return nil
    }
  }

  private func planUnchecked(_ syntax: Syntax, _ range: CompactRange) -> (any PlanNode)? {
    guard let (fields, isAbsolute) = syntax.path else { return nil }
    let names = fields.map(\.name)
    if !isAbsolute, locals.contains(where: { $0.name == names[0] }) { return nil }
    var candidates: [PathNode.Candidate] = []
    for count in stride(from: names.count, through: 1, by: -1) {
      let name = (isAbsolute ? "." : "") + names.prefix(count).joined(separator: ".")
      for candidate in environment.candidates(name) {
        var constant: Value?
        if case .constant(let value, _)? = environment.declarations[candidate] { constant = value }
        candidates.append(
          .init(name: candidate, fields: Array(names.dropFirst(count)), constant: constant))
      }
    }
    return PathNode(candidates, path: names.joined(separator: "."), range: range)
  }

  private mutating func planCall(
    _ syntax: Syntax, _ function: Syntax.Field, _ target: Syntax?, _ arguments: [Syntax]
  ) -> any PlanNode {
    let range = CompactRange(syntax.range)
    let (name, overloads, hasTarget) = resolveCall(syntax, function, target, arguments.count)
    var all = arguments
    if hasTarget, let target { all.insert(target, at: 0) }
    let nodes = all.map { plan($0) }
    if let node = planOperator(function.name, nodes, range) { return node }
    guard !overloads.isEmpty else {
      return FailureNode(
        EvaluationError(.noSuchOverload, "no such function '\(function.name)'", at: range))
    }
    if name == "matches", nodes.count == 2, case .literal(.string(let pattern)) = all[1].kind,
      let expression = try? RegularExpression(pattern)
    {
      return MatchNode(nodes[0], expression, range: range)
    }
    return CallNode(name, overloads, nodes, range: range)
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

  private func planOperator(
    _ function: String, _ nodes: [any PlanNode], _ range: CompactRange
  ) -> (any PlanNode)? {
    if nodes.count == 1 {
      switch function {
      case "!_": return NotNode(nodes[0], range: range)
      case "-_": return NegateNode(nodes[0], range: range)
      default: return nil
      }
    }
    guard nodes.count == 2 else { return nil }
    let (left, right) = (nodes[0], nodes[1])
    switch function {
    case "_==_": return EqualNode(left, right, isNegated: false)
    case "_!=_": return EqualNode(left, right, isNegated: true)
    case "_<_": return CompareNode(left, right, .less, range: range)
    case "_<=_": return CompareNode(left, right, .lessOrEqual, range: range)
    case "_>_": return CompareNode(left, right, .greater, range: range)
    case "_>=_": return CompareNode(left, right, .greaterOrEqual, range: range)
    case "_+_": return ArithmeticNode(left, right, .add, range: range)
    case "_-_": return ArithmeticNode(left, right, .subtract, range: range)
    case "_*_": return ArithmeticNode(left, right, .multiply, range: range)
    case "_/_": return ArithmeticNode(left, right, .divide, range: range)
    case "_%_": return ArithmeticNode(left, right, .remainder, range: range)
    case "@in": return InNode(left, right, range: range)
    default: return nil
    }
  }
}
