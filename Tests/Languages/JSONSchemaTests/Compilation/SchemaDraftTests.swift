import Basics
import JSONSchema
import Testing

/// Schemas of older drafts, by what differs from 2020-12.
struct SchemaDraftTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let draft, schema, valid, invalid: String
    var testDescription: String { "\(draft): \(schema)" }
  }

  private static let uris = [
    "4": "http://json-schema.org/draft-04/schema#", "6": "http://json-schema.org/draft-06/schema#",
    "7": "http://json-schema.org/draft-07/schema",
    "2019": "https://json-schema.org/draft/2019-09/schema",
  ]

  private static func compile(_ draft: String, _ schema: String) throws -> Schema {
    let uri = try #require(uris[draft])
    return try Schema.compile(
      JSONReader().read(#"{ "$schema": "\#(uri)", \#(schema.dropFirst())"#).root)
  }

  @Test(arguments: [
    Example(
      draft: "4", schema: #"{ "maximum": 3, "exclusiveMaximum": true }"#, valid: "2", invalid: "3"),
    Example(
      draft: "4", schema: #"{ "minimum": 3, "exclusiveMinimum": false }"#, valid: "3", invalid: "2"),
    Example(
      draft: "4",
      schema: #"""
        { "id": "http://x/y", "definitions": { "a": { "id": "#text", "type": "string" } }, "items": { "$ref": "#text" } }
        """#,
      valid: #"["a"]"#, invalid: "[1]"),
    Example(
      draft: "4", schema: #"{ "const": 1, "if": true, "then": false, "type": "integer" }"#,
      valid: "2",
      invalid: "\"\""),
    Example(
      draft: "6", schema: #"{ "if": true, "then": false, "const": 1 }"#, valid: "1", invalid: "2"),
    Example(
      draft: "7",
      schema:
        #"{ "items": [{ "type": "string" }, { "type": "integer" }], "additionalItems": false }"#,
      valid: #"["a", 1]"#, invalid: #"["a", 1, 2]"#),
    Example(
      draft: "7", schema: #"{ "items": { "type": "string" }, "additionalItems": false }"#,
      valid: #"["a", "b"]"#, invalid: #"["a", 1]"#),
    Example(
      draft: "7",
      schema:
        ##"{ "$ref": "#/definitions/s", "maxLength": 1, "definitions": { "s": { "type": "string" } } }"##,
      valid: #""long""#, invalid: "1"),
    Example(
      draft: "7", schema: #"{ "dependencies": { "a": ["b"], "c": { "required": ["d"] } } }"#,
      valid: #"{ "a": 1, "b": 1 }"#, invalid: #"{ "a": 1 }"#),
    Example(
      draft: "7", schema: #"{ "unevaluatedProperties": false, "required": ["a"] }"#,
      valid: #"{ "a": 1 }"#, invalid: "{}"),
    Example(
      draft: "7", schema: ##"{ "$ref": "http://json-schema.org/draft-07/schema#" }"##,
      valid: #"{ "type": "string" }"#, invalid: #"{ "type": "strung" }"#),
    Example(
      draft: "2019",
      schema: #"""
        { "$id": "http://x/tree", "$recursiveAnchor": true, "type": "object",
          "properties": { "next": { "$recursiveRef": "#" } } }
        """#,
      valid: #"{ "next": { "next": {} } }"#, invalid: #"{ "next": { "next": 1 } }"#),
    Example(
      draft: "2019", schema: ##"{ "items": { "$recursiveRef": "#" }, "type": "array" }"##,
      valid: "[[], []]", invalid: "[[1]]"),
  ])
  func `a keyword has the meaning of its draft`(example: Example) throws {
    let schema = try Self.compile(example.draft, example.schema)
    #expect(schema.validate(try JSONReader().read(example.valid).root).isValid)
    #expect(!schema.validate(try JSONReader().read(example.invalid).root).isValid)
  }

  @Test func `an outer resource extends a recursive one`() throws {
    let schema = try Self.compile(
      "2019",
      #"""
      { "$id": "http://x/strict", "$recursiveAnchor": true, "$ref": "tree", "required": ["n"],
        "$defs": { "tree": { "$id": "tree", "$recursiveAnchor": true,
          "properties": { "next": { "$recursiveRef": "#" } } } } }
      """#)
    #expect(schema.validate(try JSONReader().read(#"{ "n": 1, "next": { "n": 2 } }"#).root).isValid)
    #expect(!schema.validate(try JSONReader().read(#"{ "n": 1, "next": {} }"#).root).isValid)
  }

  @Test(arguments: [
    ("7", #"{ "type": "strung" }"#, "strung"),
    (
      "2019", #"{ "unevaluatedItems": false, "contains": true }"#,
      "'unevaluatedItems' next to 'contains'"
    ),
  ])
  func `a schema that is wrong or cannot be converted is refused`(
    _ draft: String, _ schema: String, _ words: String
  ) throws {
    let error = #expect(throws: SchemaError.self) { try Self.compile(draft, schema) }
    #expect(error.map { "\($0)".contains(words) || $0.issues.contains { $0.range != nil } } == true)
  }

  @Test func `another draft is refused by its name`() throws {
    let error = #expect(throws: SchemaError.self) {
      try Schema.compile(
        JSONReader().read(##"{ "$schema": "http://json-schema.org/draft-03/schema#" }"##).root)
    }
    #expect(error.map { "\($0)".contains("the drafts 7, 6 and 4") } == true)
  }
}
