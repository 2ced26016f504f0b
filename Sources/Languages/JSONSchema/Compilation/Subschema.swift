final class Subschema: Sendable {
  /// The index of the schema resource it belongs to, which it adds to the dynamic scope.
  let resource: Int
  let resourceURI, pointer: String
  let verdict: Bool?
  /// The keywords, cheap ones first, `unevaluated…` last.
  let keywords: [Keyword]
  /// Whether there is an `unevaluated…` keyword, so that evaluated locations must be recorded.
  let keepsEvaluated: Bool

  init(resource: Int, resourceURI: String, pointer: String, verdict: Bool?, keywords: [Keyword]) {
    (self.resource, self.resourceURI, self.pointer) = (resource, resourceURI, pointer)
    self.verdict = verdict
    self.keywords = keywords.sorted { $0.rank < $1.rank }
    keepsEvaluated = keywords.contains { $0.rank == Keyword.lastRank }
  }

  /// The absolute location of the schema, or of one of its keywords.
  func location(_ suffix: String = "") -> String {
    // A fragment has the characters that RFC 3986 does not allow percent-encoded.
    resourceURI + "#" + PercentEncoding.encode(pointer + suffix, keeping: "!$&'()*+,;=:@/?")
  }
}

/// A compiled keyword; schemas are indices into ``Program/subschemas``.
enum Keyword: Sendable {
  case type(TypeSet)
  case const(JSONNode)
  case `enum`(ValueList)
  case multipleOf(JSONNumber)
  case bound(Bound, JSONNumber)
  case length(Limit, Int)
  case pattern(RegularExpression)
  case itemCount(Limit, Int)
  case uniqueItems
  case propertyCount(Limit, Int)
  case required([String])
  case dependentRequired([Dependency], name: String)
  case format(name: String, rule: Format?)
  case annotation(String, JSONNode)
  case ref(Int)
  case dynamicRef(Int, anchor: String?)
  case allOf([Int])
  case anyOf([Int])
  case oneOf([Int])
  case not(Int)
  indirect case condition(Condition)
  case dependentSchemas([(key: String, schema: Int)], name: String)
  case properties(ObjectShape)
  case propertyNames(Int)
  case prefixItems([Int])
  case items(Int, from: Int)
  indirect case contains(Contains)
  case unevaluatedProperties(Int)
  case unevaluatedItems(Int)

  static let lastRank = 2

  /// Assertions on the value itself come first, then applicators, then `unevaluated…`.
  var rank: Int {
    switch self {
    case .unevaluatedProperties, .unevaluatedItems: Self.lastRank
    case .ref, .dynamicRef, .allOf, .anyOf, .oneOf, .not, .condition, .dependentSchemas,
      .properties, .propertyNames, .prefixItems, .items, .contains:
      1
    default: 0
    }
  }
}

enum Bound: String, Sendable { case maximum, exclusiveMaximum, minimum, exclusiveMinimum }

enum Limit: Sendable {
  case atLeast, atMost

  func admits(_ found: Int, _ count: Int) -> Bool {
    self == .atLeast ? found >= count : found <= count
  }

  func keyword(_ what: String) -> String { (self == .atLeast ? "min" : "max") + what }
}

struct ValueList: Sendable {
  let values: [JSONNode]
  /// The same, for a look-up without comparing each value.
  private let set: Set<EqualValue>

  init(_ values: [JSONNode]) {
    self.values = values
    set = Set(values.map(EqualValue.init))
  }

  func contains(_ node: JSONNode) -> Bool {
    values.count <= 4
      ? values.contains { $0.isEqual(to: node) } : set.contains(EqualValue(node: node))
  }
}

typealias Dependency = (key: String, required: [String])
typealias Condition = (test: Int, then: Int?, otherwise: Int?)
typealias Contains = (schema: Int, minimum: Int, maximum: Int?, hasMinimum: Bool)

/// `properties`, `patternProperties` and `additionalProperties` of one schema object.
struct ObjectShape: Sendable {
  let ordered: [String]
  private let schemas: [Int]
  /// The index of each name; empty if there are so few that a scan is faster.
  private let places: [ByteExact: Int]
  let patterns: [(text: String, expression: RegularExpression, schema: Int)]
  let additional: Int?

  init(
    properties: [(name: String, schema: Int)],
    patterns: [(text: String, expression: RegularExpression, schema: Int)], additional: Int?
  ) {
    ordered = properties.map(\.name)
    schemas = properties.map(\.schema)
    places =
      properties.count <= 8
      ? [:] : Dictionary(ordered.enumerated().map { (ByteExact($1), $0) }, uniquingKeysWith: { $1 })
    (self.patterns, self.additional) = (patterns, additional)
  }

  func schema(for key: String) -> Int? {
    if places.isEmpty { return ordered.lastIndex { $0.isByteEqual(to: key) }.map { schemas[$0] } }
    return places[ByteExact(key)].map { schemas[$0] }
  }
}

struct TypeSet: OptionSet, Hashable, Sendable {
  let rawValue: UInt8
  static let null = TypeSet(rawValue: 1)
  static let boolean = TypeSet(rawValue: 2)
  static let integer = TypeSet(rawValue: 4)
  /// A number that is not an integer; the name `number` covers both.
  static let fraction = TypeSet(rawValue: 8)
  static let string = TypeSet(rawValue: 16)
  static let array = TypeSet(rawValue: 32)
  static let object = TypeSet(rawValue: 64)

  static let names: [(name: String, set: TypeSet)] = [
    ("null", .null), ("boolean", .boolean), ("integer", .integer),
    ("number", [.integer, .fraction]), ("string", .string), ("array", .array), ("object", .object),
  ]

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init?(name: String) {
    guard let entry = Self.names.first(where: { $0.name == name }) else { return nil }
    self = entry.set
  }

  init(of node: JSONNode) {
    switch node.value {
    case .null: self = .null
    case .bool: self = .boolean
    case .number(let number): self = number.isInteger ? .integer : .fraction
    case .string: self = .string
    case .array: self = .array
    case .object: self = .object
    }
  }

  func admits(_ node: JSONNode) -> Bool {
    if case .number = node.value, contains(.integer) == contains(.fraction) {
      return contains(.integer)
    }
    return contains(TypeSet(of: node))
  }

  /// The names, `number` covering `integer`.
  var words: [String] {
    Self.names.filter { entry in
      isSuperset(of: entry.set) && !(entry.name == "integer" && contains(.fraction))
    }.map(\.name)
  }
}

/// A compiled schema: all subschemas that can be reached, the root first.
struct Program: Sendable {
  let subschemas: [Subschema]
  /// For each resource the subschemas of its dynamic anchors.
  let dynamicAnchors: [[String: Int]]
  let root: Int
}
