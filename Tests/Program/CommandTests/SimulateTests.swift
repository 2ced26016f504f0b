import Foundation
import TestSupport
import Testing

struct SimulateTests {
  private static let oneByOne = Scene.shipped("one-by-one.yaml")

  @Test(arguments: [2, 9, 15])
  func `the app that is opened once and left shows the closed form of the resume delay`(
    items: Int
  ) async throws {
    let outcome = try await Scene().pipeline.run(
      "simulate", Self.oneByOne, "--device", "ios8", "--items", "\(items)", "--format", "json")
    #expect(outcome.status == 0, "\(outcome)")
    let report = try JSON.object(outcome.output)
    #expect(report["added_wait_seconds"] as? Int == 60 * ((1 << (items - 1)) - 1))
    #expect(report["completed"] as? Int == items)
  }

  @Test func `a seed is printed, accepted back, and has the same result`() async throws {
    let scene = try Scene()
    let words = [
      "simulate", Self.oneByOne, "--scenario", "commuter", "--items", "6", "--seed", "77",
    ]
    let first = try await scene.pipeline.run(words)
    let second = try await scene.pipeline.run(words)
    #expect(first.output.contains("seed 77"), "\(first)")
    #expect(first.output == second.output)
    #expect(first.error.isEmpty)
  }

  @Test(arguments: [
    (["--device", "ios77"], "no device is called 'ios77'; did you mean 'ios7'?"),
    (["--scenario", "comuter"], "no scenario is called 'comuter'; did you mean 'commuter'?"),
    (["--scenario", "no/such.yaml"], "cannot read 'no/such.yaml'"),
    (["--set", "conurrency=5"], "did you mean 'concurrency'?"),
    (["--set", "concurrency=many"], "one-by-one.yaml:"),
    (["--set", "scenario.dais=3"], "did you mean 'days'?"),
    (["--vary", "concurrency=1,,2"], "a value is missing"),
  ])
  func `an unusable file is named, and the exit status is 2`(
    words: [String], expected: String
  ) async throws {
    let outcome = try await Scene().pipeline.run(["simulate", Self.oneByOne] + words)
    #expect(outcome.status == 2, "\(outcome)")
    #expect(outcome.error.contains(expected), "\(outcome)")
    #expect(outcome.output.isEmpty)
  }

  @Test(arguments: [
    ["--seeds", "0"], ["--items", "0"], ["--days", "0"], ["--set", "concurrency"],
    ["--trace", "t", "--seeds", "2"],
  ])
  func `wrong usage ends with 64`(words: [String]) async throws {
    let outcome = try await Scene().pipeline.run(["simulate", Self.oneByOne] + words)
    #expect(outcome.status == 64, "\(outcome)")
  }

  @Test func `a built-in scenario can be changed like any other`() async throws {
    let outcome = try await Scene().pipeline.run(
      "simulate", Self.oneByOne, "--device", "ios8", "--set", "scenario.items.count=4", "--set",
      "scenario.conditions.bandwidth=500 kB/s", "--format", "json")
    #expect(outcome.status == 0, "\(outcome)")
    let report = try JSON.object(outcome.output)
    #expect(report["completed"] as? Int == 4)
    #expect(report["added_wait_seconds"] as? Int == 420)
  }

  @Test func `settings are compared, and the best is named with its reason`() async throws {
    let outcome = try await Scene().pipeline.run(
      "simulate", Self.oneByOne, "--device", "ios8", "--items", "6", "--vary", "concurrency=1,6",
      "--seeds", "2", "--format", "json")
    #expect(outcome.status == 0, "\(outcome)")
    let best = try JSON.object(outcome.output)["best"] as? [String: Any]
    #expect(best?["label"] as? String == "concurrency=6")
    #expect((best?["reason"] as? String)?.contains("Next is concurrency=1") == true)
  }

  @Test func `a page and a trace are written to files`() async throws {
    let scene = try Scene()
    let (page, trace) = (scene.directory.path("page.html"), scene.directory.path("trace.ndjson"))
    let outcome = try await scene.pipeline.run(
      "simulate", Self.oneByOne, "--items", "3", "--format", "html", "--output", page, "--trace",
      trace)
    #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome)")
    #expect(try String(contentsOfFile: page, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
    let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
    #expect(lines.count > 20)
    for line in lines { #expect(try JSON.object(String(line))["event"] is String) }
    let unwritable = try await scene.pipeline.run(
      "simulate", Self.oneByOne, "--output", scene.directory.path("no/such/page"))
    #expect(unwritable.status == 3)
  }

  @Test func `a violated property is shown at its shortest, with a command that shows it again`()
    async throws
  {
    let scene = try Scene()
    let scenario = try scene.directory.write(
      """
      scenario: impatient
      device: ios8
      days: 2
      opening: 10s
      items: { count: 12, size: 250 MB }
      conditions: { network: wifi, bandwidth: 1 MB/s, power: true }
      properties:
        - { name: all-soon, eventually: "${{ items.completed == items.count }}", within: 1h }

      """, to: "impatient.yaml")
    let short = scene.directory.path("short.yaml")
    let outcome = try await scene.pipeline.run(
      "simulate", Self.oneByOne, "--scenario", scenario, "--counterexample", short)
    #expect(outcome.status == 1, "\(outcome)")
    let lines = outcome.output.split(separator: "\n")
    let start = try #require(
      lines.firstIndex { $0.hasPrefix("SHORTEST VIOLATION FOUND OF 'all-soon'") }, "\(outcome)")
    #expect(lines.count - start <= 17)
    let again = try #require(lines.last)
    #expect(again == "replay: pipeline simulate \(Self.oneByOne) --scenario \(short) --seed 1")
    let json = try await scene.pipeline.run(
      "simulate", Self.oneByOne, "--scenario", scenario, "--format", "json")
    #expect(json.status == 1)
    let found = try #require(
      try JSON.object(json.output)["counterexample"] as? [String: Any], "\(json)")
    #expect(found["property"] as? String == "all-soon")
    #expect((found["timeline"] as? [String])?.isEmpty == false)
    #expect((found["scenario"] as? String)?.contains("scenario: all-soon") == true)
    let schema = try await scene.pipeline.run("schema", "simulation-report")
    let schemaFile = try scene.directory.write(schema.output, to: "schema.json")
    let report = try scene.directory.write(json.output, to: "report.json")
    let checked = try await scene.pipeline.run("validate", "--schema", schemaFile, report)
    #expect(checked.status == 0, "\(checked)")
    let words = again.split(separator: " ").dropFirst(2).map(String.init)
    let second = try await scene.pipeline.run(words)
    #expect(second.status == 1, "\(second)")
    #expect(second.output.contains("all-soon  violated"), "\(second)")
  }

  @Test func `a run that can never finish is reported and ends with 1`() async throws {
    let scene = try Scene()
    let scenario = try scene.directory.write(
      """
      scenario: swiped-away
      device: ios8
      days: 30
      opening: 10s
      items: { count: 3, size: 250 MB }
      conditions: { network: wifi, bandwidth: 1 MB/s, power: true }
      timeline:
        - { after: 1m, do: force_quit }

      """, to: "swiped-away.yaml")
    let outcome = try await scene.pipeline.run("simulate", Self.oneByOne, "--scenario", scenario)
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.contains("the run is stuck"), "\(outcome)")
    #expect(outcome.output.contains("FQ1"), "\(outcome)")
  }
}
