import CEL
import PipelineCore
import PipelineDocument
import Testing

struct InputValuesTests {
  private func declaration(
    _ kind: InputDeclaration.Kind, default defaultText: String? = nil, isOptional: Bool = false
  ) -> InputDeclaration {
    InputDeclaration(
      name: "x", kind: kind, defaultText: defaultText, isOptional: isOptional,
      location: SourceLocation(file: "a.yaml", line: 1, column: 1))
  }

  @Test(arguments: [
    (InputDeclaration.Kind.int, "1.5"), (.int, ""), (.int, "99999999999999999999"), (.bool, "yes"),
    (.url, "example.com"), (.url, "ftp://h"), (.duration, "5"), (.duration, "5 parsecs"),
    (.size, "5 Mib"), (.file, ""), (.files, ""),
  ])
  func `text that does not fit the type is refused`(
    _ kind: InputDeclaration.Kind, _ text: String
  ) {
    #expect(throws: InputValues.Problem.self) { try InputValues.parse(declaration(kind), text) }
  }

  @Test(arguments: [
    (InputDeclaration.Kind.string, "", Value.string("")), (.secret, "s3cret", "s3cret"),
    (.int, "-12", -12), (.bool, "true", true), (.url, "https://h/x", "https://h/x"),
    (.duration, "1h30m", .duration(.seconds(5400))), (.size, "1 KiB", 1024),
    (.file, "a/b.txt", "a/b.txt"), (.files, "**/*", "**/*"),
  ])
  func `text becomes a value of the type`(
    _ kind: InputDeclaration.Kind, _ text: String, _ value: Value
  ) throws {
    #expect(try InputValues.parse(declaration(kind), text) == value)
  }

  @Test func `an unset input has its default, its empty value, or is missing`() throws {
    #expect(try InputValues.fallback(declaration(.size, default: "2 kB")) == 2000)
    #expect(try InputValues.fallback(declaration(.string)) == nil)
    #expect(try InputValues.fallback(declaration(.string, isOptional: true)) == "")
    #expect(try InputValues.fallback(declaration(.files, isOptional: true)) == .list([]))
  }
}
