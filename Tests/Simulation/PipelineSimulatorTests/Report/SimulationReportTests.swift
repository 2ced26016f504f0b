import CEL
import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import Testing

struct SimulationReportTests {
  @Test(arguments: 2...15)
  func `the report of items one by one states 60·(2^(B−1) − 1) s of added wait`(
    items: Int
  ) throws {
    let json = try Value(json: try ReportScene(oneByOne: items).report().json())
    let added = json.mapValue?["added_wait_seconds"]
    #expect(added?.jsonText() == "\(60 * ((1 << (items - 1)) - 1))")
    #expect(json.mapValue?["completed"]?.intValue == Int64(items))
  }

  @Test func `a report has every key that its schema demands, and fits it`() throws {
    let scene = try ReportScene(ReportScene.shortLived)
    #expect(try ReportScene.findings(in: scene.report().json()) == [])
    let json = try Value(json: try scene.report().json())
    for key in [
      "items", "completed", "failed", "paused", "unfinished", "device_seconds", "completed_at",
      "wakes", "added_wait_seconds", "bytes_sent", "bytes_wasted", "reissues", "stalls",
      "peak_disk_bytes", "properties",
    ] {
      #expect(json.mapValue?[key] != nil, "\(key)")
    }
  }

  @Test func `advice is in the text and in the JSON, of one seed and of many`() throws {
    let scene = try ReportScene(oneByOne: 8)
    let advice = AdviceSearch(try Simulation(scene.simulated, scene.scenario), seed: 1).advice()
    let best = try #require(advice.first)
    var one = try scene.report()
    var many = SeedReport(scene.heading, try scene.statistics())
    #expect(try Value(json: one.json()).mapValue?["advice"] == .list([]))
    (one.advice, many.advice) = (advice, advice)
    for (text, json) in [(one.text(), one.json()), (many.text(), many.json())] {
      #expect(
        text.contains("ADVICE: CHANGES THAT DID BETTER (--set KEY=VALUE)\n  \(best.text)\n"),
        "\(text)")
      #expect(try ReportScene.findings(in: json) == [])
      let told = try Value(json: json).mapValue?["advice"]?.listValue?.first?.mapValue
      #expect(told?["key"]?.stringValue == best.setting.key)
      #expect(told?["after"]?.mapValue?["completed"]?.intValue == Int64(best.after.completed))
    }
    #expect(many.html().contains("tried: "))
  }

  @Test(arguments: ["wakes", "completed_at", "properties"])
  func `the schema misses a key that is not there`(key: String) throws {
    let json = try ReportScene(oneByOne: 2).report().json()
    let damaged = json.replacing("\"\(key)\":", with: "\"other\":")
    #expect(try !ReportScene.findings(in: damaged).isEmpty)
  }

  @Test(arguments: [1, 42, UInt64.max])
  func `one seed produces one report, to the byte, in each form`(seed: UInt64) throws {
    var scene = try ReportScene(ReportScene.shortLived, items: 12, profile: .worst)
    scene.scenario.timeline = Scenario.standard.timeline
    let (first, second) = (try scene.report(seed: seed), try scene.report(seed: seed))
    #expect(first.text() == second.text())
    #expect(first.json() == second.json())
    #expect(first.html() == second.html())
    #expect(first.text().contains("seed \(seed)\n"))
    #expect(first.json().contains("\"seed\":\(seed),"))
  }

  @Test func `weeks of life fit on a screen`() throws {
    var scene = try ReportScene(oneByOne: 60, concurrency: 2)
    scene.scenario = .standard
    scene.scenario.length = .seconds(60 * 86400)
    scene.scenario.items.count = 60
    scene.scenario.items.size = .constant(2_000_000_000)
    let text = try scene.report().text()
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.prefix { $0 != "SUMMARY" }.count <= 42, "\(text)")
    #expect(lines.count < 80)
    #expect(lines.contains { $0.contains("opened ") })
  }

  @Test func `the text shows the counted numbers`() throws {
    let text = try ReportScene(oneByOne: 5).report().text()
    #expect(text.hasPrefix("pipeline one-by-one, scenario left-alone, device ios8, seed 1\n"))
    for part in [
      "items        5: 5 done\n", "added wait   15 min by the resume delay (900 s)\n",
      "wakes        5 resumes by the transfer service\n", "+1 done (1 of 5), 1 request",
      "resume delay 16 min\n", "held by RL4", "RL4       15 min  resume delay",
    ] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
  }

  @Test func `reissued steps are counted by step and by cause`() throws {
    let report = try ReportScene(ReportScene.shortLived, items: 8).report()
    #expect(report.summary.reissues.values.reduce(0, +) > 0)
    #expect(report.summary.reissueCauses.keys.contains { $0.hasPrefix("answered 4") })
    #expect(
      report.summary.reissueCauses.values.reduce(0, +)
        == report.summary.reissues.values.reduce(0, +))
    #expect(report.text().contains("reissued     "))
    #expect(report.timeline.reissues.count == report.summary.reissues.values.reduce(0, +))
  }

  @Test func `a simulation in which nothing can happen any more is not a success`() throws {
    var scene = try ReportScene(oneByOne: 3)
    scene.scenario.timeline = [TimelineEntry(.after(.seconds(60)), .action(.forceQuit))]
    let report = try scene.report()
    #expect(report.summary.isDeadlocked)
    #expect(!report.isPassed)
    #expect(report.text().contains("the run is stuck"), "\(report.text())")
    #expect(report.text().contains("OBSTACLES AT THE END"))
  }
}
