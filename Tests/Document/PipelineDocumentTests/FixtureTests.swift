import Foundation
import PipelineDocument
import TestSupport
import Testing

/// Compares the findings of each `Fixtures/{ok,err}/NAME.yaml` with `NAME.out`, byte for byte.
///
/// `UPDATE_FIXTURES=1` rewrites the files; a reviewer reads the difference.
struct FixtureTests {
  static let valid = names(in: "ok")
  static let broken = names(in: "err")

  private static func names(in folder: String) -> [String] {
    let texts = try? TestFiles.yaml(in: TestFiles.fixtures.appending(path: folder))
    return (texts ?? []).map { String($0.name.dropLast(5)) }
  }

  @Test(arguments: broken)
  func `a broken document is refused with exactly the expected diagnostics`(_ name: String) throws {
    let isPipeline = try compare(name, in: "err")
    #expect(!isPipeline)
  }

  @Test(arguments: valid)
  func `a valid document results in a pipeline and at most the expected warnings`(
    _ name: String
  ) throws {
    let isPipeline = try compare(name, in: "ok")
    #expect(isPipeline)
  }

  @Test func `there are fixtures of both kinds`() {
    #expect(Self.valid.count > 3)
    #expect(Self.broken.count > 30)
  }

  /// Codes whose cause does not fit into a file of reasonable size; other suites test them.
  private static let elsewhere: Set<DiagnosticCode> = [
    .invalidUTF8, .invalidCharacter, .tooDeep, .tooLarge, .emptyDocument, .schemaViolation,
    .tooCostly, .unreadableUse, .recursiveUse, .brokenUse,
    .unknownFile,
  ]

  @Test func `each diagnostic code has a fixture that shows it`() throws {
    var shown: Set<String> = []
    for folder in ["ok", "err"] {
      let url = TestFiles.fixtures.appending(path: folder)
      for (name, _) in try TestFiles.yaml(in: url) {
        let out = url.appending(path: name.dropLast(5) + ".out")
        let text = try String(contentsOf: out, encoding: .utf8)
        for match in text.matches(of: /(?:error|warning)\[([a-z0-9-]+)\]/) {
          shown.insert(String(match.output.1))
        }
      }
    }
    let missing = DiagnosticCode.allCases.filter {
      // The examples of a page are fixtures, and the page their expected output.
      !shown.contains($0.rawValue) && !Self.elsewhere.contains($0)
        && Check.page(for: $0)?.wrong == nil
    }
    #expect(missing.map(\.rawValue) == [])
  }

  /// Compares the findings with the file; returns whether there is a pipeline.
  private func compare(_ name: String, in folder: String) throws -> Bool {
    let base = TestFiles.fixtures.appending(path: folder)
    let text = try String(contentsOf: base.appending(path: name + ".yaml"), encoding: .utf8)
    let file = name + ".yaml"
    let result = PipelineDocument.load(text: text, file: file)
    let found = DiagnosticText(sources: [file: text]).render(result.diagnostics)
    let out = base.appending(path: name + ".out")
    if TestFiles.isSet("UPDATE_FIXTURES") {
      try found.write(to: out, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: out, encoding: .utf8)
    #expect(found == expected, "\(folder)/\(name)")
    let hasError = result.diagnostics.contains { $0.severity == .error }
    #expect((result.pipeline == nil) == hasError)
    return result.pipeline != nil
  }
}
