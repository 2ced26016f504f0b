import Foundation
import JSONSchema
import PipelineCore
import PipelineDocument
import PipelineSimulator
import TestSupport
import Testing

struct ShippedScenariosTests {
  static let names = [
    "charger-at-night", "commuter", "force-quitter", "hotel-wifi", "two-gigabytes", "worst-case",
  ]

  static func scenario(_ name: String) throws -> Scenario {
    let file = "Pipelines/scenarios/\(name).yaml"
    let result = ScenarioDocument.load(bytes: try TestFiles.text(file).utf8, file: file)
    #expect(result.diagnostics == [])
    return Scenario(try #require(result.document))
  }

  @Test func `all scenarios of the folder are spoken of here`() throws {
    let folder = TestFiles.root.appending(path: "Pipelines/scenarios")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files.sorted() == Self.names.map { "\($0).yaml" })
  }

  @Test(arguments: names)
  func `a shipped scenario names its schema and is named after its file`(name: String) throws {
    let text = try TestFiles.text("Pipelines/scenarios/\(name).yaml")
    #expect(
      text.hasPrefix("# yaml-language-server: $schema=../../Schemas/scenario.schema.json\n"))
    #expect(try Self.scenario(name).name == name)
  }

  @Test(arguments: names)
  func `the schema takes the shipped scenarios`(name: String) throws {
    let schema = try Schema.compile(
      try JSONReader().read(SchemaGenerator.scenarioSchemaText()).root)
    let text = try TestFiles.text("Pipelines/scenarios/\(name).yaml")
    let document = try SchemaDocument(bytes: Array(text.utf8), file: "a.yaml")
    #expect(schema.validate(document.root).isValid)
  }

  @Test func `the schema on disk is what the tables of keys give`() throws {
    let text = SchemaGenerator.scenarioSchemaText()
    let url = TestFiles.root.appending(path: "Schemas/scenario.schema.json")
    if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] == "1" {
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: url, encoding: .utf8) == text, "run with UPDATE_GENERATED=1")
  }

  @Test(arguments: names)
  func `what photos comes to`(name: String) throws {
    let result = try Simulation(try SimulationTests.pipeline("photos"), Self.scenario(name))
      .run(seed: 1)
    print(name, result.summary.json(), result.properties, result.obstacles)
  }
}
