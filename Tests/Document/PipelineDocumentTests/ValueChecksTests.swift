import PipelineDocument
import Testing

struct ValueChecksTests {
  private func codes(_ text: String) -> [DiagnosticCode] {
    PipelineDocument.load(text: text, file: "a.yaml").diagnostics.map(\.code)
  }

  private func body(_ value: String) -> [DiagnosticCode] {
    codes(
      """
      pipeline: example
      inputs: { name: { type: string } }
      steps:
        - id: ping
          request:
            method: POST
            url: https://example.com/${{ inputs.name }}
            json: { a: \(value) }
      """)
  }

  @Test(arguments: [
    "yes", "No", "ON", "off", "0755", "-010", "1e3", "1E6", "1_000", "1.10", "1.0", "-2.50",
    "0.10000000000000000001", "123456789012345678901234567890",
  ])
  func `a plain value that YAML 1_1 reads otherwise is reported in a body`(_ value: String) {
    #expect(body(value) == [.ambiguousScalar])
  }

  @Test(arguments: [
    "true", "\"yes\"", "'0755'", "0", "0.5", "1.5e3", "1.5e300",
    "18446744073709551615", "0.1", "0o755", "0x1F", "y", "n", "yes please", "10", "a_b", "_1",
    "2024-01-01", "12:30", "null", "[a, b]", "!!str yes",
  ])
  func `an unambiguous value is accepted`(_ value: String) {
    #expect(body(value) == [])
  }

  @Test(arguments: [
    "inputs.name", "'{{ inputs.name }}'", "'{{inputs.name}} a'", "'a/${inputs.name}'",
    "'x {{ steps.a.b }} y'", "response.json.id",
  ])
  func `text that looks like an expression is reported`(_ value: String) {
    #expect(body(value) == [.unmarkedExpression])
  }

  @Test(arguments: [
    "inputs", "'{{ name }}'", "'$${{ inputs.name }}'", "'{{ inputs.name'", "'${name}'",
    "\"see inputs.name\"", "response.bin", "'{{#each inputs.name}}'", "steps.a",
  ])
  func `text that can only be text is accepted`(_ value: String) {
    #expect(body(value) == [])
  }

  @Test func `a plain expression in two braces is not reported as a mapping`() {
    let text = """
      pipeline: example
      steps:
        - id: ping
          request: { url: "https://example.com/", timeout: {{ inputs.time }} }
      """
    let found = PipelineDocument.load(text: text, file: "a.yaml").diagnostics
    #expect(found.map(\.code) == [.unmarkedExpression, .nonStringKey])
    #expect(found.first?.fix?.replacement == "\"${{ inputs.time }}\"")
  }

  private func glob(_ pattern: String) -> [DiagnosticCode] {
    codes(
      """
      pipeline: example
      inputs: { all: { type: files, default: '\(pattern)' } }
      steps:
        - for_each: file
          in: ${{ inputs.all }}
          steps:
            - id: send
              upload: { url: "https://example.com/${{ item.index }}", file: "${{ file }}" }
      """)
  }

  @Test(arguments: ["a{b", "a}b", "[a", "a/**b", "***", "a\\", "[a/b]", "{a,{b}"])
  func `a glob that cannot be read is refused`(_ pattern: String) {
    #expect(glob(pattern) == [.invalidGlob])
  }

  @Test(arguments: [
    "**/*.{jpg,png}", "[]a]", "[!]]", "a\\{b", "{a,**/b}", "a/**", "**", "[[]", "a\\*b", "{**/,}a",
  ])
  func `a valid glob is accepted`(_ pattern: String) {
    #expect(glob(pattern) == [])
  }

  private func schema(_ schema: String, _ output: String) -> [DiagnosticCode] {
    codes(
      """
      pipeline: example
      steps:
        - id: make
          request: { url: "https://example.com/", response: { schema: \(schema) } }
          outputs: { id: "${{ \(output) }}" }
        - id: read
          request: { url: "https://example.com/${{ json(steps.make.id) }}" }
      """)
  }

  @Test(arguments: [
    ("{ type: object }", "response.json.anything"), ("{}", "response.json.a.b"),
    ("{ properties: { a: {} } }", "response.json.a.b"),
    (
      "{ properties: { a: { type: array, items: { properties: { b: { type: string } } } } } }",
      "response.json.a[0].b + 'x'"
    ),
    ("{ properties: { a: { type: string } }, additionalProperties: true }", "response.json.b"),
    ("{ properties: { a: { type: [string, 'null'] } } }", "response.json.a == null ? 1 : 2"),
    ("{ properties: { a: { type: number } } }", "response.json.a + 1"),
    ("{ properties: { a: { type: integer } } }", "response.json.a + 1"),
    ("{ oneOf: [{ type: string }] }", "response.json.b"),
    ("{ properties: { a: { $ref: '#/a' } } }", "response.json.a.b"),
    ("{ type: object, additionalProperties: { type: integer } }", "response.json.b + 1"),
    ("{ properties: { a-b: { type: integer } } }", "response.json['a-b'] + 1"),
    ("{ properties: { a: { enum: [x, y] } } }", "response.json.a == 'x'"),
    ("{ properties: { a: { enum: [x, 1] } } }", "response.json.a == 1"),
  ])
  func `members that a schema allows may be read`(_ schema: String, _ output: String) {
    #expect(self.schema(schema, output) == [])
  }

  @Test(arguments: [
    ("{ properties: { a: {} } }", "response.json.b", DiagnosticCode.unknownField),
    ("{ properties: { a: {} } }", "has(response.json.b)", .unknownField),
    ("{ properties: { a: { type: integer } } }", "response.json.a + 'x'", .expressionType),
    (
      "{ properties: { a: { type: array, items: { type: string } } } }", "response.json.a.b",
      .expressionType
    ),
    ("{ properties: { a: { type: objekt } } }", "response.json.a", .invalidChoice),
    ("{ properties: { a: { enum: [x, y] } } }", "response.json.a == 'z'", .impossibleComparison),
    ("[a]", "response.json", .wrongType),
  ])
  func `members that a schema rules out are reported`(
    _ schema: String, _ output: String, _ code: DiagnosticCode
  ) {
    #expect(self.schema(schema, output).first == code)
  }
}
