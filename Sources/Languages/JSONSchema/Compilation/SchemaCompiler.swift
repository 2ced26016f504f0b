/// Turns schema documents into a ``Program``, collecting all their errors.
final class SchemaCompiler {
  struct Pending {
    let number: Int
    let place: SchemaPlace
    let node: JSONNode
    let resource: Int
  }

  let options: Schema.Options
  let resolver: Schema.Resolver
  var index: ResourceIndex
  var issues: [SchemaIssue] = []
  private var subschemas: [Subschema?] = []
  private var numbers: [SchemaPlace: Int] = [:]
  private var pending: [Pending] = []
  private var documentIssues: [String: [SchemaIssue]] = [:]

  init(options: Schema.Options, resolver: @escaping Schema.Resolver) {
    (self.options, self.resolver) = (options, resolver)
    index = ResourceIndex(load: resolver)
  }

  /// Every issue; after a document fails its meta-schema, errors that follow from that are not reported.
  var allIssues: [SchemaIssue] {
    let others = (issues + index.issues).filter { documentIssues[$0.documentURI] == nil }
    return documentIssues.values.flatMap { $0 } + others
  }

  func compile(_ document: JSONNode, baseURI: String) -> Program {
    guard document.isShallower(than: Self.maximumDepth) else {
      issues.append(
        SchemaIssue(
          message: "the schema is nested deeper than \(Self.maximumDepth)",
          documentURI: baseURI, pointer: "", range: document.range, suggestion: nil))
      return Program(subschemas: [], dynamicAnchors: [], root: 0)
    }
    let resource = index.add(document, uri: URIReference(baseURI), isBuiltIn: false)
    if options.validatesSchema { checkDocument(0) }
    let place = index.resources[resource].place
    let root = number(of: place, node: index.node(at: place) ?? document, resource: resource)
    readPending()
    // Dynamic references can lead to any dynamic anchor, including those in resources found later.
    var anchors: [[String: Int]] = []
    while anchors.count < index.resources.count {
      anchors.append(compileDynamicAnchors(of: anchors.count))
      readPending()
    }
    if options.validatesSchema {
      for document in index.documents.indices.dropFirst() { checkDocument(document) }
    }
    let compiled = subschemas.compactMap { $0 }
    let program = Program(subschemas: compiled, dynamicAnchors: anchors, root: root)
    reportCycles(in: program)
    return program
  }

  static let maximumDepth = 512

  private func readPending() {
    while let next = pending.popLast() { subschemas[next.number] = read(next) }
  }

  private func compileDynamicAnchors(of resource: Int) -> [String: Int] {
    let owner = index.resources[resource]
    var result: [String: Int] = [:]
    for (name, pointer) in owner.dynamicAnchors {
      let place = SchemaPlace(document: owner.place.document, pointer: pointer)
      guard let node = index.node(at: place) else { continue }
      result[name] = number(of: place, node: node, resource: resource)
    }
    return result
  }

  func number(of place: SchemaPlace, node: JSONNode, resource: Int) -> Int {
    if let known = numbers[place] { return known }
    let number = subschemas.count
    subschemas.append(nil)
    numbers[place] = number
    let owner = index.resource(at: place) ?? resource
    pending.append(Pending(number: number, place: place, node: node, resource: owner))
    return number
  }

  private func read(_ pending: Pending) -> Subschema {
    let resource = index.resources[pending.resource]
    var reader = KeywordReader(
      pending: pending, dialect: resource.dialect, members: pending.node.members ?? [],
      compiler: self)
    var verdict: Bool?
    switch pending.node.value {
    case .bool(let flag): verdict = flag
    case .object: reader.readAll()
    default:
      report("a schema must be an object or a boolean", at: pending.place, node: pending.node)
    }
    return Subschema(
      resource: pending.resource, resourceURI: resource.uri.text,
      pointer: String(pending.place.pointer.dropFirst(resource.place.pointer.count)),
      verdict: verdict, keywords: reader.keywords)
  }

  func report(
    _ message: String, at place: SchemaPlace, node: JSONNode, suggestion: Suggestion? = nil
  ) {
    issues.append(
      SchemaIssue(
        message: message, documentURI: index.documents[place.document].uri,
        pointer: place.pointer, range: node.range, suggestion: suggestion))
  }

  /// Validates a document against its meta-schema with this same engine.
  private func checkDocument(_ number: Int) {
    let document = index.documents[number]
    guard !document.isBuiltIn, document.root.members != nil else { return }
    let written = document.root["$schema"]?.string
    // A document without `$schema` may be something else that contains a schema.
    guard number == 0 || written != nil, let metaSchema = metaSchema(written) else { return }
    let result = metaSchema.validate(document.root)
    guard !result.isValid else { return }
    documentIssues[document.uri] = result.findings.map { finding in
      SchemaIssue(
        message: finding.message, documentURI: document.uri,
        pointer: finding.instancePointer.description, range: finding.range,
        suggestion: finding.suggestion)
    }
  }

  private func metaSchema(_ written: String?) -> Schema? {
    let uri = written.map { URIReference($0).withoutFragment.text } ?? Dialect.standardURI
    if uri == Dialect.standardURI { return Self.standardMetaSchema }
    guard let document = resolver(uri) else { return nil }
    return try? Schema.compile(
      document, baseURI: uri, options: Schema.Options(validatesSchema: false), resolver: resolver)
  }

  private static let standardMetaSchema: Schema? = MetaSchemas.document(Dialect.standardURI)
    .flatMap {
      try? Schema.compile(
        $0, baseURI: Dialect.standardURI, options: Schema.Options(validatesSchema: false))
    }

  /// Reports references that lead back to themselves, because validation would never end (core §9.4.1).
  private func reportCycles(in program: Program) {
    guard issues.isEmpty else { return }
    var search = CycleSearch(program: program)
    for cycle in search.cycles() {
      guard let first = cycle.first else { continue }
      let place = numbers.first { $0.value == first }?.key ?? SchemaPlace(document: 0, pointer: "")
      let way = (cycle + [first]).map { program.subschemas[$0].location() }
      report(
        "the reference never ends: " + way.joined(separator: " → "), at: place,
        node: index.node(at: place) ?? JSONNode(.null))
    }
  }
}

private struct CycleSearch {
  enum Mark { case open, done }
  let program: Program
  var marks: [Int: Mark] = [:]
  var found: [[Int]] = []

  mutating func cycles() -> [[Int]] {
    for start in program.subschemas.indices where marks[start] == nil { visit(from: start) }
    return found
  }

  /// Depth first with a stack of its own: chains of references may be long.
  private mutating func visit(from start: Int) {
    var path: [(node: Int, next: [Int])] = [(start, successors(of: start))]
    marks[start] = .open
    while let last = path.last {
      guard let next = last.next.last else {
        marks[last.node] = .done
        path.removeLast()
        continue
      }
      path[path.count - 1].next.removeLast()
      switch marks[next] {
      case .done: continue
      case .open:
        let nodes = path.map(\.node)
        if let place = nodes.firstIndex(of: next) { found.append(Array(nodes[place...])) }
      case nil:
        marks[next] = .open
        path.append((next, successors(of: next)))
      }
    }
  }

  private func successors(of number: Int) -> [Int] {
    program.subschemas[number].keywords.flatMap { keyword -> [Int] in
      switch keyword {
      case .ref(let target): [target]
      case .dynamicRef(let target, anchor: nil): [target]
      case .allOf(let list), .anyOf(let list), .oneOf(let list): list
      case .not(let inner): [inner]
      case .condition(let condition): [condition.test]
      default: []
      }
    }
  }
}

extension JSONNode {
  func isShallower(than limit: Int) -> Bool {
    switch value {
    case .array(let items): limit > 0 && items.allSatisfy { $0.isShallower(than: limit - 1) }
    case .object(let members):
      limit > 0 && members.allSatisfy { $0.value.isShallower(than: limit - 1) }
    default: true
    }
  }
}
