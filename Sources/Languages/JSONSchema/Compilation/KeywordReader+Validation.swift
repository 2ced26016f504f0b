extension KeywordReader {
  mutating func readValidation(_ member: JSONNode.Member) -> Bool {
    let value = member.value
    switch member.key {
    case "type": readType(value)
    case "const": keywords.append(.const(value))
    case "enum": if let items = array(member) { keywords.append(.enum(ValueList(items))) }
    case "multipleOf":
      guard let number = number(member) else { break }
      if number > JSONNumber(0) {
        keywords.append(.multipleOf(number))
      } else {
        report("must be greater than 0", at: "/multipleOf", value)
      }
    case "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum":
      if let bound = Bound(rawValue: member.key), let number = number(member) {
        keywords.append(.bound(bound, number))
      }
    case "pattern":
      if let text = string(member), let pattern = expression(text, at: "/pattern", value) {
        keywords.append(.pattern(pattern))
      }
    case "uniqueItems":
      if let flag = value.bool {
        if flag { keywords.append(.uniqueItems) }
      } else {
        report("must be a boolean", at: "/uniqueItems", value)
      }
    case "required":
      if let names = strings(value, at: "/required") { keywords.append(.required(names)) }
    case "dependentRequired": readDependentRequired(member)
    case "minContains", "maxContains": _ = count(member)
    default: return readCount(member)
    }
    return true
  }

  private mutating func readCount(_ member: JSONNode.Member) -> Bool {
    let make: (Int) -> Keyword
    switch member.key {
    case "maxLength": make = { .length(.atMost, $0) }
    case "minLength": make = { .length(.atLeast, $0) }
    case "maxItems": make = { .itemCount(.atMost, $0) }
    case "minItems": make = { .itemCount(.atLeast, $0) }
    case "maxProperties": make = { .propertyCount(.atMost, $0) }
    case "minProperties": make = { .propertyCount(.atLeast, $0) }
    default: return false
    }
    if let count = count(member) { keywords.append(make(count)) }
    return true
  }

  private mutating func readType(_ value: JSONNode) {
    let names = value.items ?? [value]
    var types: TypeSet = []
    for name in names {
      guard let text = name.string, let type = TypeSet(name: text) else {
        let known = TypeSet.names.map(\.name)
        let near = name.string.flatMap { NearestName.of($0, in: known) }
        compiler.report(
          "must name a type: " + known.joined(separator: ", "), at: place("/type"), node: name,
          suggestion: near.map {
            Suggestion(kind: .value, replacement: "\"\($0)\"", range: name.range)
          })
        return
      }
      types.formUnion(type)
    }
    keywords.append(.type(types))
  }

  private mutating func readDependentRequired(_ member: JSONNode.Member) {
    guard let entries = object(member) else { return }
    let dependencies = entries.compactMap { entry -> Dependency? in
      let suffix = "/dependentRequired/" + JSONPointer.escape(entry.key)
      return strings(entry.value, at: suffix).map { (entry.key, $0) }
    }
    keywords.append(.dependentRequired(dependencies, name: member.key))
  }

  private func expect<Kind>(_ value: Kind?, _ what: String, of member: JSONNode.Member) -> Kind? {
    if value == nil { report("must be \(what)", at: "/" + member.key, member.value) }
    return value
  }

  func number(_ member: JSONNode.Member) -> JSONNumber? {
    expect(member.value.number, "a number", of: member)
  }

  /// A count; a value beyond `Int` cannot be reached in memory, so it is clamped.
  func count(_ member: JSONNode.Member) -> Int? {
    let number = member.value.number.flatMap { $0.isInteger && $0 >= JSONNumber(0) ? $0 : nil }
    return expect(number, "a non-negative integer", of: member).map { $0.integer ?? .max }
  }

  func string(_ member: JSONNode.Member) -> String? {
    expect(member.value.string, "a string", of: member)
  }

  func array(_ member: JSONNode.Member) -> [JSONNode]? {
    expect(member.value.items, "an array", of: member)
  }

  func object(_ member: JSONNode.Member) -> [JSONNode.Member]? {
    expect(member.value.members, "an object", of: member)
  }

  func strings(_ node: JSONNode, at suffix: String) -> [String]? {
    guard let items = node.items
    else { return refuse("must be an array of strings", at: suffix, node) }
    let result = items.map(\.string)
    if let wrong = result.firstIndex(of: nil) {
      return refuse("must be a string", at: suffix, items[wrong])
    }
    return result.compactMap { $0 }
  }

  func expression(_ text: String, at suffix: String, _ node: JSONNode) -> RegularExpression? {
    do {
      return try RegularExpression(text)
    } catch { return refuse("not a regular expression (ECMA-262): \(error)", at: suffix, node) }
  }
}
