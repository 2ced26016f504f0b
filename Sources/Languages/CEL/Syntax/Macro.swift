/// A call that is rewritten while parsing, because its arguments are not all values.
enum Macro: String, Hashable, Sendable, CaseIterable {
  case has, all, exists, existsOne, map, filter, transformList, transformMap, transformMapEntry
  case optMap, optFlatMap
  case bind = "cel.bind"
  case greatest = "math.greatest"
  case least = "math.least"

  static let standard: Set<Macro> = [
    .has, .all, .exists, .existsOne, .map, .filter, .transformList, .transformMap,
    .transformMapEntry,
  ]
}

extension Parser {
  mutating func expand(
    _ function: Syntax.Field, target: Syntax?, _ arguments: [Syntax]
  ) -> Syntax? {
    let range = (target?.range.lowerBound ?? function.range.lowerBound)..<previousEnd
    guard let target else {
      guard function.name == "has", macros.contains(.has) else { return nil }
      return expandHas(function, arguments, range)
    }
    if case .name(let namespace, isAbsolute: false) = target.kind,
      let macro = Macro(rawValue: "\(namespace).\(function.name)"), macros.contains(macro)
    {
      return macro == .bind
        ? expandBind(function, arguments, range)
        : expandExtremum(macro, function, target, arguments, range)
    }
    let name = function.name == "exists_one" ? "existsOne" : function.name
    guard let macro = Macro(rawValue: name), macros.contains(macro) else { return nil }
    switch macro {
    case .optMap, .optFlatMap: return expandOptional(macro, target, function, arguments, range)
    case .has: return nil
    default: return expandComprehension(macro, target, function, arguments, range)
    }
  }

  private mutating func misuse(
    _ function: Syntax.Field, _ message: String, _ range: Range<Int>
  ) -> Syntax {
    // Arguments that could not be parsed have been reported; their number is meaningless then.
    if issues.isEmpty { report(.invalidMacro, "'\(function.name)' \(message)", at: function.range) }
    return make(.invalid, at: range)
  }

  private mutating func expandHas(
    _ function: Syntax.Field, _ arguments: [Syntax], _ range: Range<Int>
  ) -> Syntax {
    guard arguments.count == 1,
      case .select(let operand, let field, isOptional: false) = arguments[0].kind
    else { return misuse(function, "needs one field selection, such as has(a.b)", range) }
    return make(.has(operand, field), at: range, parts: [operand])
  }

  private mutating func expandBind(
    _ function: Syntax.Field, _ arguments: [Syntax], _ range: Range<Int>
  ) -> Syntax {
    guard arguments.count == 3, let name = variable(arguments[0]) else {
      return misuse(function, "needs a name, its value, and an expression that uses it", range)
    }
    return make(
      .bind(name, value: arguments[1], body: arguments[2]), at: range,
      parts: [arguments[1], arguments[2]])
  }

  private mutating func expandOptional(
    _ macro: Macro, _ target: Syntax, _ function: Syntax.Field, _ arguments: [Syntax],
    _ range: Range<Int>
  ) -> Syntax {
    guard arguments.count == 2, let name = variable(arguments[0])
    else { return misuse(function, "needs a name and an expression that uses it", range) }
    return make(
      .optionalMap(target, name: name, body: arguments[1], isFlat: macro == .optFlatMap),
      at: range, parts: [target, arguments[1]])
  }

  /// One or two arguments are passed as they are, more of them as a list.
  private mutating func expandExtremum(
    _ macro: Macro, _ function: Syntax.Field, _ namespace: Syntax, _ arguments: [Syntax],
    _ range: Range<Int>
  ) -> Syntax {
    guard !arguments.isEmpty else { return misuse(function, "needs at least one argument", range) }
    let name = Syntax.Field(
      name: macro == .greatest ? "math.@max" : "math.@min", range: function.range)
    guard arguments.count > 2 else {
      return make(.call(name, target: nil, arguments: arguments), at: range, parts: arguments)
    }
    let elements = arguments.map { Syntax.ListElement(value: $0, isOptional: false) }
    let span = arguments[0].range.lowerBound..<arguments[arguments.count - 1].range.upperBound
    let list = make(.list(elements), at: span, parts: arguments)
    return make(.call(name, target: nil, arguments: [list]), at: range, parts: [list])
  }

  private mutating func expandComprehension(
    _ macro: Macro, _ target: Syntax, _ function: Syntax.Field, _ arguments: [Syntax],
    _ range: Range<Int>
  ) -> Syntax? {
    guard let shape = shape(of: macro, count: arguments.count) else {
      switch macro {
      case .map: return misuse(function, "needs a name, an optional condition, and a value", range)
      case .filter: return misuse(function, "needs a name and a condition", range)
      case .all, .exists, .existsOne:
        return misuse(function, "needs one or two names and a condition", range)
      default: return misuse(function, "needs two names, an optional condition, and a value", range)
      }
    }
    let names = arguments.prefix(shape.names).map(variable)
    for (name, argument) in zip(names, arguments) where name == nil {
      report(
        .invalidMacro, "'\(function.name)' needs a plain name as its variable", at: argument.range)
    }
    let fields = names.compactMap { $0 }
    guard fields.count == names.count else { return make(.invalid, at: range) }
    if fields.count == 2, fields[0].name == fields[1].name {
      report(.invalidMacro, "'\(function.name)' needs two different names", at: fields[1].range)
    }
    let rest = arguments.dropFirst(shape.names)
    return make(
      .comprehension(
        .init(
          kind: shape.kind, source: target, names: fields,
          condition: shape.hasCondition ? rest.first : nil,
          transform: shape.hasTransform ? rest.last : nil)),
      at: range, parts: [target] + rest)
  }

  private struct Shape {
    var kind: Syntax.Comprehension.Kind
    var names: Int
    var hasCondition, hasTransform: Bool
  }

  private func shape(of macro: Macro, count: Int) -> Shape? {
    let predicates: [Macro: Syntax.Comprehension.Kind] = [
      .all: .all, .exists: .exists, .existsOne: .existsOne,
    ]
    if let kind = predicates[macro], count == 2 || count == 3 {
      return Shape(kind: kind, names: count - 1, hasCondition: true, hasTransform: false)
    }
    let transforms: [Macro: (kind: Syntax.Comprehension.Kind, names: Int)] = [
      .map: (.list, 1), .transformList: (.list, 2), .transformMap: (.map, 2),
      .transformMapEntry: (.mapEntries, 2),
    ]
    if let (kind, names) = transforms[macro], count == names + 1 || count == names + 2 {
      return Shape(kind: kind, names: names, hasCondition: count > names + 1, hasTransform: true)
    }
    guard macro == .filter, count == 2 else { return nil }
    return Shape(kind: .list, names: 1, hasCondition: true, hasTransform: false)
  }

  private func variable(_ syntax: Syntax) -> Syntax.Field? {
    guard case .name(let name, isAbsolute: false) = syntax.kind else { return nil }
    return Syntax.Field(name: name, range: syntax.range)
  }
}
