import Basics
import Foundation
import JSONSchema
import PipelineCore
import PipelineAuthoring
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import Synchronization
import TestSupport
import Testing
import YAMLSyntax

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

  @Test func `all scenarios of the folder are covered here`() throws {
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
  func `the schema accepts the shipped scenarios`(name: String) throws {
    let schema = try Schema.compile(
      try JSONReader().read(SchemaGenerator.scenarioSchemaText()).root)
    let text = try TestFiles.text("Pipelines/scenarios/\(name).yaml")
    let document = try SchemaDocument(bytes: Array(text.utf8), file: "a.yaml")
    #expect(schema.validate(document.root).isValid)
  }

  @Test func `the schema on disk matches the tables of keys`() throws {
    let text = SchemaGenerator.scenarioSchemaText()
    let url = TestFiles.root.appending(path: "Schemas/scenario.schema.json")
    if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] == "1" {
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: url, encoding: .utf8) == text, "run with UPDATE_GENERATED=1")
  }

  /// Each life takes a second, and two tests look at it.
  private static let lives = Mutex<[String: SimulationResult]>([:])

  private func photos(_ name: String) throws -> SimulationResult {
    try Self.lives.withLock { lives in
      if let life = lives[name] { return life }
      let pipeline = try SimulationTests.pipeline("photos")
      let life = try Simulation(pipeline, Self.scenario(name)).run(seed: 1)
      lives[name] = life
      return life
    }
  }

  @Test(arguments: names)
  func `photos never loses anything`(name: String) throws {
    let result = try photos(name)
    for property in result.properties { #expect(property.holds, "\(property)") }
    #expect(result.summary.outcome == .rested)
    #expect(result.summary.counts[.done] == result.summary.items)
  }

  @Test func `a commuter's photos wait for the night`() throws {
    let summary = try photos("commuter").summary
    // Started in the background, transfers require Wi-Fi and power; the foreground lasts only minutes.
    let power = try #require(summary.stalls["DI3"])
    #expect(power > summary.stalls["DI8"] ?? .zero)
    #expect(try #require(summary.completed(part: 1)) > .seconds(8 * 3600))
    #expect(try #require(summary.completed(part: 1)) < .seconds(2 * 86400))
  }

  @Test func `with nights only, a run lasts days, and upload IDs expire in the queue`() throws {
    let summary = try photos("charger-at-night").summary
    #expect(try #require(summary.completed(part: 1)) > .seconds(2 * 86400))
    #expect(summary.reissues[StepID("allocate")] ?? 0 > 0)
    #expect(summary.wakes > 10)
  }

  @Test func `a force quit costs the bytes that were under way`() throws {
    let summary = try photos("force-quitter").summary
    #expect(summary.bytesWasted > 0)
    #expect(summary.stalls["DI3"] ?? .zero > .zero)
  }

  @Test func `lost replies in a hotel make nothing twice`() throws {
    let result = try photos("hotel-wifi")
    #expect(result.properties.contains { $0.name == "one-finalize" && $0.holds && !$0.isVacuous })
    #expect(result.summary.stalls["TX7"] ?? .zero > .zero)
  }

  @Test func `two gigabytes are plenty for a budget of half of one`() throws {
    let summary = try photos("two-gigabytes").summary
    #expect(summary.bytesSent > 2_000_000_000)
    #expect(summary.peakDiskBytes <= 512 << 20)
    #expect(summary.stalls["disk"] ?? .zero > .zero)
  }

  @Test func `in the worst case one connection after the other breaks`() throws {
    let summary = try photos("worst-case").summary
    #expect(summary.bytesWasted > 0)
    #expect(summary.reissues[StepID("sign_in")] ?? 0 > 0)
    #expect(summary.stalls["allowance"] ?? .zero > .zero)
  }
}
