import Basics
import JSONSchema
import TestSupport

/// Random JSON values and random schemas, right and wrong ones.
struct RandomDocuments {
  private(set) var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private static let keys = ["a", "b", "kind", "name", "", "a/b", "~", "é", "e\u{301}"]
  private static let numbers = [
    "0", "-0", "1", "1.0", "2", "-7", "0.1", "1e400", "1e-400", "-1e999999999999999999999",
    "18446744073709551616", "3.141592653589793238462643383279",
  ]
  private static let patterns = [
    "^a", "(a+)+$", "(?=(a+)+$)b", "[", "\\p{L}+", "(a)\\1", "(?<!x)y", "^.{0,50}$", "((", "",
  ]
  private static let references = [
    "#", "#/$defs/a", "#/$defs/b", "#/properties/a", "#x", "#y", "urn:other", "urn:other#/$defs/a",
    "https://json-schema.org/draft/2020-12/schema", "nowhere", "#/a~1b", "%zz", "//[",
  ]

  mutating func pick<Element>(_ list: [Element]) -> Element { list[generator.next(list.count)] }

  mutating func value(depth: Int) -> JSONNode {
    switch generator.next(depth > 0 ? 9 : 6) {
    case 0: JSONNode(.null)
    case 1: JSONNode(.bool(generator.next(2) == 0))
    case 2, 3: JSONNode(.number(JSONNumber(text: pick(Self.numbers)) ?? JSONNumber(0)))
    case 4: JSONNode(.string(pick(Self.keys)))
    case 5: JSONNode(.string(String(repeating: "a", count: generator.next(40)) + "!"))
    case 6, 7:
      JSONNode(
        .object(
          (0..<generator.next(5)).map { _ in
            JSONNode.Member(key: pick(Self.keys), value: value(depth: depth - 1))
          }))
    default: JSONNode(.array((0..<generator.next(5)).map { _ in value(depth: depth - 1) }))
    }
  }

  mutating func schema(depth: Int) -> JSONNode {
    if generator.next(12) == 0 { return JSONNode(.bool(generator.next(3) > 0)) }
    if generator.next(60) == 0 { return value(depth: 2) }
    let members = (0..<(1 + generator.next(4))).map { _ in keyword(depth: depth) }
    return JSONNode(.object(members))
  }

  private mutating func keyword(depth: Int) -> JSONNode.Member {
    let leaf = depth <= 0 || generator.next(3) == 0
    let key = leaf ? pick(Self.leaves) : pick(Self.applicators)
    if generator.next(80) == 0 { return JSONNode.Member(key: key, value: value(depth: 2)) }
    return JSONNode.Member(key: key, value: argument(of: key, depth: depth))
  }

  private static let leaves = [
    "type", "const", "enum", "minimum", "multipleOf", "minLength", "pattern", "format",
    "required", "uniqueItems", "maxItems", "minContains", "$ref", "$dynamicRef", "$anchor",
    "$dynamicAnchor", "$id", "dependentRequired", "title",
  ]
  private static let applicators = [
    "properties", "patternProperties", "additionalProperties", "items", "prefixItems", "contains",
    "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$defs", "dependentSchemas",
    "propertyNames", "unevaluatedProperties", "unevaluatedItems",
  ]

  private mutating func argument(of key: String, depth: Int) -> JSONNode {
    switch key {
    case "type":
      JSONNode(.string(pick(["null", "object", "array", "number", "integer", "string"])))
    case "const", "title": value(depth: 2)
    case "enum": JSONNode(.array([value(depth: 1), value(depth: 1)]))
    case "minimum": JSONNode(.number(JSONNumber(text: pick(Self.numbers)) ?? JSONNumber(0)))
    case "multipleOf":
      JSONNode(.number(JSONNumber(text: pick(["0.1", "3", "1e-400"])) ?? JSONNumber(1)))
    case "minLength", "maxItems", "minContains": JSONNode(.number(JSONNumber(generator.next(4))))
    case "uniqueItems": JSONNode(.bool(true))
    case "pattern": JSONNode(.string(pick(Self.patterns)))
    case "format": JSONNode(.string(pick(Format.allCases).rawValue))
    case "required": JSONNode(.array([JSONNode(.string(pick(Self.keys)))]))
    case "dependentRequired":
      JSONNode(
        .object([
          JSONNode.Member(
            key: pick(Self.keys), value: JSONNode(.array([JSONNode(.string(pick(Self.keys)))])))
        ]))
    case "$ref", "$dynamicRef": JSONNode(.string(pick(Self.references)))
    case "$anchor", "$dynamicAnchor": JSONNode(.string(pick(["x", "y"])))
    case "$id": JSONNode(.string(pick(["urn:inner", "inner", "https://example.org/a/b"])))
    case "properties", "patternProperties", "$defs", "dependentSchemas":
      JSONNode(
        .object(
          (0..<generator.next(4)).map { _ in
            let name = key == "patternProperties" ? pick(Self.patterns) : pick(Self.keys)
            return JSONNode.Member(key: name, value: schema(depth: depth - 1))
          }))
    case "allOf", "anyOf", "oneOf", "prefixItems":
      JSONNode(.array((0..<(1 + generator.next(3))).map { _ in schema(depth: depth - 1) }))
    default: schema(depth: depth - 1)
    }
  }
}
