import Basics
import Foundation
import JSONSchema
import PipelineAuthoring
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import TestSupport
import Testing
import YAMLSyntax

struct ShippedTestsTests {
  @Test(arguments: ["photos", "documents"])
  func `the shipped tests pass`(name: String) throws {
    let file = "Pipelines/\(name).test.yaml"
    let (document, diagnostics, sources) = try TestFiles.load(file)
    let report = DiagnosticText(sources: sources).render(diagnostics)
    #expect(report == "")
    let results = TestRunner(try #require(document)).results()
    #expect(results.count >= 5)
    let text = TestReport([.init(name: file, results: results)])
    #expect(text.isPassed, "\(text.text())")
  }

  @Test(arguments: ["photos", "documents"])
  func `a shipped test names its schema`(name: String) throws {
    let text = try TestFiles.text("Pipelines/\(name).test.yaml")
    #expect(
      text.hasPrefix(
        "# yaml-language-server: $schema=../Schemas/pipeline-test.schema.json\n"))
  }

  @Test func `the schema on disk matches the tables of keys`() throws {
    let text = SchemaGenerator.testSchemaText()
    let url = TestFiles.root.appending(path: "Schemas/pipeline-test.schema.json")
    if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] == "1" {
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: url, encoding: .utf8) == text, "run with UPDATE_GENERATED=1")
  }

  private func isValid(_ text: String) throws -> Bool {
    let schema = try Schema.compile(try JSONReader().read(SchemaGenerator.testSchemaText()).root)
    let document = try SchemaDocument(bytes: Array(text.utf8), file: "a.test.yaml")
    return schema.validate(document.root).isValid
  }

  @Test(arguments: ["photos", "documents"])
  func `the schema accepts the shipped tests`(name: String) throws {
    #expect(try isValid(TestFiles.text("Pipelines/\(name).test.yaml")))
  }

  @Test(arguments: [
    "answers: { allocate: [{ status: 99 }] }\nexpect: { status: done }",
    "answers: { allocate: [{ statsu: 200 }] }\nexpect: { status: done }",
    "answers: { allocate: [{ error: conection-lost }] }\nexpect: { status: done }",
    "answers: { allocate: [{ status: 200, error: timeout }] }\nexpect: { status: done }",
    "answers: { allocate: [] }\nexpect: { status: done }", "seed: 1",
    "expect: { items: { don: 1 } }", "expect: { status: finished }",
    "expect: { requests: [], all_requests: [] }",
  ])
  func `the schema refuses the wrong shape`(lines: String) throws {
    #expect(try !isValid(TestDocumentTests.test(lines)))
    #expect(TestDocumentTests.load(TestDocumentTests.test(lines)).document == nil)
  }
}

enum TestFiles {
  static let root = Conformance.folder.deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Loads a test of the repository.
  static func load(
    _ file: String
  ) throws -> (document: TestDocument?, diagnostics: [Diagnostic], sources: [String: String]) {
    let text = try text(file)
    let folder = file[...(file.lastIndex(of: "/") ?? file.startIndex)]
    let result = TestDocument.load(
      bytes: text.utf8, file: file,
      files: DocumentFiles { path in (try? TestFiles.text(folder + path)).map { Array($0.utf8) } })
    return (
      result.document, result.diagnostics,
      result.sources.merging([file: text]) { first, _ in first }
    )
  }
}
