import Basics
import JSONSchema
import Testing

struct FindingTests {
  private static let pets = """
    {"oneOf": [
      {"properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}}, "required": ["kind"],
       "additionalProperties": false},
      {"properties": {"kind": {"const": "dog"}, "barks": {"type": "boolean"}}, "required": ["kind"],
       "additionalProperties": false}
    ]}
    """

  @Test(arguments: [
    // The kind decides which branch is explained.
    (
      pets, #"{"kind": "cat", "lives": "9"}"#,
      ["1:26: must be an integer, not a string; did you mean 9?"]
    ),
    (pets, #"{"kind": "dog", "lives": 9}"#, [#"1:17: unknown property "lives""#]),
    (pets, #"{"kind": "dgo"}"#, [#"1:10: must be one of "cat", "dog"; did you mean "dog"?"#]),
    (pets, "{}", [#"1:1: the property "kind" is missing"#]),
    (pets, "[]", [#"1:1: the property "kind" is missing"#]),
  ])
  func `a failed oneOf explains the branch that was meant`(
    _ schema: String, _ instance: String, _ expected: [String]
  ) throws {
    if instance == "[]" {
      // Without a type both branches accept an array, which is itself a failure of oneOf.
      #expect(
        try findings(schema, instance) == [
          "1:1: must match exactly one schema of oneOf, but matches those at 0 and 1"
        ])
      return
    }
    #expect(try findings(schema, instance) == expected)
  }

  @Test(arguments: [
    (
      #"{"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}"#,
      "[\"a\", 1]", [#"1:7: must be a string, not an integer; did you mean "1"?"#]
    ),
    (
      #"{"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}"#,
      "null", ["1:1: must be a string or an array, not null"]
    ),
    (
      #"{"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}"#, "{}",
      [#"1:1: one of the properties "a" or "b" is required"#]
    ),
    (
      #"{"oneOf": [{"const": 1}, {"enum": [2, 3]}]}"#, "4", ["1:1: must be one of 1, 2, 3"]
    ),
    (
      #"{"oneOf": [{"required": ["request"], "properties": {"request": {"type": "object"}}}, "#
        + #"{"required": ["wait"], "properties": {"wait": {"type": "string"}}}]}"#,
      #"{"wait": 5}"#, [#"1:10: must be a string, not an integer; did you mean "5"?"#]
    ),
    (#"{"anyOf": [false, false]}"#, "1", ["1:1: nothing is allowed here"]),
    (#"{"not": {"type": "null"}}"#, "null", ["1:1: must not match the schema of not"]),
  ])
  func `alternatives are explained by one message`(
    _ schema: String, _ instance: String, _ expected: [String]
  ) throws {
    #expect(try findings(schema, instance) == expected)
  }

  @Test(arguments: [
    (
      #"{"properties": {"name": {}}, "required": ["name"], "additionalProperties": false}"#,
      "{\"nmae\": 1,\n \"zzz\": 2}",
      [#"1:2: unknown property "nmae"; did you mean "name"?"#, #"2:2: unknown property "zzz""#]
    ),
    (
      #"{"allOf": [{"properties": {"retry_after": {}}}], "unevaluatedProperties": false}"#,
      #"{"retryAfter": 1}"#, [#"1:2: unknown property "retryAfter"; did you mean "retry_after"?"#]
    ),
    (
      // A failed branch evaluates nothing; that must not be reported a second time.
      #"{"allOf": [{"properties": {"a": {"type": "null"}}}], "unevaluatedProperties": false}"#,
      #"{"a": 1, "b": 2}"#,
      ["1:7: must be null, not an integer", #"1:10: unknown property "b""#]
    ),
    (
      #"{"enum": ["GET", "POST", "PUT"]}"#, #""PSOT""#,
      [#"1:1: must be one of "GET", "POST", "PUT"; did you mean "POST"?"#]
    ),
    (#"{"enum": [true, 8]}"#, #""true""#, ["1:1: must be one of true, 8; did you mean true?"]),
    (#"{"const": {"a": 1}}"#, "1", ["1:1: must be an object"]),
    (
      #"{"required": ["a", "b"]}"#, "{}",
      [#"1:1: the property "a" is missing"#, #"1:1: the property "b" is missing"#]
    ),
    (
      #"{"dependentRequired": {"card": ["address"]}}"#, #"{"card": 1}"#,
      [#"1:1: the property "address" is missing, but "card" requires it"#]
    ),
    (
      #"{"propertyNames": {"maxLength": 2}}"#, #"{"abc": 1}"#,
      ["1:2: must have at most 2 characters"]
    ),
    (#"{"minLength": 2}"#, #""é""#, ["1:1: must have at least 2 characters"]),
    (#"{"minItems": 1}"#, "[]", ["1:1: must not be empty"]),
    (#"{"maxItems": 1}"#, "[1, 2]", ["1:1: must have at most 1 item, has 2"]),
    (#"{"items": {"exclusiveMaximum": 1.50}}"#, "[1.5]", ["1:2: must be less than 1.50"]),
    (#"{"multipleOf": 0.01}"#, "0.001", ["1:1: must be a multiple of 0.01"]),
    (#"{"uniqueItems": true}"#, "[1, 2, 1.0]", ["1:1: items 0 and 2 are equal"]),
    (#"{"pattern": "^a"}"#, #""b""#, ["1:1: must match the regular expression ^a"]),
    (
      #"{"prefixItems": [true], "items": false}"#, "[1, 2]",
      ["1:5: there must be no item at index 1"]
    ),
    (
      #"{"contains": {"type": "null"}}"#, "[1]",
      ["1:1: must have at least 1 item that match contains, has 0"]
    ),
    (#"{"if": {"type": "integer"}, "then": {"minimum": 3}}"#, "1", ["1:1: must be at least 3"]),
    (#"{"type": "string"}"#, "1.5", [#"1:1: must be a string, not a number; did you mean "1.5"?"#]),
  ])
  func `each cause has one message at its place`(
    _ schema: String, _ instance: String, _ expected: [String]
  ) throws {
    #expect(try findings(schema, instance) == expected)
  }

  @Test func `the same failure by two ways is reported once`() throws {
    let schema = ##"""
      {"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {"type": "null"}}}
      """##
    #expect(try findings(schema, "1") == ["1:1: must be null, not an integer"])
  }

  @Test func `a finding names instance, keyword and schema`() throws {
    let schema = try Schema.compile(
      node(#"{"$id": "https://example.org/s", "properties": {"a/b": {"type": "null"}}}"#))
    let finding = try #require(schema.validate(node(#"{"a/b": 1}"#)).findings.first)
    #expect(finding.keyword == "type")
    #expect(finding.instancePointer.description == "/a~1b")
    #expect(finding.schemaLocation == "https://example.org/s#/properties/a~1b/type")
    #expect(finding.range?.description == "1:9-1:10")
    #expect(finding.suggestion == nil)
  }

  @Test func `a suggestion contains the replacement and its place`() throws {
    let schema = try Schema.compile(
      node(#"{"properties": {"name": true}, "additionalProperties": false}"#))
    let finding = try #require(schema.validate(node(#"{"naem": 1}"#)).findings.first)
    #expect(finding.suggestion?.kind == .key)
    #expect(finding.suggestion?.replacement == "name")
    #expect(finding.suggestion?.range?.description == "1:2-1:8")
  }

  @Test func `nodes without places have findings without places`() throws {
    let schema = try Schema.compile(node(#"{"items": {"type": "null"}}"#))
    let instance = JSONNode(.array([JSONNode(.bool(true))]))
    #expect(
      schema.validate(instance).findings.map(\.description)
        == ["#/0: must be null, not a boolean"])
  }
}
