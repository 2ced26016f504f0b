struct SchemaPlace: Hashable, Sendable {
  let document: Int
  let pointer: String
}

struct LoadedDocument: Sendable {
  let uri: String
  let root: JSONNode
  /// Whether it is part of this package, so that it needs no checking.
  let isBuiltIn: Bool
}

/// A schema resource: a schema with its own URI, and everything below it (core §4.3.5).
struct SchemaResource: Sendable {
  let uri: URIReference
  let place: SchemaPlace
  var dialect: Dialect
  /// Names from `$anchor` and `$dynamicAnchor`.
  var anchors: [String: String] = [:]
  /// Names from `$dynamicAnchor` only.
  var dynamicAnchors: [String: String] = [:]
}

/// The loaded documents and the resources and anchors found in them.
struct ResourceIndex {
  private(set) var documents: [LoadedDocument] = []
  private(set) var resources: [SchemaResource] = []
  private(set) var issues: [SchemaIssue] = []
  private var resourceByURI: [String: Int] = [:]
  private var resourceByPlace: [SchemaPlace: Int] = [:]
  private let load: @Sendable (String) -> JSONNode?
  private var missing: Set<String> = []
  private var dialects: [String: Dialect] = [:]
  /// The draft of the first document, which is that of documents without `$schema`.
  private var draft: SchemaDraft?

  init(load: @escaping @Sendable (String) -> JSONNode?) { self.load = load }
  func resource(at place: SchemaPlace) -> Int? { resourceByPlace[place] }

  mutating func resource(uri: URIReference) -> Int? {
    let text = Self.key(uri)
    if let known = resourceByURI[text] { return known }
    if missing.contains(text) { return nil }
    if let root = MetaSchemas.document(text) {
      return add(root, uri: uri.withoutFragment, isBuiltIn: true)
    }
    if let root = load(text), root.isShallower(than: SchemaCompiler.maximumDepth) {
      return add(root, uri: uri.withoutFragment, isBuiltIn: false)
    }
    missing.insert(text)
    return nil
  }

  private static func key(_ uri: URIReference) -> String { uri.withoutFragment.text }

  /// Adds a document under `uri` and returns the resource of its root.
  mutating func add(_ root: JSONNode, uri: URIReference, isBuiltIn: Bool) -> Int {
    let document = documents.count
    let (root, problems) = converted(root, isFirst: document == 0, isBuiltIn: isBuiltIn)
    documents.append(LoadedDocument(uri: uri.text, root: root, isBuiltIn: isBuiltIn))
    issues += problems.map {
      SchemaIssue(
        message: $0.message, documentURI: uri.text, pointer: $0.pointer, range: $0.range,
        suggestion: nil)
    }
    let place = SchemaPlace(document: document, pointer: "")
    let own = ownURI(of: root, base: uri) ?? uri
    let resource = register(root, uri: own, at: place, inherited: .standard)
    // A document is found by the URI it was loaded from as well as by its own `$id`.
    if resourceByURI[Self.key(uri)] == nil { resourceByURI[Self.key(uri)] = resource }
    scanMembers(of: root, at: place, resource: resource)
    return resource
  }

  /// The document for 2020-12, and the parts that could not be converted.
  private mutating func converted(
    _ root: JSONNode, isFirst: Bool, isBuiltIn: Bool
  ) -> (root: JSONNode, problems: [DraftConverter.Problem]) {
    if isFirst { draft = SchemaDraft.of(root, inherited: nil) }
    guard !isBuiltIn || SchemaDraft.of(root, inherited: nil) != nil else { return (root, []) }
    var converter = DraftConverter()
    let result = converter.convert(root, from: draft)
    return (result, converter.problems)
  }

  private func ownURI(of node: JSONNode, base: URIReference) -> URIReference? {
    guard let id = node["$id"]?.string else { return nil }
    return base.resolving(URIReference(id)).withoutFragment
  }

  private mutating func register(
    _ node: JSONNode, uri: URIReference, at place: SchemaPlace, inherited: Dialect
  ) -> Int {
    let index = resources.count
    resources.append(SchemaResource(uri: uri, place: place, dialect: inherited))
    resourceByPlace[place] = index
    if resourceByURI[Self.key(uri)] == nil {
      resourceByURI[Self.key(uri)] = index
    } else if node["$id"] != nil {
      report("duplicate identifier \"\(uri.text)\"", at: place, key: "$id", of: node)
    }
    resources[index].dialect = dialect(of: node, at: place, inherited: inherited)
    return index
  }

  private mutating func dialect(
    of node: JSONNode, at place: SchemaPlace, inherited: Dialect
  ) -> Dialect {
    guard let written = node["$schema"]?.string else { return inherited }
    let uri = URIReference(written).withoutFragment
    if uri.text == Dialect.standardURI { return .standard }
    if let known = dialects[uri.text] { return known }
    // Entered before loading, so that a meta-schema that describes itself ends here.
    dialects[uri.text] = .standard
    guard let metaSchema = resource(uri: uri) else {
      report(
        "unknown meta-schema \"\(written)\"; this validator supports 2020-12, 2019-09, and the drafts 7, 6 and 4",
        at: place, key: "$schema", of: node)
      return .standard
    }
    let root = documents[resources[metaSchema].place.document].root
    let (dialect, unknown) = Dialect.reading(root["$vocabulary"])
    for name in unknown {
      report(
        "the meta-schema requires the unknown vocabulary \"\(name)\"", at: place, key: "$schema",
        of: node)
    }
    dialects[uri.text] = dialect
    return dialect
  }

  private mutating func scan(_ node: JSONNode, at place: SchemaPlace, resource: Int) {
    guard node["$id"]?.string != nil, let uri = ownURI(of: node, base: resources[resource].uri)
    else {
      scanMembers(of: node, at: place, resource: resource)
      return
    }
    let own = register(node, uri: uri, at: place, inherited: resources[resource].dialect)
    scanMembers(of: node, at: place, resource: own)
  }

  private mutating func scanMembers(of node: JSONNode, at place: SchemaPlace, resource: Int) {
    guard let members = node.members else { return }
    for member in members {
      guard let name = member.value.string else { continue }
      if member.key == "$anchor" || member.key == "$dynamicAnchor" {
        anchor(member, name: name, at: place, resource: resource)
      }
    }
    var children: [(String, JSONNode)] = []
    SubschemaPlaces.forEach(in: members) { children.append(($0, $1)) }
    for (step, child) in children {
      let inner = SchemaPlace(document: place.document, pointer: place.pointer + step)
      scan(child, at: inner, resource: resource)
    }
  }

  private mutating func anchor(
    _ member: JSONNode.Member, name: String, at place: SchemaPlace, resource: Int
  ) {
    if let other = resources[resource].anchors[name], other != place.pointer {
      report(
        "duplicate anchor \"\(name)\" in its resource", at: place, key: member.key,
        range: member.value.range)
    }
    resources[resource].anchors[name] = place.pointer
    if member.key == "$dynamicAnchor" { resources[resource].dynamicAnchors[name] = place.pointer }
  }

  private mutating func report(
    _ message: String, at place: SchemaPlace, key: String, of node: JSONNode
  ) { report(message, at: place, key: key, range: (node[key] ?? node).range) }

  private mutating func report(
    _ message: String, at place: SchemaPlace, key: String, range: SourceRange?
  ) {
    issues.append(
      SchemaIssue(
        message: message, documentURI: documents[place.document].uri,
        pointer: place.pointer + "/" + key, range: range, suggestion: nil))
  }

  typealias Target = (place: SchemaPlace, node: JSONNode, resource: Int)

  func target(of pointer: JSONPointer, from resource: Int) -> Target? {
    let start = resources[resource].place
    guard var node = node(at: start) else { return nil }
    var text = start.pointer
    var owner = resource
    for token in pointer.tokens {
      guard let next = node.node(at: JSONPointer([token])) else { return nil }
      node = next
      text += "/" + JSONPointer.escape(token)
      owner = self.resource(at: SchemaPlace(document: start.document, pointer: text)) ?? owner
    }
    return (SchemaPlace(document: start.document, pointer: text), node, owner)
  }

  func node(at place: SchemaPlace) -> JSONNode? {
    guard let pointer = JSONPointer(text: place.pointer) else { return nil }
    return documents[place.document].root.node(at: pointer)
  }
}
