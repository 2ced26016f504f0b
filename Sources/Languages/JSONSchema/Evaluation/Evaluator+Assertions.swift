extension Evaluator {
  @inline(never) mutating func apply(
    _ keyword: Keyword, of schema: Subschema, to node: JSONNode, _ seen: inout Evaluated
  ) -> Bool {
    switch keyword {
    case .type(let types):
      if types.admits(node) { return true }
      return fail(
        "type", of: schema, node, cause: .type(types, found: node),
        Messages.type(types, found: node))
    case .const(let value):
      if value.isEqual(to: node) { return true }
      return fail(
        "const", of: schema, node, cause: .values([value], found: node), Messages.values([value]))
    case .enum(let list):
      if list.contains(node) { return true }
      return fail(
        "enum", of: schema, node, cause: .values(list.values, found: node),
        Messages.values(list.values))
    case .multipleOf, .bound: return applyNumeric(keyword, of: schema, to: node)
    case .length, .pattern, .format: return applyText(keyword, of: schema, to: node)
    case .itemCount, .uniqueItems: return applyItemAssertion(keyword, of: schema, to: node)
    case .propertyCount, .required, .dependentRequired:
      return applyPropertyAssertion(keyword, of: schema, to: node)
    case .annotation(let name, let value):
      annotate(name, of: schema, node, value)
      return true
    case .properties, .propertyNames, .dependentSchemas, .unevaluatedProperties:
      return applyObject(keyword, of: schema, to: node, &seen)
    case .prefixItems, .items, .contains, .unevaluatedItems:
      return applyArray(keyword, of: schema, to: node, &seen)
    default: return applyInPlace(keyword, of: schema, to: node, &seen)
    }
  }

  @inline(never) private mutating func applyNumeric(
    _ keyword: Keyword, of schema: Subschema, to node: JSONNode
  ) -> Bool {
    guard case .number(let number) = node.value else { return true }
    switch keyword {
    case .multipleOf(let divisor):
      if number.isMultiple(of: divisor) { return true }
      return fail("multipleOf", of: schema, node, "must be a multiple of \(divisor)")
    case .bound(let bound, let limit):
      let isWithin =
        switch bound {
        case .maximum: number <= limit
        case .exclusiveMaximum: number < limit
        case .minimum: number >= limit
        case .exclusiveMinimum: number > limit
        }
      if isWithin { return true }
      return fail(bound.rawValue, of: schema, node, Messages.bound(bound, limit))
    default: return true
    }
  }

  @inline(never) private mutating func applyText(
    _ keyword: Keyword, of schema: Subschema, to node: JSONNode
  ) -> Bool {
    switch (keyword, node.value) {
    case (.length(let limit, let count), .string(let text)):
      return applyLength(limit, count, text, of: schema, to: node)
    case (.pattern(let pattern), .string(let text)):
      guard let matches = matches(pattern, text, node) else { return false }
      if matches { return true }
      return fail(
        "pattern", of: schema, node, "must match the regular expression \(pattern.source)")
    case (.format(let name, let rule), _):
      if let rule, case .string(let text) = node.value, !rule.admits(text) {
        return fail("format", of: schema, node, "must be \(rule.description)")
      }
      annotate("format", of: schema, node, JSONNode(.string(name)))
      return true
    default: return true
    }
  }

  @inline(never) private mutating func applyLength(
    _ limit: Limit, _ count: Int, _ text: String, of schema: Subschema, to node: JSONNode
  ) -> Bool {
    // A scalar has at most four bytes, which often makes counting unnecessary.
    let isLong = text.utf8.count / 4 >= count
    let isShort = text.utf8.count <= count
    let isWithin =
      limit == .atLeast
      ? isLong || text.unicodeScalars.count >= count : isShort || text.unicodeScalars.count <= count
    return isWithin
      || fail(limit.keyword("Length"), of: schema, node, Messages.size(limit, count, "character"))
  }

  /// Whether a pattern matches; `nil` if that was too slow and the validation was stopped.
  @inline(never)
  mutating func matches(_ pattern: RegularExpression, _ text: String, _ node: JSONNode) -> Bool? {
    do { return try pattern.matches(text, steps: &regexSteps) } catch {
      giveUp("the regular expression \(pattern.source) is too slow here", node, "")
      return nil
    }
  }

  @inline(never) private mutating func applyItemAssertion(
    _ keyword: Keyword, of schema: Subschema, to node: JSONNode
  ) -> Bool {
    guard case .array(let items) = node.value else { return true }
    switch keyword {
    case .itemCount(let limit, let count):
      return limit.admits(items.count, count)
        || fail(
          limit.keyword("Items"), of: schema, node,
          Messages.size(limit, count, "item", found: items.count))
    case .uniqueItems:
      guard let (first, second) = Self.firstRepetition(in: items) else { return true }
      return fail("uniqueItems", of: schema, node, "items \(first) and \(second) are equal")
    default: return true
    }
  }

  private static func firstRepetition(in items: [JSONNode]) -> (Int, Int)? {
    guard items.count > 1 else { return nil }
    var places: [EqualValue: Int] = [:]
    places.reserveCapacity(items.count)
    for (place, item) in items.enumerated() {
      if let first = places.updateValue(place, forKey: EqualValue(node: item)) {
        return (first, place)
      }
    }
    return nil
  }

  @inline(never) private mutating func applyPropertyAssertion(
    _ keyword: Keyword, of schema: Subschema, to node: JSONNode
  ) -> Bool {
    guard case .object(let members) = node.value else { return true }
    switch keyword {
    case .propertyCount(let limit, let count):
      return limit.admits(members.count, count)
        || fail(
          limit.keyword("Properties"), of: schema, node,
          Messages.size(limit, count, "property", "properties", found: members.count))
    case .required(let names):
      charge(names.count * members.count)
      var isValid = true
      for name in names where !Self.has(name, members) {
        isValid = fail(
          "required", of: schema, node, cause: .required(key: name),
          "the property \(Messages.quoted(name)) is missing")
        if isFlag { return false }
      }
      return isValid
    case .dependentRequired(let dependencies, let keyword):
      var isValid = true
      for dependency in dependencies where Self.has(dependency.key, members) {
        for name in dependency.required where !Self.has(name, members) {
          isValid = fail(
            keyword, of: schema, node, cause: .required(key: name),
            "the property \(Messages.quoted(name)) is missing, but "
              + "\(Messages.quoted(dependency.key)) requires it")
          if isFlag { return false }
        }
      }
      return isValid
    default: return true
    }
  }

  static func has(_ name: String, _ members: [JSONNode.Member]) -> Bool {
    members.contains { $0.key.isByteEqual(to: name) }
  }
}
