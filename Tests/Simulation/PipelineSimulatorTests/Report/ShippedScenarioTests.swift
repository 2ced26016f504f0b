import Foundation
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import Testing

struct ShippedScenarioTests {
  /// The shipped files by name.
  private static func files() throws -> [(name: String, text: String)] {
    let folder = TestFiles.root.appending(path: "Pipelines/scenarios")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".yaml") }.sorted()
      .map { file in
        let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
          .filter { !$0.hasPrefix("#") }
        let kept = lines.drop { $0.isEmpty }.joined(separator: "\n")
        return (String(file.dropLast(5)), kept)
      }
  }

  @Test func `the program carries the scenarios that ship, as the files have them`() throws {
    let files = try Self.files()
    #expect(!files.isEmpty)
    #expect(ShippedScenario.all.map(\.name) == files.map(\.name))
    #expect(ShippedScenario.all.map(\.text) == files.map(\.text))
  }

  @Test(arguments: ShippedScenario.all)
  func `each shipped scenario can be used by its name`(shipped: ShippedScenario) throws {
    #expect(ShippedScenario.named(shipped.name) == shipped)
    let result = ScenarioDocument.load(bytes: shipped.text.utf8, file: shipped.name)
    #expect(result.document != nil, "\(result.diagnostics)")
  }
}
