import JSONSchema
import Testing

struct SchemaTests {
  @Test(arguments: [
    (
      #"{"type": "strng"}"#,
      [
        #"1:10: must be one of "array", "boolean", "integer", "null", "number", "object", "#
          + #""string"; did you mean "string"?"#
      ]
    ),
    (#"{"minLength": -1}"#, ["1:15: must be at least 0"]),
    (#"{"required": "a"}"#, ["1:14: must be an array, not a string"]),
    (#"{"multipleOf": 0}"#, ["1:16: must be greater than 0"]),
    (#"{"allOf": []}"#, ["1:11: must not be empty"]),
    ("[]", ["1:1: a schema must be an object or a boolean"]),
    (
      #"{"pattern": "(a"}"#,
      [#"1:13: not a regular expression (ECMA-262): "(" without ")" at offset 2"#]
    ),
    (
      #"{"patternProperties": {"[": true}}"#,
      [#"1:24: not a regular expression (ECMA-262): "[" without "]" at offset 1"#]
    ),
    (
      ##"{"$ref": "#/$defs/stpe", "$defs": {"step": {}}}"##,
      [##"1:10: the reference "#/$defs/stpe" points to nothing; did you mean "#/$defs/step"?"##]
    ),
    (
      ##"{"$ref": "#stpe", "$defs": {"a": {"$anchor": "step"}}}"##,
      [
        ##"1:10: the reference "#stpe" names an unknown anchor; "##
          + ##"did you mean "#step"?"##
      ]
    ),
    (
      #"{"$ref": "other.json"}"#,
      [#"1:10: the reference "other.json" points to the unknown document "urn:other.json""#]
    ),
    (
      #"{"$schema": "http://json-schema.org/draft-03/schema#"}"#,
      [
        #"1:13: unknown meta-schema "http://json-schema.org/draft-03/schema#"; "#
          + "this validator supports 2020-12, 2019-09, and the drafts 7, 6 and 4"
      ]
    ),
    (
      #"{"$defs": {"a": {"$anchor": "x"}, "b": {"$anchor": "x"}}}"#,
      [#"1:52: duplicate anchor "x" in its resource"#]
    ),
  ])
  func `a wrong schema is refused with its place`(
    _ schema: String, _ expected: [String]
  ) throws {
    #expect(try issues(schema) == expected)
  }

  @Test(arguments: [
    ##"{"$ref": "#"}"##,
    ##"{"$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"not": {"$ref": "#/$defs/a"}}}, "##
      + ##""$ref": "#/$defs/a"}"##,
    ##"{"if": {"anyOf": [true, {"$ref": "#"}]}}"##,
  ])
  func `references that only lead to each other are refused`(_ schema: String) throws {
    let found = try issues(schema)
    #expect(found.count == 1)
    #expect(found.first?.contains("the reference never ends: urn:s#") ?? false)
  }

  @Test func `a cycle that shows only at a value ends the validation`() throws {
    let schema = ##"{"then": {"$ref": "#"}, "if": {"type": "string"}}"##
    #expect(try findings(schema, "1") == [])
    #expect(
      try findings(schema, #""a""#)
        == ["1:1: the reference to urn:schema# never ends at this value"])
  }

  @Test func `a recursive schema follows its instance`() throws {
    let schema = ##"{"type": "object", "additionalProperties": {"$ref": "#"}}"##
    #expect(try findings(schema, #"{"a": {"b": {}}}"#) == [])
    #expect(
      try findings(schema, #"{"a": {"b": 1}}"#) == ["1:13: must be an object, not an integer"])
  }

  @Test func `other documents come from the resolver`() throws {
    let address = try node(#"{"$id": "https://example.org/address", "required": ["city"]}"#)
    let schema = try Schema.compile(
      node(#"{"$id": "https://example.org/person", "$ref": "address"}"#)
    ) { uri in uri == "https://example.org/address" ? address : nil }
    let result = schema.validate(try node("{}"))
    #expect(result.findings.map(\.schemaLocation) == ["https://example.org/address#/required"])
  }

  @Test func `a wrong document of a reference is named`() throws {
    let other = try node(
      #"{"$schema": "https://json-schema.org/draft/2020-12/schema", "minItems": "x"}"#)
    #expect(
      try issues(#"{"$ref": "urn:other"}"#, documents: ["urn:other": other])
        == ["urn:other:1:73: must be an integer, not a string"])
  }

  @Test func `the meta-schemas need no resolver`() throws {
    let schema = ##"{"$ref": "https://json-schema.org/draft/2020-12/schema"}"##
    #expect(try findings(schema, #"{"maxItems": 1}"#) == [])
    #expect(
      try findings(schema, #"{"maxItems": 1.5}"#) == ["1:14: must be an integer, not a number"])
  }

  @Test func `format is an annotation unless it is asked to assert`() throws {
    let schema = #"{"format": "date"}"#
    #expect(try findings(schema, #""soon""#) == [])
    #expect(
      try findings(schema, #""soon""#, options: Schema.Options(assertsFormat: true))
        == ["1:1: must be a date such as 2026-11-21 (RFC 3339)"])
  }

  @Test func `a vocabulary that is required and unknown is refused`() throws {
    let dialect = try node(
      #"{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "urn:dialect", "#
        + #""$vocabulary": {"urn:mine": true}}"#)
    #expect(
      try issues(#"{"$schema": "urn:dialect"}"#, documents: ["urn:dialect": dialect])
        == [#"1:13: the meta-schema requires the unknown vocabulary "urn:mine""#])
  }

  @Test func `a dialect without validation asserts nothing of it`() throws {
    let dialect = try node(
      #"{"$id": "urn:dialect", "$vocabulary": "#
        + #"{"https://json-schema.org/draft/2020-12/vocab/core": true, "#
        + #""https://json-schema.org/draft/2020-12/vocab/applicator": true}}"#)
    let schema = try Schema.compile(
      node(#"{"$schema": "urn:dialect", "minimum": 10, "properties": {"a": false}}"#),
      documents: ["urn:dialect": dialect])
    #expect(schema.validate(try node("1")).isValid)
    #expect(!schema.validate(try node(#"{"a": 1}"#)).isValid)
  }
}
