import CEL
import PipelineCore
import PipelineDocument
import PipelineSimulator
import Testing
import PipelineScenarios

struct TimelineTests {
  private func timeline(_ scene: ReportScene) throws -> Timeline { try scene.report().timeline }

  @Test func `the app's life has no gap and no overlap`() throws {
    let timeline = try timeline(ReportScene(oneByOne: 4))
    let life = timeline.life
    #expect(life.first?.from == 0)
    for (before, after) in zip(life, life.dropFirst()) {
      #expect(before.to == after.from)
      #expect(before.content != after.content)
    }
    #expect(life.last?.to == timeline.length)
    #expect(life.prefix(3).map(\.content) == [.front, .running, .asleep])
    // Ten seconds in front, 180 s of allowance, then asleep until the transfer is through.
    #expect(life[0].to == 10_000)
    #expect(life[1].to <= 190_000)
    #expect(life[2].to == 250_000)
  }

  @Test func `each wake is shown with the delay that it raised`() throws {
    let wakes = try timeline(ReportScene(oneByOne: 4)).wakes
    #expect(wakes.map(\.delay) == [60, 120, 240, 480].map { .seconds($0) })
    #expect(wakes.map(\.at) == [250_000, 560_000, 930_000, 1_420_000])
  }

  @Test func `an item is held by the rule that holds it, and then moves`() throws {
    let timeline = try timeline(ReportScene(oneByOne: 3))
    let lane = try #require(timeline.items[ItemKey(loop: 0, ordinal: 1)])
    let held = try #require(lane.phases.first { $0.content == .held(.resumeDelay) })
    #expect(held.to - held.from == 60_000)
    let moving = try #require(lane.phases.first { $0.content == .moving })
    #expect(moving.from == held.to && moving.to - moving.from == 250_000)
    #expect(lane.end?.status == .done)
    #expect(lane.label == "file 2")
    #expect(timeline.held[.resumeDelay]?.peak == 1)
    #expect(timeline.queue.peak == 1 && timeline.queue.last == 0)
    #expect(timeline.done.last == 3)
  }

  @Test func `disk in use and valid identifiers rise and fall`() throws {
    var scene = try ReportScene(ReportScene.shortLived, items: 4)
    scene.scenario.items.size = .constant(20_000_000)
    let timeline = try timeline(scene)
    #expect(timeline.disk.peak == 40_000_000)
    #expect(timeline.disk.last == 0)
    #expect(timeline.identifiers.peak == 2)
    #expect(timeline.identifiers.last == 0)
  }

  @Test func `an identifier that expired in the queue is not counted as valid`() throws {
    // 250 MB at 1 MB/s for two, after the allowance has ended: longer than the ten minutes of an id.
    var scene = try ReportScene(ReportScene.shortLived, items: 2)
    scene.scenario.items.size = .constant(900_000_000)
    let timeline = try timeline(scene)
    let death = timeline.identifiers.points.first { $0.at > 0 && $0.value == 0 }
    #expect(death?.at ?? 0 >= 600_000 && death?.at ?? 0 < 601_000, "\(timeline.identifiers)")
  }

  @Test func `conditions are spans of the scenario's`() throws {
    var scene = try ReportScene(oneByOne: 2)
    scene.scenario = .standard
    scene.scenario.items = .init(count: 60, size: .constant(400_000_000))
    let timeline = try timeline(scene)
    #expect(timeline.conditions.first?.content.network == .cellular)
    #expect(timeline.conditions.contains { $0.content.network == .wifi })
    #expect(timeline.conditions.last?.to == timeline.length)
  }

  @Test func `a run without a trace has an empty timeline`() throws {
    let scene = try ReportScene(oneByOne: 2)
    let result = try Simulation(scene.simulated, scene.scenario).run(seed: 1, isTraced: false)
    let timeline = Timeline(result.trace, of: scene.pipeline, from: result.start)
    #expect(timeline.life.isEmpty && timeline.items.isEmpty && timeline.length == 0)
  }
}

struct TraceLinesTests {
  @Test func `each event is a JSON object with its time and its name, in order`() throws {
    let scene = try ReportScene(ReportScene.shortLived, items: 6)
    let result = try scene.result()
    let text = TraceLines(scene.pipeline, from: result.start).render(result.trace)
    let lines = text.split(separator: "\n")
    #expect(lines.count == result.trace.events.count)
    var last = 0.0
    var names: Set<String> = []
    for line in lines {
      let event = try #require(try Value(json: String(line)).mapValue)
      let time: Double =
        switch event["t"] {
        case .double(let time): time
        case .int(let time): Double(time)
        default: -1
        }
      #expect(time >= last)
      last = time
      names.insert(try #require(event["event"]?.stringValue))
    }
    for name in [
      "process-began", "app", "conditions", "sent", "answered", "transfer-queued",
      "transfer-held", "transfer-moves", "transfer-gone", "woken", "disk",
      "allowance-granted", "suspended", "reissued", "item-left", "ended",
    ] {
      #expect(names.contains(name), "\(name)")
    }
  }
}
