enum Resolution: Sendable {
  case variable(String)
  case constant(Value)
  case definition(CompiledExpression)
  /// The signatures that match; `hasTarget` if the target is an argument, not a namespace.
  case function(String, [Overload], hasTarget: Bool)
}

/// The findings about the parts of one source, by their ``Syntax/id``.
struct Resolutions {
  private var all: [Resolution?] = []

  mutating func reserve(_ count: Int) { all.reserveCapacity(count) }

  subscript(id: Int) -> Resolution? {
    get { all.indices.contains(id) ? all[id] : nil }
    set {
      while all.count <= id { all.append(nil) }
      all[id] = newValue
    }
  }
}

struct Checker {
  let environment: Environment
  var substitution = Substitution()
  var locals: [(name: String, type: ValueType)] = []
  var issues: [Issue] = []
  var resolutions = Resolutions()
  var references: [Reference] = []
  var definitions: [String: CompiledExpression] = [:]
  var lookUps: [CompilationCache.LookUp] = []
  /// Whether the result depends on nothing else.
  var isReusable = true
  private(set) var rootType: ValueType = .dyn

  init(_ environment: Environment) { self.environment = environment }

  mutating func checkRoot(_ syntax: Syntax) {
    // The root is created last, so it has the highest number.
    resolutions.reserve(syntax.id + 1)
    rootType = substitution.resolve(check(syntax), isFinal: true)
  }

  mutating func report(
    _ code: Issue.Code, _ message: String, at range: Range<Int>, suggestion: String? = nil
  ) {
    guard issues.count < Issue.maximumCount else { return }
    issues.append(Issue(code, message, at: range, suggestion: suggestion))
  }

  /// The type of an expression; `dyn` after a reported error, so that no errors follow from it.
  mutating func check(_ syntax: Syntax) -> ValueType {
    switch syntax.kind {
    case .literal(let value): return ValueType(of: value)
    case .invalid: return .dyn
    case .name: return checkPath(syntax) ?? .dyn
    case .select(let operand, let field, let isOptional):
      return checkSelect(syntax, operand, field, isOptional: isOptional)
    case .has(let operand, let field): return checkHas(syntax, operand, field)
    case .index(let operand, let key, let isOptional):
      return checkIndex(operand, key, isOptional: isOptional)
    case .call(let function, let target, let arguments):
      return checkCall(syntax, function, target, arguments)
    case .list(let elements): return checkList(elements)
    case .map(let entries): return checkMap(entries)
    case .and(let operands), .or(let operands):
      for operand in operands {
        expect(.bool, check(operand), "operand of a logical operator", at: operand.range)
      }
      return .bool
    case .conditional(let condition, let first, let second):
      return checkConditional(condition, first, second)
    case .comprehension(let comprehension): return checkComprehension(comprehension)
    case .bind(let name, let value, let body):
      let type = check(value)
      return with([(name.name, type)]) { $0.check(body) }
    case .optionalMap(let target, let name, let body, let isFlat):
      return checkOptionalMap(target, name, body, isFlat: isFlat)
    }
  }

  mutating func with(
    _ names: [(name: String, type: ValueType)], _ check: (inout Checker) -> ValueType
  ) -> ValueType {
    locals += names
    defer { locals.removeLast(names.count) }
    return check(&self)
  }

  mutating func expect(
    _ expected: ValueType, _ found: ValueType, _ role: String, at range: Range<Int>
  ) {
    if !substitution.isAssignable(found, to: expected) {
      let found = substitution.resolve(found, isFinal: true)
      report(.typeMismatch, "\(role) must be \(expected), found \(found)", at: range)
    }
  }

  private mutating func checkConditional(
    _ condition: Syntax, _ first: Syntax, _ second: Syntax
  ) -> ValueType {
    expect(.bool, check(condition), "condition before '?'", at: condition.range)
    let types = [check(first), check(second)]
    let result = substitution.freshParameter()
    guard substitution.areAssignable(types, to: [result, result]) else {
      let names = types.map { substitution.resolve($0, isFinal: true).description }
      report(
        .noSuchOverload,
        "both branches of '?:' must have the same type, found \(names[0]) and \(names[1])",
        at: first.range.lowerBound..<second.range.upperBound)
      return .dyn
    }
    return substitution.resolve(result)
  }

  private mutating func checkList(_ elements: [Syntax.ListElement]) -> ValueType {
    var element: ValueType?
    for item in elements {
      var type = check(item.value)
      if item.isOptional { type = unwrap(type, at: item.value.range) }
      element = element.map { substitution.join($0, type) } ?? type
    }
    return .list(element.map { substitution.resolve($0) } ?? substitution.freshParameter())
  }

  private mutating func checkMap(_ entries: [Syntax.MapEntry]) -> ValueType {
    var (key, value): (ValueType?, ValueType?) = (nil, nil)
    for entry in entries {
      let keyType = substitution.resolve(check(entry.key))
      switch keyType {
      case .bool, .int, .uint, .string, .dyn, .parameter: break
      default:
        report(
          .typeMismatch, "map key must be bool, int, uint or string, found \(keyType)",
          at: entry.key.range)
      }
      var valueType = check(entry.value)
      if entry.isOptional { valueType = unwrap(valueType, at: entry.value.range) }
      key = key.map { substitution.join($0, keyType) } ?? keyType
      value = value.map { substitution.join($0, valueType) } ?? valueType
    }
    return .map(
      key.map { substitution.resolve($0) } ?? substitution.freshParameter(),
      value.map { substitution.resolve($0) } ?? substitution.freshParameter())
  }

  private mutating func unwrap(_ type: ValueType, at range: Range<Int>) -> ValueType {
    let wrapped = substitution.freshParameter()
    if substitution.isAssignable(type, to: .optional(wrapped)) {
      return substitution.resolve(type) == .dyn ? .dyn : substitution.resolve(wrapped)
    }
    let found = substitution.resolve(type, isFinal: true)
    report(.typeMismatch, "value after '?' must be optional, found \(found)", at: range)
    return .dyn
  }

  private mutating func checkOptionalMap(
    _ target: Syntax, _ name: Syntax.Field, _ body: Syntax, isFlat: Bool
  ) -> ValueType {
    let wrapped = substitution.freshParameter()
    let type = check(target)
    expect(.optional(wrapped), type, "target of 'optMap'", at: target.range)
    let result = with([(name.name, substitution.resolve(wrapped))]) { $0.check(body) }
    guard isFlat else { return .optional(result) }
    expect(
      .optional(substitution.freshParameter()), result, "result of 'optFlatMap'", at: body.range)
    return result
  }

  private mutating func checkComprehension(_ comprehension: Syntax.Comprehension) -> ValueType {
    let source = substitution.resolve(check(comprehension.source))
    guard let (key, element) = members(of: source) else {
      report(
        .typeMismatch, "expected a list or a map to iterate over, found \(source)",
        at: comprehension.source.range)
      return .dyn
    }
    let isList = if case .list = source { true } else { false }
    let types = comprehension.names.count == 2 ? [key, element] : [isList ? element : key]
    let names = zip(comprehension.names, types).map { (name: $0.name, type: $1) }
    return with(names) { checker in
      if let condition = comprehension.condition {
        checker.expect(.bool, checker.check(condition), "condition", at: condition.range)
      }
      let transformed = comprehension.transform.map { checker.check($0) }
      switch comprehension.kind {
      case .all, .exists, .existsOne: return .bool
      case .list: return .list(transformed ?? names[0].type)
      case .map: return .map(key, transformed ?? .dyn)
      case .mapEntries:
        let entry = ValueType.map(
          checker.substitution.freshParameter(), checker.substitution.freshParameter())
        if let transform = comprehension.transform {
          checker.expect(entry, transformed ?? .dyn, "entry", at: transform.range)
        }
        return checker.substitution.resolve(transformed ?? .dyn)
      }
    }
  }

  private mutating func members(of type: ValueType) -> (key: ValueType, element: ValueType)? {
    switch type {
    case .list(let element): (.int, element)
    case .map(let key, let value): (key, value)
    case .object: (.string, .dyn)
    case .dyn, .parameter: (.dyn, .dyn)
    case .nullable(let type): members(of: type)
    default: nil
    }
  }
}
