extension KeywordReader {
  mutating func readApplicator(_ member: JSONNode.Member) -> Bool {
    switch member.key {
    case "allOf", "anyOf", "oneOf":
      guard let list = schemas(member) else { break }
      switch member.key {
      case "allOf": keywords.append(.allOf(list))
      case "anyOf": keywords.append(.anyOf(list))
      default: keywords.append(.oneOf(list))
      }
    case "not": keywords.append(.not(schema("/not", member.value)))
    case "if": readCondition(member)
    case "propertyNames": keywords.append(.propertyNames(schema("/propertyNames", member.value)))
    case "dependentSchemas": readDependentSchemas(member)
    case "dependencies": readDependencies(member)
    case "contains": readContains(member)
    case "then", "else", "properties", "patternProperties", "additionalProperties",
      "prefixItems", "items":
      // Read together with the keyword they depend on or belong to.
      break
    default: return false
    }
    return true
  }

  mutating func readUnevaluated(_ member: JSONNode.Member) -> Bool {
    switch member.key {
    case "unevaluatedProperties":
      keywords.append(.unevaluatedProperties(schema("/" + member.key, member.value)))
    case "unevaluatedItems":
      keywords.append(.unevaluatedItems(schema("/" + member.key, member.value)))
    default: return false
    }
    return true
  }

  private func schemas(_ member: JSONNode.Member) -> [Int]? {
    guard let items = array(member) else { return nil }
    return items.enumerated().map { place, item in schema("/\(member.key)/\(place)", item) }
  }

  private mutating func readCondition(_ member: JSONNode.Member) {
    let test = schema("/if", member.value)
    let then = self.member("then").map { schema("/then", $0.value) }
    let otherwise = self.member("else").map { schema("/else", $0.value) }
    keywords.append(.condition((test, then, otherwise)))
  }

  private mutating func readDependentSchemas(_ member: JSONNode.Member) {
    guard let entries = object(member) else { return }
    let list = entries.map { entry in
      let suffix = "/\(member.key)/" + JSONPointer.escape(entry.key)
      return (key: entry.key, schema: schema(suffix, entry.value))
    }
    keywords.append(.dependentSchemas(list, name: member.key))
  }

  /// `dependencies` from older drafts, which 2020-12 keeps for compatibility.
  private mutating func readDependencies(_ member: JSONNode.Member) {
    guard let entries = object(member) else { return }
    var schemas: [(key: String, schema: Int)] = []
    var names: [Dependency] = []
    for entry in entries {
      let suffix = "/dependencies/" + JSONPointer.escape(entry.key)
      if entry.value.items != nil {
        if let required = strings(entry.value, at: suffix) { names.append((entry.key, required)) }
      } else {
        schemas.append((entry.key, schema(suffix, entry.value)))
      }
    }
    if !names.isEmpty { keywords.append(.dependentRequired(names, name: member.key)) }
    if !schemas.isEmpty { keywords.append(.dependentSchemas(schemas, name: member.key)) }
  }

  private mutating func readContains(_ member: JSONNode.Member) {
    var minimum = 1
    var maximum: Int?
    let written = self.member("minContains")
    if dialect.contains(.validation) {
      if let written { minimum = written.value.number?.integer ?? .max }
      if let written = self.member("maxContains") {
        maximum = written.value.number?.integer ?? .max
      }
    }
    keywords.append(
      .contains((schema("/contains", member.value), minimum, maximum, hasMinimum: written != nil)))
  }

  mutating func readObjectShape() {
    let properties = member("properties").flatMap { object($0) }
    let patterns = member("patternProperties").flatMap { object($0) }
    let additional = member("additionalProperties")
    guard properties != nil || patterns != nil || additional != nil else { return }
    let named = (properties ?? []).map { entry in
      let suffix = "/properties/" + JSONPointer.escape(entry.key)
      return (name: entry.key, schema: schema(suffix, entry.value))
    }
    var compiled: [(text: String, expression: RegularExpression, schema: Int)] = []
    for entry in patterns ?? [] {
      let suffix = "/patternProperties/" + JSONPointer.escape(entry.key)
      let key = JSONNode(.string(entry.key), range: entry.keyRange)
      guard let expression = expression(entry.key, at: suffix, key) else { continue }
      compiled.append((entry.key, expression, schema(suffix, entry.value)))
    }
    keywords.append(
      .properties(
        ObjectShape(
          properties: named, patterns: compiled,
          additional: additional.map { schema("/additionalProperties", $0.value) })))
  }

  mutating func readArrayShape() {
    var prefix: [Int] = []
    if let member = member("prefixItems") {
      prefix = schemas(member) ?? []
      keywords.append(.prefixItems(prefix))
    }
    if let member = member("items") {
      keywords.append(.items(schema("/items", member.value), from: prefix.count))
    }
  }
}
