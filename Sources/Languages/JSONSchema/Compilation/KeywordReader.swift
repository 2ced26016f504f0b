struct KeywordReader {
  let pending: SchemaCompiler.Pending
  let dialect: Dialect
  let members: [JSONNode.Member]
  let compiler: SchemaCompiler
  var keywords: [Keyword] = []

  mutating func readAll() {
    for member in members {
      let isKnown =
        readCore(member) || (dialect.contains(.validation) && readValidation(member))
        || (dialect.contains(.applicator) && readApplicator(member))
        || (dialect.contains(.unevaluated) && readUnevaluated(member))
        || (member.key == "format" && readFormat(member))
      if !isKnown { keywords.append(.annotation(member.key, member.value)) }
    }
    if dialect.contains(.applicator) {
      readObjectShape()
      readArrayShape()
    }
  }

  func member(_ key: String) -> JSONNode.Member? { members.last { $0.key == key } }

  func place(_ suffix: String) -> SchemaPlace {
    SchemaPlace(document: pending.place.document, pointer: pending.place.pointer + suffix)
  }

  func report(_ message: String, at suffix: String, _ node: JSONNode) {
    compiler.report(message, at: place(suffix), node: node)
  }

  func refuse<Value>(_ message: String, at suffix: String, _ node: JSONNode) -> Value? {
    report(message, at: suffix, node)
    return nil
  }

  func schema(_ suffix: String, _ node: JSONNode) -> Int {
    compiler.number(of: place(suffix), node: node, resource: pending.resource)
  }

  private mutating func readCore(_ member: JSONNode.Member) -> Bool {
    switch member.key {
    case "$schema", "$id", "$anchor", "$dynamicAnchor", "$vocabulary", "$comment", "$defs",
      "definitions":
      return true
    case "$ref": if let target = reference(member) { keywords.append(.ref(target.number)) }
    case "$dynamicRef":
      if let target = reference(member) {
        keywords.append(.dynamicRef(target.number, anchor: target.dynamicAnchor))
      }
    default: return false
    }
    return true
  }

  private func reference(_ member: JSONNode.Member) -> (number: Int, dynamicAnchor: String?)? {
    let suffix = "/" + member.key
    guard let written = member.value.string
    else { return refuse("must be a URI reference in a string", at: suffix, member.value) }
    let uri = compiler.index.resources[pending.resource].uri.resolving(URIReference(written))
    guard let resource = compiler.index.resource(uri: uri) else {
      let shown = uri.withoutFragment.text
      return refuse(
        "the reference \"\(written)\" points to the unknown document \"\(shown)\"", at: suffix,
        member.value)
    }
    guard let fragment = uri.decodedFragment else {
      return refuse("the fragment of \"\(written)\" is not valid UTF-8", at: suffix, member.value)
    }
    guard fragment.isEmpty || fragment.utf8.first == 0x2F
    else { return anchorTarget(fragment, resource, member, written) }
    let pointer = JSONPointer(text: fragment)
    guard let target = pointer.flatMap({ compiler.index.target(of: $0, from: resource) }) else {
      compiler.report(
        "the reference \"\(written)\" points to nothing", at: place(suffix), node: member.value,
        suggestion: pointer.flatMap { sibling(of: $0, resource) }.map {
          suggestion(member, written, $0)
        })
      return nil
    }
    return (compiler.number(of: target.place, node: target.node, resource: target.resource), nil)
  }

  /// A dangling pointer with the nearest sibling of its missing step.
  private func sibling(of pointer: JSONPointer, _ resource: Int) -> String? {
    let above = Array(pointer.tokens.dropLast())
    guard let last = pointer.tokens.last,
      let parent = compiler.index.target(of: JSONPointer(above), from: resource),
      let keys = parent.node.members?.map(\.key), let near = NearestName.of(last, in: keys)
    else { return nil }
    return JSONPointer(above + [near]).description
  }

  private func suggestion(
    _ member: JSONNode.Member, _ written: String, _ fragment: String
  ) -> Suggestion {
    let text = written.prefix { $0 != "#" } + "#" + fragment
    return Suggestion(
      kind: .value, replacement: JSONNode(.string(String(text))).compactText,
      range: member.value.range)
  }

  private func anchorTarget(
    _ name: String, _ resource: Int, _ member: JSONNode.Member, _ written: String
  ) -> (number: Int, dynamicAnchor: String?)? {
    let owner = compiler.index.resources[resource]
    guard let pointer = owner.anchors[name] else {
      let near = NearestName.of(name, in: owner.anchors.keys.sorted())
      compiler.report(
        "the reference \"\(written)\" names an unknown anchor", at: place("/" + member.key),
        node: member.value, suggestion: near.map { suggestion(member, written, $0) })
      return nil
    }
    let place = SchemaPlace(document: owner.place.document, pointer: pointer)
    guard let node = compiler.index.node(at: place) else { return nil }
    let number = compiler.number(of: place, node: node, resource: resource)
    // Only an anchor made by `$dynamicAnchor` lets the dynamic scope decide (core §8.2.3.2).
    return (number, owner.dynamicAnchors[name] == pointer ? name : nil)
  }

  private mutating func readFormat(_ member: JSONNode.Member) -> Bool {
    guard let name = member.value.string else {
      report("must be a string", at: "/format", member.value)
      return true
    }
    let isAsserted =
      dialect.contains(.formatAssertion)
      || (compiler.options.assertsFormat && dialect.contains(.formatAnnotation))
    keywords.append(.format(name: name, rule: isAsserted ? Format(rawValue: name) : nil))
    return true
  }
}
