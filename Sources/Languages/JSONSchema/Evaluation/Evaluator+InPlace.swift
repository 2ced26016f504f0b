extension Evaluator {
  @inline(never) mutating func applyInPlace(
    _ keyword: Keyword, of schema: Subschema, to node: JSONNode, _ seen: inout Evaluated
  ) -> Bool {
    switch keyword {
    case .ref(let target): return applyReference("$ref", target, of: schema, to: node, &seen)
    case .dynamicRef(let target, let anchor):
      let actual = anchor.map { dynamicTarget($0, initial: target) } ?? target
      return applyReference("$dynamicRef", actual, of: schema, to: node, &seen)
    case .allOf(let list): return applyAllOf(list, of: schema, to: node, &seen)
    case .anyOf(let list): return applyAnyOf(list, of: schema, to: node, &seen)
    case .oneOf(let list): return applyOneOf(list, of: schema, to: node, &seen)
    case .not(let inner): return applyNot(inner, of: schema, to: node)
    case .condition(let condition): return applyCondition(condition, of: schema, to: node, &seen)
    default: return true
    }
  }

  /// The outermost resource of the dynamic scope that has the anchor decides (core §8.2.3.2).
  private func dynamicTarget(_ anchor: String, initial: Int) -> Int {
    for resource in scope {
      if let target = program.dynamicAnchors[resource][anchor] { return target }
    }
    return initial
  }

  @inline(never) private mutating func applyReference(
    _ name: String, _ target: Int, of schema: Subschema, to node: JSONNode, _ seen: inout Evaluated
  ) -> Bool {
    if isFlag { return follow(target, node, &seen) }
    let (isValid, children) = collecting { evaluator in
      evaluator.within([.key(name)]) { $0.follow(target, node, &seen) }
    }
    return conclude(
      name, of: schema, node, isValid: isValid, children, "must match the schema that \(name) names"
    )
  }

  /// Applies one of several branches; in an explaining mode, returns its units.
  @inline(never) private mutating func branch(
    _ keyword: String, _ place: Int, _ number: Int, _ node: JSONNode, _ seen: inout Evaluated
  ) -> (isValid: Bool, units: [OutputUnit]) {
    if isFlag { return (evaluate(number, node, &seen), []) }
    return collecting { evaluator in
      evaluator.within([.key(keyword), .index(place)]) { $0.evaluate(number, node, &seen) }
    }
  }

  @inline(never) private mutating func applyAllOf(
    _ list: [Int], of schema: Subschema, to node: JSONNode, _ seen: inout Evaluated
  ) -> Bool {
    var isValid = true
    var children: [OutputUnit] = []
    for (place, number) in list.enumerated() {
      let result = branch("allOf", place, number, node, &seen)
      children += result.units
      isValid = isValid && result.isValid
      if !isValid, isFlag { return false }
    }
    return conclude(
      "allOf", of: schema, node, isValid: isValid,
      isValid ? children : children.filter { !$0.isValid }, "must match every schema of allOf")
  }

  @inline(never) private mutating func applyAnyOf(
    _ list: [Int], of schema: Subschema, to node: JSONNode, _ seen: inout Evaluated
  ) -> Bool {
    let stopsEarly = !seen.isTracked && mode != .annotations
    var isValid = false
    var children: [OutputUnit] = []
    for (place, number) in list.enumerated() {
      let result = branch("anyOf", place, number, node, &seen)
      children += result.units
      isValid = isValid || result.isValid
      if isValid, stopsEarly { break }
    }
    return conclude(
      "anyOf", of: schema, node, isValid: isValid, cause: .alternatives,
      isValid ? children.filter(\.isValid) : children, "must match at least one schema of anyOf")
  }

  @inline(never) private mutating func applyOneOf(
    _ list: [Int], of schema: Subschema, to node: JSONNode, _ seen: inout Evaluated
  ) -> Bool {
    var matching: [Int] = []
    var children: [OutputUnit] = []
    for (place, number) in list.enumerated() {
      let result = branch("oneOf", place, number, node, &seen)
      children += result.units
      guard result.isValid else { continue }
      matching.append(place)
      if matching.count > 1, isFlag { return false }
    }
    if matching.count < 2 {
      let isValid = matching.count == 1
      return conclude(
        "oneOf", of: schema, node, isValid: isValid, cause: .alternatives,
        isValid ? children.filter(\.isValid) : children,
        "must match exactly one schema of oneOf, but matches none")
    }
    let places = matching.map(String.init).joined(separator: " and ")
    return fail(
      "oneOf", of: schema, node,
      "must match exactly one schema of oneOf, but matches those at \(places)")
  }

  @inline(never)
  private mutating func applyNot(_ inner: Int, of schema: Subschema, to node: JSONNode) -> Bool {
    // Annotations below `not` are dropped, so nothing it evaluated counts either.
    var none = Evaluated(isTracked: false)
    let isValid = collecting { evaluator in
      evaluator.within([.key("not")]) { $0.evaluate(inner, node, &none) }
    }.isValid
    if !isValid { return stop == nil }
    return fail("not", of: schema, node, "must not match the schema of not")
  }

  @inline(never) private mutating func applyCondition(
    _ condition: Condition, of schema: Subschema, to node: JSONNode, _ seen: inout Evaluated
  ) -> Bool {
    let test = collecting { evaluator in
      evaluator.within([.key("if")]) { $0.evaluate(condition.test, node, &seen) }
    }
    guard stop == nil else { return false }
    if test.isValid { annotate("if", of: schema, node, children: test.units, nil) }
    guard let next = test.isValid ? condition.then : condition.otherwise else { return true }
    let name = test.isValid ? "then" : "else"
    let (isValid, children) = collecting { evaluator in
      evaluator.within([.key(name)]) { $0.evaluate(next, node, &seen) }
    }
    return conclude(
      name, of: schema, node, isValid: isValid, children,
      "must match the schema of \(name), because the schema of if "
        + (test.isValid ? "matches" : "does not match"))
  }
}
