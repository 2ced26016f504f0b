import Basics
import Testing
import YAMLSyntax

/// What YAML files have that JSON has not, in documents that are checked with a JSON Schema.
struct SchemaDocumentTests {
  private static func texts(_ text: String) throws -> [String] {
    try SchemaDocument(bytes: Array(text.utf8), file: "a.yaml").roots.map(\.compactText)
  }

  @Test func `all documents of a file are read, each with its own anchors`() throws {
    #expect(try Self.texts("a: &x 1\nb: *x\n---\n- &x 2\n- *x\n") == [#"{"a":1,"b":1}"#, "[2,2]"])
    #expect(throws: SchemaDocument.Problem.self) { try Self.texts("a: &x 1\n---\nb: *x\n") }
  }

  @Test func `a merge key adds the mapping's missing keys`() throws {
    let base = "base: &b { a: 1, c: 2 }\nother: &o { c: 3, d: 4 }\n"
    let text = try Self.texts(base + "x: { <<: *b, a: 5 }\ny: { <<: [*b, *o] }\n")
    #expect(text[0].contains(#""x":{"a":5,"c":2}"#), "\(text)")
    #expect(text[0].contains(#""y":{"a":1,"c":2,"d":4}"#), "\(text)")
  }

  @Test func `a quoted merge key is a key`() throws {
    #expect(try Self.texts(#""<<": 1"#) == [#"{"<<":1}"#])
  }

  @Test func `keys that are numbers, Booleans or null are their texts`() throws {
    #expect(
      try Self.texts("12: x\n0x0D: y\ntrue: z\nnull: w\n") == [
        #"{"12":"x","0x0D":"y","true":"z","null":"w"}"#
      ])
  }

  @Test(arguments: [("? [a]\n: 1\n", "1:3"), ("<<: 5\n", "1:5"), ("<<: [5, { a: 1 }]\n", "1:6")])
  func `a key or merge that JSON cannot have is refused at its place`(
    _ text: String, _ place: String
  ) {
    let problem = #expect(throws: SchemaDocument.Problem.self) { try Self.texts(text) }
    #expect(problem.map { "\($0.position)" } == place)
  }
}
