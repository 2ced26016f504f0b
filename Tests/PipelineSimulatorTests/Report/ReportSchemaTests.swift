import Foundation
import PipelineSimulator
import TestSupport
import Testing

struct ReportSchemaTests {
  struct Shipped: Sendable {
    let file: String
    let name: String
    let schema: ReportSchema
  }

  private static func source(_ file: String, _ name: String, _ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "      " + $0 }
    return """
      // Generated from Schemas/\(file).schema.json by ReportSchemaTests; do not edit.

      extension ReportSchema {
        /// The schema of `\(file).schema.json`.
        public static let \(name) = Self(
          text: #\"""
      \(lines.joined(separator: "\n"))
            \"""#)
      }

      """
  }

  @Test(arguments: [
    Shipped(
      file: "simulation-report", name: "simulationReport", schema: .simulationReport),
    Shipped(file: "verification", name: "verification", schema: .verification),
  ])
  func `the program carries the schemas of its reports, as the files have them`(
    shipped: Shipped
  ) throws {
    let text = try TestFiles.text("Schemas/\(shipped.file).schema.json")
    let path = "Sources/PipelineSimulator/Report/Schemas/\(shipped.name).swift"
    let url = TestFiles.root.appending(path: path)
    let source = Self.source(shipped.file, shipped.name, text)
    if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] == "1" {
      try Data(source.utf8).write(to: url)
    } else {
      #expect(shipped.schema.text == text, "run with UPDATE_GENERATED=1")
    }
    #expect(try TestFiles.text(path) == source, "run with UPDATE_GENERATED=1")
  }
}
