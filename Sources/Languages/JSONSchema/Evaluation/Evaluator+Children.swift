extension Evaluator {
  @inline(never) mutating func applyObject(
    _ keyword: Keyword, of schema: Subschema, to node: JSONNode, _ seen: inout Evaluated
  ) -> Bool {
    guard case .object(let members) = node.value else { return true }
    switch keyword {
    case .properties(let shape):
      return isFlag
        ? applyShape(shape, to: members, &seen)
        : explainShape(shape, of: schema, to: node, members, &seen)
    case .propertyNames(let inner): return applyPropertyNames(inner, of: schema, to: node, members)
    case .dependentSchemas(let list, let name):
      return applyDependentSchemas(list, name, of: schema, to: node, members, &seen)
    case .unevaluatedProperties(let inner):
      return applyUnevaluated(inner, of: schema, to: node, members, &seen)
    default: return true
    }
  }

  private mutating func evaluateMember(
    _ number: Int, _ place: Int, _ member: JSONNode.Member
  ) -> Bool {
    descend(to: place, keyRange: member.keyRange) { evaluator in
      var inner = Evaluated(isTracked: false)
      return evaluator.evaluate(number, member.value, &inner)
    }
  }

  /// One pass over the members, without explanations.
  @inline(never) private mutating func applyShape(
    _ shape: ObjectShape, to members: [JSONNode.Member], _ seen: inout Evaluated
  ) -> Bool {
    for (place, member) in members.enumerated() {
      var isKnown = false
      if let number = shape.schema(for: member.key) {
        isKnown = true
        guard evaluateMember(number, place, member) else { return false }
      }
      for pattern in shape.patterns {
        guard let isMatch = matches(pattern.expression, member.key, member.value)
        else { return false }
        guard isMatch else { continue }
        isKnown = true
        guard evaluateMember(pattern.schema, place, member) else { return false }
      }
      if !isKnown, let additional = shape.additional {
        isKnown = true
        guard evaluateMember(additional, place, member) else { return false }
      }
      if isKnown { seen.insertProperty(place) }
    }
    return true
  }

  private struct ShapeOutcome {
    var isValid = true
    var names: [String] = []
    var units: [OutputUnit] = []
  }

  @inline(never) private mutating func explainShape(
    _ shape: ObjectShape, of schema: Subschema, to node: JSONNode, _ members: [JSONNode.Member],
    _ seen: inout Evaluated
  ) -> Bool {
    var properties = ShapeOutcome()
    var patterns = ShapeOutcome()
    var additional = ShapeOutcome()
    for (place, member) in members.enumerated() {
      var isKnown = false
      if let number = shape.schema(for: member.key) {
        isKnown = true
        explain(
          number, place, member, [.key("properties"), .key(member.key)], of: schema, &properties)
      }
      for pattern in shape.patterns {
        guard let isMatch = matches(pattern.expression, member.key, member.value)
        else { return false }
        guard isMatch else { continue }
        isKnown = true
        explain(
          pattern.schema, place, member, [.key("patternProperties"), .key(pattern.text)],
          of: schema, &patterns)
      }
      if !isKnown, let number = shape.additional {
        isKnown = true
        explain(
          number, place, member, [.key("additionalProperties")], of: schema, &additional,
          known: shape.ordered)
      }
      if isKnown { seen.insertProperty(place) }
    }
    let first = conclude("properties", properties, of: schema, node)
    let second = conclude("patternProperties", patterns, of: schema, node)
    let third = conclude("additionalProperties", additional, of: schema, node)
    return first && second && third
  }

  @inline(never) private mutating func explain(
    _ number: Int, _ place: Int, _ member: JSONNode.Member, _ tokens: [PathToken],
    of schema: Subschema, _ outcome: inout ShapeOutcome, known: [String] = []
  ) {
    outcome.names.append(member.key)
    let isForbidden = program.subschemas[number].verdict == false
    let (isValid, units) = collecting { evaluator in
      guard isForbidden, let keyword = tokens.first?.text, tokens.count == 1
      else { return evaluator.within(tokens) { $0.evaluateMember(number, place, member) } }
      return evaluator.descend(to: place, keyRange: member.keyRange) {
        $0.fail(
          keyword, of: schema, member.value, cause: .unknownProperty(member.key, known: known),
          "unknown property \(Messages.quoted(member.key))")
      }
    }
    outcome.units += units
    outcome.isValid = outcome.isValid && isValid
  }

  @inline(never) private mutating func conclude(
    _ keyword: String, _ outcome: ShapeOutcome, of schema: Subschema, _ node: JSONNode
  ) -> Bool {
    conclude(
      keyword, of: schema, node, isValid: outcome.isValid, outcome.units,
      annotation: outcome.names.isEmpty
        ? nil : JSONNode(.array(outcome.names.map { JSONNode(.string($0)) })),
      "some members do not match \(keyword)")
  }

  @inline(never) private mutating func applyPropertyNames(
    _ inner: Int, of schema: Subschema, to node: JSONNode, _ members: [JSONNode.Member]
  ) -> Bool {
    let (isValid, children) = collecting { evaluator in
      evaluator.within([.key("propertyNames")]) { evaluator in
        var isValid = true
        for (place, member) in members.enumerated() {
          let name = JSONNode(.string(member.key), range: member.keyRange)
          let asMember = JSONNode.Member(key: member.key, keyRange: member.keyRange, value: name)
          isValid = evaluator.evaluateMember(inner, place, asMember) && isValid
          if !isValid, evaluator.isFlag { return false }
        }
        return isValid
      }
    }
    if isValid { return true }
    return fail(
      "propertyNames", of: schema, node, cause: .group, children: children,
      "some keys do not match propertyNames")
  }

  @inline(never) private mutating func applyDependentSchemas(
    _ list: [(key: String, schema: Int)], _ name: String, of schema: Subschema, to node: JSONNode,
    _ members: [JSONNode.Member], _ seen: inout Evaluated
  ) -> Bool {
    var isValid = true
    var children: [OutputUnit] = []
    for entry in list where Self.has(entry.key, members) {
      let result = collecting { evaluator in
        evaluator.within([.key(name), .key(entry.key)]) { $0.evaluate(entry.schema, node, &seen) }
      }
      children += result.units
      isValid = isValid && result.isValid
      if !isValid, isFlag { return false }
    }
    return conclude(
      name, of: schema, node, isValid: isValid,
      isValid ? children : children.filter { !$0.isValid },
      "must match the schemas that its keys require")
  }

  @inline(never) private mutating func applyUnevaluated(
    _ inner: Int, of schema: Subschema, to node: JSONNode, _ members: [JSONNode.Member],
    _ seen: inout Evaluated
  ) -> Bool {
    guard !seen.allProperties else { return true }
    var outcome = ShapeOutcome()
    for (place, member) in members.enumerated() where !seen.hasProperty(place) {
      if isFlag {
        guard evaluateMember(inner, place, member) else { return false }
      } else {
        explain(
          inner, place, member, [.key("unevaluatedProperties")], of: schema, &outcome,
          known: program.keysInPlace(of: schema))
      }
    }
    seen.insertAllProperties()
    return isFlag ? true : conclude("unevaluatedProperties", outcome, of: schema, node)
  }
}

extension Program {
  /// The keys named by the schema and by those that it applies to the same value.
  func keysInPlace(of schema: Subschema) -> [String] {
    var keys: [String] = []
    var visited: Set<Int> = []
    var waiting = [schema]
    while let next = waiting.popLast(), visited.count < 1000 {
      var successors: [Int] = []
      for keyword in next.keywords {
        switch keyword {
        case .properties(let shape): keys += shape.ordered
        case .ref(let target), .dynamicRef(let target, _): successors.append(target)
        case .allOf(let list), .anyOf(let list), .oneOf(let list): successors += list
        case .condition(let condition):
          successors += [condition.test, condition.then, condition.otherwise].compactMap { $0 }
        case .dependentSchemas(let list, _): successors += list.map(\.schema)
        default: break
        }
      }
      for number in successors where visited.insert(number).inserted {
        waiting.append(subschemas[number])
      }
    }
    return keys
  }
}

extension Evaluator {
  @inline(never) mutating func applyArray(
    _ keyword: Keyword, of schema: Subschema, to node: JSONNode, _ seen: inout Evaluated
  ) -> Bool {
    guard case .array(let items) = node.value else { return true }
    switch keyword {
    case .prefixItems(let list): return applyPrefix(list, of: schema, to: node, items, &seen)
    case .items(let inner, let start):
      guard start < items.count else { return true }
      let isValid = applyRest(
        "items", inner, Array(start..<items.count), of: schema, to: node, items)
      seen.insertAllItems()
      return isValid
    case .contains(let contains): return applyContains(contains, of: schema, to: node, items, &seen)
    case .unevaluatedItems(let inner):
      guard !seen.allItems else { return true }
      let rest = items.indices.filter { !seen.hasItem($0) }
      let isValid = applyRest("unevaluatedItems", inner, rest, of: schema, to: node, items)
      seen.insertAllItems()
      return isValid
    default: return true
    }
  }

  private mutating func evaluateItem(_ number: Int, _ place: Int, _ item: JSONNode) -> Bool {
    descend(to: place, keyRange: nil) { evaluator in
      var inner = Evaluated(isTracked: false)
      return evaluator.evaluate(number, item, &inner)
    }
  }

  @inline(never) private mutating func applyPrefix(
    _ list: [Int], of schema: Subschema, to node: JSONNode, _ items: [JSONNode],
    _ seen: inout Evaluated
  ) -> Bool {
    let count = min(list.count, items.count)
    let (isValid, children) = collecting { evaluator in
      var isValid = true
      for place in 0..<count {
        let itemIsValid = evaluator.within([.key("prefixItems"), .index(place)]) {
          $0.evaluateItem(list[place], place, items[place])
        }
        isValid = isValid && itemIsValid
        if !isValid, evaluator.isFlag { return false }
      }
      return isValid
    }
    if isValid { seen.insertPrefix(count) }
    return conclude(
      "prefixItems", of: schema, node, isValid: isValid, children,
      annotation: count == 0
        ? nil : JSONNode(count == items.count ? .bool(true) : .number(JSONNumber(count - 1))),
      "some items do not match prefixItems")
  }

  @inline(never) private mutating func applyRest(
    _ keyword: String, _ inner: Int, _ places: [Int], of schema: Subschema, to node: JSONNode,
    _ items: [JSONNode]
  ) -> Bool {
    let isForbidden = program.subschemas[inner].verdict == false
    let (isValid, children) = collecting { evaluator in
      var isValid = true
      for place in places {
        let itemIsValid =
          isForbidden && !evaluator.isFlag
          ? evaluator.descend(to: place, keyRange: nil) {
            $0.fail(keyword, of: schema, items[place], "there must be no item at index \(place)")
          }
          : evaluator.within([.key(keyword)]) { $0.evaluateItem(inner, place, items[place]) }
        isValid = isValid && itemIsValid
        if !isValid, evaluator.isFlag { return false }
      }
      return isValid
    }
    return conclude(
      keyword, of: schema, node, isValid: isValid, children,
      annotation: places.isEmpty ? nil : JSONNode(.bool(true)),
      "some items do not match \(keyword)")
  }

  @inline(never) private mutating func applyContains(
    _ contains: Contains, of schema: Subschema, to node: JSONNode, _ items: [JSONNode],
    _ seen: inout Evaluated
  ) -> Bool {
    var places: [Int] = []
    for (place, item) in items.enumerated() {
      let isMatch = collecting { evaluator in
        evaluator.within([.key("contains")]) { $0.evaluateItem(contains.schema, place, item) }
      }.isValid
      guard isMatch else { continue }
      places.append(place)
      // The search can stop if no count has an upper limit and the matching items are not needed.
      if isFlag, contains.maximum == nil, !seen.isTracked, places.count >= contains.minimum {
        return stop == nil
      }
    }
    guard stop == nil else { return false }
    for place in places { seen.insertItem(place) }
    if places.count < contains.minimum {
      return fail(
        contains.hasMinimum ? "minContains" : "contains", of: schema, node,
        Messages.contains(.atLeast, contains.minimum, places.count))
    }
    if let maximum = contains.maximum, places.count > maximum {
      return fail(
        "maxContains", of: schema, node, Messages.contains(.atMost, maximum, places.count))
    }
    annotate(
      "contains", of: schema, node,
      JSONNode(.array(places.map { JSONNode(.number(JSONNumber($0))) })))
    return true
  }
}
