import Basics
import JSONSchema
import TestSupport
import Testing

struct RobustnessTests {
  private static let options = Schema.Options(assertsFormat: true, maximumSteps: 20_000)

  @Test(arguments: 0..<UInt64(2))
  func `random schemas and documents neither crash nor contradict themselves`(
    _ part: UInt64
  ) throws {
    let fuzz = Fuzz("schemas", inputs: 500, share: 0.15, part: part, of: 2)
    while let seed = try fuzz.next() {
      var random = RandomDocuments(seed: seed)
      let schema = random.schema(depth: 4)
      fuzz.trying(schema.compactText, seed: seed)
      let documents = ["urn:other": random.schema(depth: 2)]
      guard
        let compiled = try? Schema.compile(
          schema, documents: documents, options: Self.options)
      else { continue }
      for _ in 0..<4 {
        let instance = random.value(depth: 4)
        fuzz.trying(schema.compactText + "\n" + instance.compactText, seed: seed)
        let result = compiled.validate(instance)
        #expect(result.isValid == result.findings.isEmpty, "\(schema.compactText)")
        #expect(result.output(.basic)["valid"]?.bool == result.isValid)
        #expect(result.output(.detailed)["valid"]?.bool == result.isValid)
        #expect(result.findings == result.findings.sorted())
        #expect(Set(result.findings).count == result.findings.count)
      }
    }
  }

  @Test func `damaged text is refused or read, never worse`() throws {
    let fuzz = Fuzz("JSON", inputs: 750, share: 0.05)
    while let seed = try fuzz.next() {
      var random = RandomDocuments(seed: seed)
      var bytes = Array(random.value(depth: 4).indentedText.utf8)
      for _ in 0..<(1 + random.pick([0, 1, 3])) {
        let place = random.pick(Array(bytes.indices))
        bytes[place] = random.pick([0x22, 0x5C, 0x7B, 0x5D, 0x2C, 0x00, 0xFF, 0x31, 0x65, 0xC3])
      }
      fuzz.trying(String(decoding: bytes, as: UTF8.self), seed: seed)
      guard let document = try? JSONReader().read(bytes) else { continue }
      let again = try JSONReader().read(document.root.compactText)
      #expect(again.root.isEqual(to: document.root))
    }
  }

  @Test func `random expressions are refused, evaluated or stopped`() throws {
    let fuzz = Fuzz("patterns", inputs: 3000, share: 0.05)
    let parts = [
      "a", "b", "(", ")", "(?:", "(?=", "(?<!", "(?<n>", "\\k<n>", "\\1", "[", "]", "^", "$", "*",
      "+", "?", "{2,3}", "|", ".", "\\d", "\\p{L}", "-", "\\b", "{", "}", "😀", "\\u{61}",
    ]
    while let seed = try fuzz.next() {
      var random = RandomDocuments(seed: seed)
      let source = (0..<(1 + random.pick(Array(0..<12)))).map { _ in random.pick(parts) }.joined()
      fuzz.trying(source, seed: seed)
      guard let expression = try? RegularExpression(source) else { continue }
      _ = try? expression.matches("aabab 1-é😀")
    }
  }

  @Test func `a schema that doubles its work at each level is refused`() throws {
    let schema = ##"""
      {"anyOf": [{"items": {"$ref": "#"}, "minItems": 1, "type": "array"},
        {"items": {"$ref": "#"}, "minItems": 1, "type": "array"}]}
      """##
    let instance = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
    let found = try findings(schema, instance, options: Schema.Options(maximumSteps: 50_000))
    #expect(found.count == 1)
    #expect(found.first?.contains("stopped after") ?? false)
  }

  @Test func `an instance as deep as the reader allows is validated`() throws {
    let deep = String(repeating: "[", count: 120) + "1" + String(repeating: "]", count: 120)
    let schema = ##"{"type": "array", "items": {"$ref": "#"}}"##
    #expect(try findings(schema, deep) == ["1:121: must be an array, not an integer"])
  }

  @Test func `deeper than allowed is refused with its place`() throws {
    let deep = String(repeating: "[", count: 50) + String(repeating: "]", count: 50)
    let found = try findings(
      ##"{"items": {"$ref": "#"}}"##, deep, options: Schema.Options(maximumDepth: 20))
    #expect(found == ["1:11: the validation is nested deeper than 20 schemas"])
  }

  @Test func `a hand-made schema deeper than the stack is refused`() throws {
    var schema = JSONNode(.bool(true))
    for _ in 0..<2_000 {
      schema = JSONNode(.object([JSONNode.Member(key: "not", value: schema)]))
    }
    let deep = schema
    let error = try #require(throws: SchemaError.self) { try Schema.compile(deep) }
    #expect(error.issues.map(\.message) == ["the schema is nested deeper than 512"])
  }

  @Test func `large documents are not mistaken for endless ones`() throws {
    let items = JSONNode(.array((0..<60_000).map { JSONNode(.number(JSONNumber($0))) }))
    let schema = try Schema.compile(
      node(#"{"items": {"allOf": [{"type": "integer"}, {"minimum": 0}]}}"#),
      options: Schema.Options(maximumSteps: 1_000))
    #expect(schema.validate(items).isValid)
  }
}
