import MachineSupport
import PipelineCore
import Testing

/// Shards of a run in which something is done once: by the lead, for all of them.
struct LeadTests {
  private static let pipeline = SmallPipelines.opened()
  private static let led = Shard(1, of: 2)

  /// A lead that has opened the album and waits for the others.
  private func waitingLead() -> RunHarness {
    let lead = RunHarness(Self.pipeline, shard: Shard(stored: Shard.leadNumber, of: 2))
    lead.send(.runBegan, at: 0)
    lead.expect("run open 1.1")
    lead.answer("open", .upload("a", at: 1), at: 1)
    lead.expect("enumerate 0")
    lead.send(.enumerationFailed(loop: 0, Failure("the others work")), at: 1)
    lead.expect("stop")
    #expect(lead.machine.state.status == .paused)
    return lead
  }

  @Test func `run-level results are known`() {
    #expect(Self.pipeline.hasLead)
    #expect(Self.pipeline.runSteps.map(Self.pipeline.isOncePerRun) == [true, true])
    #expect(Self.pipeline.runSteps.map(Self.pipeline.isAfterLoop) == [false, true])
    #expect(!Self.pipeline.isOncePerRun(Self.pipeline.loops[0].steps[0]))
    #expect(!SmallPipelines.single().hasLead)
  }

  @Test func `a lead continues after the loop when the others are done`() {
    let lead = waitingLead()
    lead.send(.unpaused, at: 5)
    lead.expect("enumerate 0")
    lead.enumerate(0, [])
    lead.expect("run close 1.1")
    lead.answer("close", .ok(), at: 6)
    lead.expect("stop")
    #expect(lead.machine.state.status == .finished)
  }

  @Test func `a shard uses the lead's results, and leaves the steps after the loop`() {
    let shard = RunHarness(
      Self.pipeline, files: [1], shard: Self.led, frame: waitingLead().machine.state.frame)
    shard.send(.runBegan, at: 2)
    shard.expect("load 0 pending > -1")
    shard.load()
    shard.expect("0/0 send 1.1")
    shard.answer("send", of: 0, .ok(), at: 3)
    shard.expect("stop")
    #expect(shard.machine.state.status == .finished)
    #expect(shard.step("close")?.status == .pending)
  }

  @Test func `a shard does not recreate the lead's results, but stops`() {
    let shard = RunHarness(
      Self.pipeline, files: [1], shard: Self.led, frame: waitingLead().machine.state.frame)
    // The album lasts for ten minutes.
    shard.send(.runBegan, at: 700)
    shard.load()
    shard.pass()
    #expect(shard.machine.state.status == .paused)
    #expect(shard.machine.state.reason?.message.contains("'open' is done once per run") == true)
    #expect(shard.machine.inFlight.isEmpty)
    #expect(shard.blocker() == .stopped)
  }

  @Test func `a lead makes its result again while no shard can have used it`() {
    let lead = RunHarness(
      SmallPipelines.opened(isNamed: true), shard: Shard(stored: Shard.leadNumber, of: 2))
    lead.send(.runBegan, at: 0)
    lead.answer("open", .upload("a", at: 1), at: 1)
    lead.expect("run open 1.1", "run name 1.1")
    lead.answer("name", .expired(step: 0, Failure("404", status: 404)), at: 2)
    lead.expect("run open 2.1")
  }

  @Test func `a lead does not recreate results that the others have used, but stops`() {
    let lead = waitingLead()
    lead.send(.unpaused, at: 700)
    lead.expect("enumerate 0")
    lead.enumerate(0, [])
    lead.expect("stop")
    #expect(lead.machine.state.status == .paused)
    #expect(lead.machine.state.reason?.message.contains("'open' is done once per run") == true)
    #expect(lead.blocker() == .stopped)
  }

  @Test func `a step that the lead left out stays so when a shard signs in again`() {
    let pipeline = SmallPipelines.optionallyOpened()
    let lead = RunHarness(pipeline, shard: Shard(stored: Shard.leadNumber, of: 2))
    lead.send(.runBegan, at: 0)
    lead.answer("sign_in", .token("user"), at: 1)
    #expect(lead.step("open")?.status == .skipped)
    // A store does not return secrets.
    let frame = lead.machine.state.stored.frame
    let shard = RunHarness(pipeline, files: [1], shard: Self.led, frame: frame)
    shard.send(.runBegan, at: 2)
    shard.load()
    shard.expect("load 0 pending > -1", "run sign_in 2.1")
    shard.answer("sign_in", .token("user", at: 3), at: 3)
    shard.expect("0/0 send 1.1")
    #expect(shard.step("open")?.status == .skipped)
  }

  /// Its items are known, or still to be listed.
  @Test(arguments: ["inputs.files", "[1, 2]"])
  func `a shard without the lead's results does not start`(list: String) {
    let shard = RunHarness(SmallPipelines.opened(list: list), files: [1], shard: Self.led)
    shard.send(.runBegan, at: 0)
    shard.expect("stop")
    #expect(shard.machine.state.status == .paused)
  }
}
