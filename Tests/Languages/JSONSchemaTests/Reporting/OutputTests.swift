import Basics
import JSONSchema
import Testing

struct OutputTests {
  private static let schema = """
    {"$id": "https://example.org/s", "title": "point",
     "properties": {"x": {"$ref": "#/$defs/coordinate"}, "y": {"$ref": "#/$defs/coordinate"}},
     "$defs": {"coordinate": {"type": "number", "minimum": 0}}}
    """

  private func output(_ instance: String, _ form: ValidationResult.OutputForm) throws -> JSONNode {
    try Schema.compile(node(Self.schema)).validate(node(instance)).output(form)
  }

  @Test func `flag is only the verdict`() throws {
    #expect(try output(#"{"x": -1}"#, .flag).compactText == #"{"valid":false}"#)
    #expect(try output(#"{"x": 1}"#, .flag).compactText == #"{"valid":true}"#)
  }

  @Test func `basic lists every failure with its three locations`() throws {
    let output = try output(#"{"x": -1}"#, .basic)
    let units = try #require(output["errors"]?.items)
    let leaf = try #require(units.last)
    #expect(output["valid"]?.bool == false)
    #expect(leaf["keywordLocation"]?.string == "/properties/x/$ref/minimum")
    #expect(
      leaf["absoluteKeywordLocation"]?.string
        == "https://example.org/s#/$defs/coordinate/minimum")
    #expect(leaf["instanceLocation"]?.string == "/x")
    #expect(leaf["error"]?.string == "must be at least 0")
    #expect(units.compactMap { $0["keywordLocation"]?.string }.first == "/properties")
  }

  @Test func `basic lists the annotations of a valid instance`() throws {
    let units = try #require(output(#"{"x": 1}"#, .basic)["annotations"]?.items)
    let locations = units.compactMap { $0["keywordLocation"]?.string }
    #expect(locations == ["/title", "/properties"])
    #expect(units[0]["annotation"]?.string == "point")
    #expect(units[1]["annotation"]?.compactText == #"["x"]"#)
  }

  @Test func `detailed leaves out empty units`() throws {
    let one = try output(#"{"x": -1}"#, .detailed)
    #expect(one["keywordLocation"]?.string == "/properties/x/$ref/minimum")
    let two = try output(#"{"x": -1, "y": "a"}"#, .detailed)
    #expect(two["keywordLocation"]?.string == "/properties")
    #expect(
      two["errors"]?.items?.compactMap { $0["keywordLocation"]?.string }
        == ["/properties/x/$ref/minimum", "/properties/y/$ref/type"])
  }

  @Test func `annotations of a failed branch are dropped`() throws {
    let schema = try Schema.compile(
      node(#"{"anyOf": [{"title": "no", "type": "null"}, {"title": "yes"}]}"#))
    let units = try #require(schema.validate(node("1")).output(.basic)["annotations"]?.items)
    #expect(units.compactMap { $0["annotation"]?.string } == ["yes"])
  }
}
