import Foundation
import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import TestSupport
import Testing

/// The behavior of uploads on phones, shown by the pipelines and scenarios of `Pipelines/stories`.
struct StoriesTests {
  private func text(_ name: String, _ overrides: [String]) throws -> String {
    var text = try TestFiles.text("Pipelines/\(name).yaml")
    for override in overrides {
      text = try #require(DocumentOverride(override)).applied(to: text).text
    }
    return text
  }

  private func pipeline(_ name: String, _ overrides: [String] = []) throws -> SimulatedPipeline {
    let result = PipelineDocument.load(
      bytes: try text(name, overrides).utf8, file: "Pipelines/\(name).yaml")
    return try #require(result.simulated, "\(result.diagnostics)")
  }

  private func scenario(_ name: String, _ overrides: [String] = []) throws -> Scenario {
    let result = ScenarioDocument.load(
      bytes: try text("stories/\(name)", overrides).utf8, file: "Pipelines/stories/\(name).yaml")
    return Scenario(try #require(result.document, "\(result.diagnostics)"))
  }

  private func run(
    _ name: String, _ overrides: [String] = [], in scenario: Scenario, isTraced: Bool = false
  ) throws -> SimulationResult {
    try Simulation(try pipeline(name, overrides), scenario).run(seed: 1, isTraced: isTraced)
  }

  @Test func `all files of the folder are described here`() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: TestFiles.root.appending(path: "Pipelines/stories").path)
    let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let untold = files.filter {
      !source.contains("\"\($0.dropLast(5))\"") && !source.contains("\"stories/\($0.dropLast(5))\"")
    }
    #expect(untold == [])
  }

  @Test(arguments: [(1, 4, 900), (5, 0, 0)])
  func `a: five requests one by one are delayed by 15 min, and five at once not at all`(
    concurrency: Int, resumesBetween: Int, delay: Int
  ) throws {
    let result = try run(
      "one-by-one", ["file.concurrency=\(concurrency)"], in: try scenario("five-files"))
    #expect(result.summary.counts[.done] == 5)
    #expect(result.summary.wakes == resumesBetween + 1)
    #expect(result.summary.addedWait == .seconds(delay))
  }

  @Test func `b: a thousand photos one at a time never finish`() throws {
    let result = try run("one-by-one", in: try scenario("thousand-photos"))
    #expect(result.summary.outcome == .outOfTime)
    #expect((result.summary.counts[.done] ?? 0) < 200)
    #expect(!result.isSound)
  }

  @Test func `b: a hundred at a time arrive in a day, with less than 8.5 h of delay`() throws {
    let result = try run(
      "one-by-one", ["file.concurrency=100"], in: try scenario("thousand-photos"))
    #expect(result.summary.counts[.done] == 1000)
    #expect(result.summary.addedWait <= .seconds(60 * ((1 << 9) - 1)))
    #expect(result.summary.deviceTime < .seconds(86400))
  }

  @Test func `b: under a disk budget more at once is better until the budget is full`() throws {
    let scenario = try scenario("thousand-photos", ["items.count=200"])
    let ends = try [8, 25, 50, 100].map { concurrency in
      try run(
        "photos", ["photo.concurrency=\(concurrency)", "budgets.disk=100 MB"], in: scenario)
    }
    // A photo holds 4 MB, its digest and its body, so that 25 fill the budget.
    let fractions = ends.map { $0.summary.counts[.done] ?? 0 }
    #expect(fractions[0] < 200)
    #expect(fractions[1...] == [200, 200, 200])
    for end in ends { #expect(end.summary.peakDiskBytes <= 100_000_000) }
  }

  @Test func `c: IDs that are valid for an hour expire in a queue of a day, and are reissued`()
    throws
  {
    let result = try run("photos", in: try scenario("short-lived-ids"))
    #expect(result.summary.counts[.done] == 60)
    #expect((result.summary.reissues[StepID("allocate")] ?? 0) > 10)
    #expect(result.summary.bytesWasted > 100_000_000)
  }

  @Test func `c: a transfer that ends before its ID expires is never sent with an expired one`()
    throws
  {
    let scenario = try scenario("short-lived-ids")
    let patient = try run("photos", in: scenario)
    let result = try run("photos", ["upload.upload.resource_timeout=50m"], in: scenario)
    #expect(patient.summary.reissueCauses.keys.contains { $0.contains("404") })
    #expect(result.summary.reissueCauses.keys.allSatisfy { !$0.contains("404") })
    #expect(result.summary.bytesWasted * 2 < patient.summary.bytesWasted)
    #expect(result.summary.counts[.failed] == nil)
  }

  @Test func `d: a token that expires in the queue costs resumes, and each doubles the delay`()
    throws
  {
    let expiring = try run("photos", in: try scenario("token-in-queue"))
    let lasts = try run(
      "photos", in: try scenario("token-in-queue", ["server.lifetimes.sign_in=30d"]))
    #expect(lasts.summary.counts[.done] == 40)
    #expect(lasts.summary.reissues.isEmpty)
    #expect((expiring.summary.reissues[StepID("sign_in")] ?? 0) > 1)
    #expect(expiring.summary.wakes > lasts.summary.wakes)
    #expect(expiring.summary.addedWait >= lasts.summary.addedWait * 2)
  }

  /// The result of a life of `renewed`.
  private struct Renewed {
    let result: SimulationResult
    /// Transfers that were handed over.
    let transfers: Int
    /// Resume delays, in seconds, as they were after each resume.
    let delays: [Int64]

    init(_ result: SimulationResult) {
      self.result = result
      transfers = result.trace.events.count {
        if case .transferQueued = $0.fact { true } else { false }
      }
      delays = result.trace.events.compactMap {
        if case .device(.woken(let delay)) = $0.fact { delay.components.seconds } else { nil }
      }
    }
  }

  private func renewed(_ overrides: String...) throws -> Renewed {
    let result = try run(
      "stories/renewed", overrides, in: try scenario("queue-of-an-hour"), isTraced: true)
    #expect(result.summary.counts[.done] == 16)
    return Renewed(result)
  }

  @Test func `d: cancelling and queueing again doubles the delay each time, as in RL4`() throws {
    let recreated = try renewed("send.upload.renew=[]")
    let summary = recreated.result.summary
    let refusals = try #require(summary.reissueCauses["answered 401"])
    #expect(recreated.transfers > 16)
    // Each resume doubles the delay, which holds the queued transfers.
    #expect(recreated.delays == (0..<recreated.delays.count).map { 60 << $0 })
    #expect(recreated.delays.count > refusals)
    #expect((summary.stalls["RL4"] ?? .zero) > .zero)
    #expect(summary.addedWait >= .seconds(60 * ((1 << refusals) - 1)))
    #expect(summary.renewals == 0)
  }

  @Test func `d, RL5, RL6: a challenge is answered within the transfer, and RL4 holds nothing`()
    throws
  {
    let challenged = try renewed()
    let summary = challenged.result.summary
    #expect(summary.renewals > 0)
    #expect(challenged.transfers == 16)
    #expect(summary.stalls["RL4"] == nil)
    #expect(summary.addedWait == .zero)
    // The resume counts all the same.
    #expect(challenged.delays == (0..<challenged.delays.count).map { 60 << $0 })
    #expect(challenged.delays.count > 1)
    let recreated = try renewed("send.upload.renew=[]")
    #expect(summary.deviceTime < recreated.result.summary.deviceTime)
  }

  @Test func `d, TX14: a fresh request at the start costs neither a doubling nor a refusal`()
    throws
  {
    let begun = try renewed("send.upload.renew=[begin]", "send.upload.earliest=35m")
    let summary = begun.result.summary
    #expect(summary.renewals == 16)
    #expect(begun.transfers == 16)
    #expect(summary.stalls["RL4"] == nil)
    #expect(summary.addedWait == .zero)
    // Only the end of all transfers counts.
    #expect(begun.delays.last == 60)
    #expect(summary.bytesWasted == 0)
    #expect(begun.result.trace.responses.values.allSatisfy { $0.status != 401 })
  }

  @Test func `e: more than five gigabytes a day wait for the next day`() throws {
    let result = try run("stories/discretionary", in: try scenario("ten-gigabytes"))
    #expect(result.isSound, "\(result.properties)")
    // Whenever a day's bytes are used up, nothing moves for a day. The upload that this cuts starts over, since the server does
    // not let the device resume it (TX9), so there are more than ten gigabytes to send.
    #expect(result.summary.bytesWasted > 0)
    #expect(result.summary.stalls["DI4"] == .seconds(2 * 86400))
  }

  @Test func `f: transfers that may wait wait for the charger`() throws {
    let result = try run("stories/discretionary", in: try scenario("until-the-night"))
    #expect(result.isSound, "\(result.properties)")
    // From the morning on until the charger is there.
    #expect(result.summary.stalls["DI3"] == .seconds(15 * 3600))
  }

  @Test func `g: 30 s are not enough to finalize a hundred items one by one`() throws {
    let result = try run(
      "stories/finalized", in: try scenario("thirty-seconds"))
    #expect(result.summary.outcome == .outOfTime)
    #expect(result.summary.wakes == 1)
    let left =
      result.summary.counts[.active, default: 0] + result.summary.counts[.pending, default: 0]
    #expect((70..<80).contains(left))
    #expect(result.obstacles.contains { $0.message.contains("allowance for 'finalize'") })
  }

  @Test func `g: finalized in batches, all are done in the first resume`() throws {
    let result = try run("batched-finalize", in: try scenario("thirty-seconds"))
    #expect(result.summary.counts[.done] == 100)
    #expect(result.summary.wakes == 1)
    #expect(result.summary.addedWait == .zero)
  }

  @Test func `h: all small pictures arrive before the first photo`() throws {
    var scenario = Scenario.leftAlone
    scenario.items.count = 50
    let result = try run("stories/gallery", in: scenario, isTraced: true)
    #expect(result.summary.counts[.done] == 50)
    let steps = result.trace.exchanges.map { $0.request.url.contains("small-") }
    // Four are under way at once: a started transfer is not stopped for a higher priority.
    let last = try #require(steps.lastIndex(of: true))
    #expect(steps[...last].count { !$0 } <= 4)
  }

  @Test func `i: when the app is swiped away and opened again, nothing is lost`() throws {
    let file = "Pipelines/scenarios/force-quitter.yaml"
    let document = try #require(
      ScenarioDocument.load(bytes: try TestFiles.text(file).utf8, file: file).document)
    let result = try run("photos", in: Scenario(document))
    #expect(result.isSound, "\(result.properties)")
    #expect(result.summary.counts[.failed] == nil)
  }

  @Test func `j: of two sessions with one identifier, the app's does not get an event`() throws {
    let scenario = try scenario("two-sessions")
    let result = try run("photos", in: scenario, isTraced: true)
    let taken = result.start + .seconds(60)
    let arrived = result.trace.exchanges.filter { $0.file != nil && $0.at > taken }
    #expect(!arrived.isEmpty)
    #expect(result.summary.completions.allSatisfy { $0 < .seconds(60) })
    #expect((result.summary.counts[.done] ?? 0) < 12)
    #expect(!result.isSound)
    #expect(result.obstacles.first?.rule == "TX3")
  }

  @Test func `j: the next process makes one session, and gets all events`() throws {
    var scenario = try scenario("two-sessions")
    scenario.timeline.append(TimelineEntry(.day(3, .seconds(43200)), .action(.systemKill)))
    let result = try run("photos", in: scenario)
    #expect(result.isSound, "\(result.properties)")
    #expect(result.summary.counts[.done] == 12)
    #expect(result.summary.deviceTime > .seconds(2 * 86400))
  }

  @Test func `k: updates of the app end its process, and no transfer`() throws {
    let result = try run("photos", in: try scenario("updates"))
    #expect(result.isSound, "\(result.properties)")
    #expect(result.summary.counts[.done] == 24)
    #expect(result.summary.bytesWasted == 0)
  }

  @Test func `l: a small file is here within the half minute of a background fetch`() throws {
    let result = try run("stories/fetch", in: try scenario("half-a-minute"))
    #expect(result.summary.outcome == .rested)
    #expect(result.summary.deviceTime < .seconds(30))
    #expect(result.summary.bytesSent == 40_000)
  }

  @Test
  func `m: a large file arrives while the app is suspended, and is reported after one resume`()
    throws
  {
    let result = try run("stories/film", in: .leftAlone, isTraced: true)
    #expect(result.summary.outcome == .rested)
    #expect(result.summary.wakes == 1)
    #expect(result.summary.peakDiskBytes == 2_000_000_000)
    #expect(result.trace.exchanges.last?.request.url.hasSuffix("/seen") == true)
  }

  @Test func `n: a resource timeout of 60 s ends every long upload, and the checker reports it`()
    throws
  {
    var scenario = Scenario.leftAlone
    scenario.items.count = 3
    let result = try run("stories/short-timeout", in: scenario)
    #expect(result.summary.counts[.paused] == 3)
    #expect(result.summary.bytesSent == result.summary.bytesWasted)
    let text = try text("stories/short-timeout", [])
      .split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.contains("pipeline: ignore") }.joined(separator: "\n")
    let codes = PipelineDocument.load(text: text, file: "a.yaml").diagnostics.map(\.code.rawValue)
    #expect(codes == ["upload-timeout-too-short"])
  }
}
