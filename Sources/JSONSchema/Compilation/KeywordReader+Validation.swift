import Basics

extension KeywordReader {
  /// Reads a keyword of the validation vocabulary; returns false for any other.
  mutating func readValidation(
    _ member: JSONNode.Member, with compiler: inout SchemaCompiler
  ) -> Bool {
    let value = member.value
    switch member.key {
    case "type": readType(value, with: &compiler)
    case "const": keywords.append(.const(value))
    case "enum":
      if let items = array(member, with: &compiler) { keywords.append(.enum(ValueList(items))) }
    case "multipleOf":
      guard let number = number(member, with: &compiler) else { break }
      if number > JSONNumber(0) {
        keywords.append(.multipleOf(number))
      } else {
        report("must be greater than 0", at: "/multipleOf", value, with: &compiler)
      }
    case "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum":
      if let bound = Bound(rawValue: member.key), let number = number(member, with: &compiler) {
        keywords.append(.bound(bound, number))
      }
    case "pattern":
      if let text = string(member, with: &compiler),
        let pattern = expression(text, at: "/pattern", value, with: &compiler)
      {
        keywords.append(.pattern(pattern))
      }
    case "uniqueItems":
      if let flag = value.bool {
        if flag { keywords.append(.uniqueItems) }
      } else {
        report("must be a boolean", at: "/uniqueItems", value, with: &compiler)
      }
    case "required":
      if let names = strings(value, at: "/required", with: &compiler) {
        keywords.append(.required(names))
      }
    case "dependentRequired": readDependentRequired(member, with: &compiler)
    case "minContains", "maxContains": _ = count(member, with: &compiler)
    default: return readCount(member, with: &compiler)
    }
    return true
  }

  private mutating func readCount(
    _ member: JSONNode.Member, with compiler: inout SchemaCompiler
  ) -> Bool {
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
    if let count = count(member, with: &compiler) { keywords.append(make(count)) }
    return true
  }

  private mutating func readType(_ value: JSONNode, with compiler: inout SchemaCompiler) {
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

  private mutating func readDependentRequired(
    _ member: JSONNode.Member, with compiler: inout SchemaCompiler
  ) {
    guard let entries = object(member, with: &compiler) else { return }
    let dependencies = entries.compactMap { entry -> Dependency? in
      let suffix = "/dependentRequired/" + JSONPointer.escape(entry.key)
      return strings(entry.value, at: suffix, with: &compiler).map {
        Dependency(key: entry.key, required: $0)
      }
    }
    keywords.append(.dependentRequired(dependencies, name: member.key))
  }

  // MARK: Values of the expected kind

  func number(_ member: JSONNode.Member, with compiler: inout SchemaCompiler) -> JSONNumber? {
    if let number = member.value.number { return number }
    report("must be a number", at: "/" + member.key, member.value, with: &compiler)
    return nil
  }

  /// A count.
  ///
  /// A value beyond `Int` cannot be reached in memory, so it is clamped.
  func count(_ member: JSONNode.Member, with compiler: inout SchemaCompiler) -> Int? {
    if let number = member.value.number, number.isInteger, number >= JSONNumber(0) {
      return number.integer ?? .max
    }
    report(
      "must be a non-negative integer", at: "/" + member.key, member.value, with: &compiler)
    return nil
  }

  func string(_ member: JSONNode.Member, with compiler: inout SchemaCompiler) -> String? {
    if let text = member.value.string { return text }
    report("must be a string", at: "/" + member.key, member.value, with: &compiler)
    return nil
  }

  func array(_ member: JSONNode.Member, with compiler: inout SchemaCompiler) -> [JSONNode]? {
    if let items = member.value.items { return items }
    report("must be an array", at: "/" + member.key, member.value, with: &compiler)
    return nil
  }

  func object(
    _ member: JSONNode.Member, with compiler: inout SchemaCompiler
  ) -> [JSONNode.Member]? {
    if let members = member.value.members { return members }
    report("must be an object", at: "/" + member.key, member.value, with: &compiler)
    return nil
  }

  func strings(
    _ node: JSONNode, at suffix: String, with compiler: inout SchemaCompiler
  ) -> [String]? {
    guard let items = node.items else {
      report("must be an array of strings", at: suffix, node, with: &compiler)
      return nil
    }
    var result: [String] = []
    for item in items {
      guard let text = item.string else {
        report("must be a string", at: suffix, item, with: &compiler)
        return nil
      }
      result.append(text)
    }
    return result
  }

  func expression(
    _ text: String, at suffix: String, _ node: JSONNode, with compiler: inout SchemaCompiler
  ) -> RegularExpression? {
    do {
      return try RegularExpression(text)
    } catch {
      report(
        "not a regular expression (ECMA-262): \(error)", at: suffix, node, with: &compiler)
      return nil
    }
  }
}
