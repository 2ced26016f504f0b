extension Checker {
  mutating func checkCall(
    _ syntax: Syntax, _ function: Syntax.Field, _ target: Syntax?, _ arguments: [Syntax]
  ) -> ValueType {
    if let target, let (name, overloads) = qualified(function, target) {
      return checkOverloads(syntax, function, name, overloads, arguments, hasTarget: false)
    }
    let all = target.map { [$0] + arguments } ?? arguments
    // Methods do not belong to a namespace.
    let found =
      target == nil
      ? environment.overloads(function.name)
      : environment.functions[function.name].map { (function.name, $0) }
    guard let (name, overloads) = found else {
      reportUndeclared(function, target)
      for argument in arguments { _ = check(argument) }
      return .dyn
    }
    return checkOverloads(syntax, function, name, overloads, all, hasTarget: target != nil)
  }

  /// The function `a.b.f` of a call that reads like a method of `a.b`.
  private func qualified(
    _ function: Syntax.Field, _ target: Syntax
  ) -> (name: String, overloads: [Overload])? {
    guard let (names, isAbsolute) = target.path,
      isAbsolute || !locals.contains(where: { $0.name == names[0].name })
    else { return nil }
    let path = names.map(\.name).joined(separator: ".")
    return environment.overloads((isAbsolute ? "." : "") + path + "." + function.name)
  }

  private mutating func checkOverloads(
    _ syntax: Syntax, _ function: Syntax.Field, _ name: String, _ overloads: [Overload],
    _ arguments: [Syntax], hasTarget: Bool
  ) -> ValueType {
    let types = arguments.map { check($0) }
    var fitting: [Overload] = []
    var result: ValueType?
    for overload in overloads
    where overload.isMethod == hasTarget && overload.parameters.count == types.count {
      guard let type = resultType(of: overload, for: types) else { continue }
      fitting.append(overload)
      if let known = result {
        if known != type { result = .dyn }
      } else {
        result = type
      }
    }
    resolutions[syntax.id] = .function(name, fitting, hasTarget: hasTarget)
    guard let result else {
      reportNoOverload(function, types, overloads, hasTarget: hasTarget, at: syntax.range)
      return .dyn
    }
    if name == "matches" || name == "capture", let last = arguments.last { checkPattern(last) }
    return result
  }

  private mutating func resultType(of overload: Overload, for types: [ValueType]) -> ValueType? {
    switch overload.fit(types) {
    case .fits(let result): return result
    case .doesNot: return nil
    case .unknown:
      let (parameters, result) = instantiate(overload)
      guard substitution.areAssignable(types, to: parameters) else { return nil }
      return substitution.resolve(result)
    }
  }

  private mutating func instantiate(_ overload: Overload) -> ([ValueType], ValueType) {
    guard overload.isGeneric else { return (overload.parameters, overload.result) }
    var fresh: [String: ValueType] = [:]
    func collect(_ type: ValueType, _ substitution: inout Substitution) {
      if case .parameter(let name) = type, fresh[name] == nil {
        fresh[name] = substitution.freshParameter()
      }
      for component in type.components { collect(component, &substitution) }
    }
    for type in overload.parameters { collect(type, &substitution) }
    collect(overload.result, &substitution)
    func rename(_ type: ValueType) -> ValueType {
      if case .parameter(let name) = type { return fresh[name] ?? type }
      return type.mapComponents(rename)
    }
    return (overload.parameters.map(rename), rename(overload.result))
  }

  private mutating func checkPattern(_ argument: Syntax) {
    guard case .literal(.string(let pattern)) = argument.kind else { return }
    do throws(RegularExpression.PatternError) {
      _ = try RegularExpression(pattern)
    } catch { report(.invalidPattern, error.message, at: argument.range) }
  }

  private mutating func reportUndeclared(_ function: Syntax.Field, _ target: Syntax?) {
    guard issues.count < Issue.maximumCount else { return }
    if let target, let names = target.path?.names.map(\.name),
      !locals.contains(where: { $0.name == names[0] }), environment.declaration(names[0]) == nil
    {
      let path = names.joined(separator: ".") + "."
      let name = path + function.name
      let near = nearestName(to: name, among: environment.functionNames.filter { $0.contains(".") })
      // `math.foo(…)`: the target is a namespace of functions, not a variable.
      if near != nil || environment.functionNames.contains(where: { $0.hasPrefix(path) }) {
        report(
          .undeclaredFunction, "undeclared function '\(name)'",
          at: target.range.lowerBound..<function.range.upperBound, suggestion: near)
        return
      }
    }
    if let target { _ = check(target) }
    let isMethod = target != nil
    let names = environment.functions.filter { $0.value.contains { $0.isMethod == isMethod } }.keys
    let macros = environment.macros.map(\.rawValue).filter { isMethod == ($0 != "has") }
    report(
      .undeclaredFunction, "undeclared function '\(function.name)'", at: function.range,
      suggestion: Self.otherwiseNamed[function.name]
        ?? nearestName(to: function.name, among: Array(names) + macros))
  }

  private static let otherwiseNamed = [
    "not": "!", "len": "size", "length": "size", "count": "size", "str": "string",
    "toString": "string", "lower": "lowerAscii", "toLowerCase": "lowerAscii", "upper": "upperAscii",
    "toUpperCase": "upperAscii", "includes": "contains", "encodeURIComponent": "urlEscape",
    "urlencode": "urlEscape", "urlEncode": "urlEscape",
  ]

  private mutating func reportNoOverload(
    _ function: Syntax.Field, _ types: [ValueType], _ overloads: [Overload], hasTarget: Bool,
    at range: Range<Int>
  ) {
    let types = types.map { substitution.resolve($0, isFinal: true) }
    let found = Overload.signature(types, isMethod: hasTarget)
    let known = overloads.map(\.signature)
    let listed = known.prefix(6).joined(separator: ", ") + (known.count > 6 ? ", …" : "")
    report(
      .noSuchOverload,
      "\(displayName(function.name)) does not accept \(found); it accepts \(listed)", at: range)
  }

  private func displayName(_ function: String) -> String {
    switch function {
    case "@in": return "operator 'in'"
    case "math.@max": return "'math.greatest'"
    case "math.@min": return "'math.least'"
    default:
      let isOperator = function.contains("_") && !function.contains { $0.isLetter }
      return isOperator ? "operator '\(function.filter { $0 != "_" })'" : "'\(function)'"
    }
  }
}
