import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import Testing

/// Lives so small that each figure of their reports can be worked out by hand, as it is in each test.
struct HandDerivedTests {
  private func simulation(
    _ pipeline: String, _ scenario: String
  ) throws -> Simulation {
    let loaded = PipelineDocument.load(text: pipeline, file: "hand.yaml")
    let world = ScenarioDocument.load(bytes: scenario.utf8, file: "hand.scenario.yaml")
    return try Simulation(
      try #require(loaded.simulated, "\(loaded.diagnostics)"),
      Scenario(try #require(world.document, "\(world.diagnostics)")))
  }

  private func uploads(_ concurrency: Int, _ members: String = "") -> String {
    """
    pipeline: uploads
    inputs: { files: { type: files } }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: \(concurrency)
        steps:
          - { id: put, upload: { url: "https://s.test/${{ item.index }}", file: "${{ file }}"\(members) } }
    """
  }

  private let copies = """
    pipeline: copies
    inputs: { files: { type: files } }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 3
        steps:
          - { id: copy, materialize: { file: "${{ file }}" } }
          - { id: put, upload: { url: "https://s.test/${{ item.index }}", file: "${{ steps.copy.file }}" } }
    """

  private func world(_ device: String, _ items: String, _ lines: String = "") -> String {
    """
    scenario: hand
    device: \(device)
    days: 1
    opening: 10s
    items: \(items)
    conditions: { network: wifi, bandwidth: 1 MB/s, power: true, battery: 1 }
    \(lines)
    """
  }

  @Test func `added wait ends where the life ends`() throws {
    let life = try simulation(uploads(1), world("ios8", "{ count: 100, size: 250 MB }"))
    let summary = life.run(seed: 1).summary
    // One by one, 250 s each: item n is there after 250·n + 60·(2^(n−1) − 1) s, item 11 after
    // 2,750 + 61,380 = 64,130 s. The wake for it is the eleventh, and delays item 12 by 60·2^10 = 61,440 s,
    // of which the day has 86,400 − 64,130 = 22,270 s left. In all 61,380 + 22,270 = 83,650 s.
    #expect(summary.counts[.done] == 11)
    #expect(summary.wakes == 11)
    #expect(summary.addedWait == .seconds(83_650))
    // The 11 · 250 s in which bytes moved are not delay: each second of the day counts once.
    #expect(summary.stalls == ["RL4": .seconds(83_650), "answer": .seconds(2750)])
  }

  @Test func `a wait that four items share counts once`() throws {
    let life = try simulation(uploads(4), world("ios8", "{ count: 4, size: 250 MB }"))
    let summary = life.run(seed: 1).summary
    // Four share 1 MB/s and are all through after 4 · 250 = 1,000 s, and are reported in one wake.
    #expect(summary.deviceTime == .seconds(1000))
    #expect(summary.stalls == ["answer": .seconds(1000)])
    #expect(summary.addedWait == .zero)
  }

  /// An upload, a poll of which the example waits until the condition no longer holds, and another upload.
  private func polled(_ waits: String) -> String {
    """
    pipeline: polled
    inputs: { files: { type: files } }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        steps:
          - { id: put, upload: { url: "https://s.test/a", file: "${{ file }}" } }
          - id: wait
            depends_on: [put]
            request: { url: "https://s.test/b", example: { json: { state: "${{ \(waits) ? 'running' : 'done' }}" } } }
            on: [{ if: "${{ response.json.state == 'running' }}", then: poll, after: 30s }]
          - { id: again, depends_on: [wait], upload: { url: "https://s.test/c", file: "${{ file }}" } }
    """
  }

  @Test func `a poll waits as long as in its example`() throws {
    let life = try simulation(
      polled("request.number < 6"),
      world("ios17", "{ count: 1, size: 10 MB }").replacing("opening: 10s", with: "opening: always")
    )
    // 10 s, five waits of 30 s, and 10 s.
    #expect(life.run(seed: 1).summary.deviceTime == .seconds(170))
    let timed = try simulation(
      polled("request.elapsed < duration('100s')"),
      world("ios17", "{ count: 1, size: 10 MB }").replacing("opening: 10s", with: "opening: always")
    )
    // The first request is there when its bytes are, at 10 s; the polls at 10, 40, 70 and 100 s wait,
    // the one at 130 s continues.
    #expect(timed.run(seed: 1).summary.deviceTime == .seconds(140))
  }

  @Test func `a transfer that starts on an idle line lasts its whole time`() throws {
    let life = try simulation(
      polled("request.number < 3"),
      world("ios17", "{ count: 1, size: 10 MB }").replacing("opening: 10s", with: "opening: always")
    )
    // 10 MB at 1 MB/s take 10 s; two polls of 30 s follow, and 10 s for the second 10 MB: 80 s.
    #expect(life.run(seed: 1).summary.deviceTime == .seconds(80))
  }

  @Test func `a transfer whose file was purged before it started sends nothing`() throws {
    let life = try simulation(
      copies,
      world(
        "ios17", "{ count: 3, size: 100 MB }",
        """
        timeline:
          - { after: 0s, for: 2m, network: none }
          - { after: 1m, do: purge_files }
        """))
    let summary = life.run(seed: 1).summary
    // At 120 s three empty transfers end at once; the wake for them delays the next three by 60 s to 180 s,
    // and 3 · 100 MB at 1 MB/s take 300 s more: 480 s, 300 MB, none of which were wasted.
    #expect(summary.counts[.done] == 3)
    #expect(summary.deviceTime == .seconds(480))
    #expect(summary.bytesSent == 300_000_000)
    #expect(summary.bytesWasted == 0)
    #expect(summary.addedWait == .seconds(60))
  }

  @Test func `bytes sent from a file that is then purged are wasted`() throws {
    let life = try simulation(
      copies,
      world(
        "ios17", "{ count: 3, size: 100 MB }", "timeline: [{ after: 1m, do: purge_files }]"))
    let summary = life.run(seed: 1).summary
    // The first three take 300 s and come to nothing; then 60 s of delay, and 300 s once more.
    #expect(summary.counts[.done] == 3)
    #expect((.seconds(660) ... .milliseconds(660_010)).contains(summary.deviceTime))
    #expect(summary.bytesSent == 600_000_000)
    #expect(summary.bytesWasted == 300_000_000)
  }

  @Test func `BT5: a refused allowance hands over transfers that wait for their earliest moment`()
    throws
  {
    let life = try simulation(
      uploads(2, ", earliest: 2h"),
      world(
        "{ profile: ios17, allowance: { refusals: 1 } }", "{ count: 2, size: 10 MB }"))
    let summary = life.run(seed: 1).summary
    // Both are with the service when the app sleeps: 7,200 s, then 2 · 10 MB at 1 MB/s.
    #expect(summary.counts[.done] == 2)
    #expect(summary.deviceTime == .seconds(7220))
    #expect(summary.wakes == 1)
    #expect(
      summary.stalls == ["TX14": .seconds(7190), "delay": .seconds(10), "answer": .seconds(20)])
  }

  @Test func `FQ4: after a restart the unlock is waited for, and each item counts once`() throws {
    let life = try simulation(
      uploads(2),
      world("ios17", "{ count: 4, size: 250 MB }", "timeline: [{ after: 100s, do: reboot }]"))
    let result = life.run(seed: 1)
    // 100 s of bytes, then the device, which has Wi-Fi, stays locked for the rest of the day.
    #expect(result.summary.stalls["DI8"] == nil)
    #expect(result.summary.stalls["FQ4"] ?? .zero > .seconds(1000))
    #expect(result.obstacles.first?.rule == "FQ4")
    // Two are with the service, and two have not started.
    #expect(result.obstacles.map(\.items).reduce(0, +) == 4, "\(result.obstacles)")
  }

  @Test func `RL4: on iOS 7 the delay holds up the resume, and its time counts as such`()
    throws
  {
    let life = try simulation(uploads(1), world("ios7", "{ count: 3, size: 250 MB }"))
    let summary = life.run(seed: 1).summary
    // The first is through after 250 s, and reported at once; the second after 500 s, and
    // reported 60 s later; the third after 560 + 250 = 810 s, and reported 120 s later.
    #expect(summary.deviceTime == .seconds(930))
    #expect(summary.addedWait == .seconds(180))
    #expect(summary.stalls == ["RL4": .seconds(180), "answer": .seconds(750)])
  }

  @Test func `a full disk is not a disk budget, and a timeline shows when it is no longer full`()
    throws
  {
    let life = try simulation(
      copies,
      world(
        "ios17", "{ count: 1, size: 10 MB }",
        """
        timeline: [{ after: 0s, for: 2h, free: 1 MB }]
        properties: [{ name: soon, eventually: "${{ items.completed == 1 }}", within: 130m }]
        """
      ).replacing("bandwidth: 1 MB/s", with: "bandwidth: 5 kB/s")
        .replacing("opening: 10s", with: "opening: always"))
    let result = life.run(seed: 1, isTraced: true)
    #expect(result.summary.stalls["disk"] == nil)
    #expect(result.summary.stalls["space"] ?? .zero > .seconds(7000), "\(result.summary.stalls)")
    let found = try #require(life.counterexample(to: "soon", seed: 1))
    #expect(
      found.timeline.contains { $0.hasSuffix("  free is no longer limited") }, "\(found.timeline)")
    #expect(found.timeline.allSatisfy { $0.split(separator: " ").count > 1 }, "\(found.timeline)")
  }

  @Test func `DI3: a requested discretionary transfer is not reported as a background one`() {
    #expect(StallCause("DI3").meaning.contains("by request"))
  }

  @Test func `a simulation that ends paused reports it, and is not a success`() throws {
    let scenario = world(
      "ios17", "{ count: 2, size: 1 MB }", "server: { faults: { server_error: 1 } }")
    let life = try simulation(
      uploads(2) + "\nretry: { standard: { attempts: 2, jitter: none } }\n",
      scenario.replacing("opening: 10s", with: "opening: always"))
    let result = life.run(seed: 1, isTraced: true)
    // Two attempts each, all answered 503: both items wait for the user.
    #expect(result.summary.counts[.paused] == 2)
    #expect(result.summary.isPaused)
    let heading = SimulationReport.Heading(pipeline: "uploads", scenario: "hand", device: "ios17")
    let report = SimulationReport(heading, life.pipeline, result)
    #expect(!report.isPassed)
    #expect(report.text().contains("(paused: it waits for the user)"), "\(report.text())")
  }
}
