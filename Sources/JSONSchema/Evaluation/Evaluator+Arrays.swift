import Basics

extension Evaluator {
  @inline(never)
  mutating func applyArray(
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

  @inline(never)
  private mutating func applyPrefix(
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
        ? nil
        : JSONNode(count == items.count ? .bool(true) : .number(JSONNumber(count - 1))),
      "some items do not match prefixItems")
  }

  /// `items` or `unevaluatedItems`: one schema for the items at `places`.
  @inline(never)
  private mutating func applyRest(
    _ keyword: String, _ inner: Int, _ places: [Int], of schema: Subschema, to node: JSONNode,
    _ items: [JSONNode]
  ) -> Bool {
    let isForbidden = program.subschemas[inner].verdict == false
    let (isValid, children) = collecting { evaluator in
      var isValid = true
      for place in places {
        let itemIsValid =
          isForbidden && !evaluator.isFlag
          ? evaluator.failExtra(keyword, place, items[place], of: schema)
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

  @inline(never)
  private mutating func failExtra(
    _ keyword: String, _ place: Int, _ item: JSONNode, of schema: Subschema
  ) -> Bool {
    descend(to: place, keyRange: nil) {
      $0.fail(keyword, of: schema, item, "there must be no item at index \(place)")
    }
  }

  @inline(never)
  private mutating func applyContains(
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
        "maxContains", of: schema, node,
        Messages.contains(.atMost, maximum, places.count))
    }
    annotate(
      "contains", of: schema, node,
      JSONNode(.array(places.map { JSONNode(.number(JSONNumber($0))) })))
    return true
  }
}
