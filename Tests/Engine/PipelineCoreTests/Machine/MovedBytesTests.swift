import CEL
import MachineSupport
import PipelineCore
import Testing

/// Bytes that items move are counted once, wherever they are moved.
struct MovedBytesTests {
  @Test func `bytes moved again by a repeat count once, and a local file does not count`() {
    let run = begun()
    #expect(moved(run) == 0)
    move(run, "upload", to: 60)
    run.answer("upload", of: 0, .retry(Failure("503", status: 503)), at: 4)
    #expect(moved(run) == 60)
    run.send(.timerFired, at: 100)
    move(run, "upload", to: 250)
    run.answer("upload", of: 0, .ok(), at: 101)
    run.answer("finalize", of: 0, .ok(), at: 102)
    #expect(run.row(0).status == .done)
    #expect(run.row(0).bytesMoved == 250)
    #expect(run.machine.state.loops[0].bytesMoved == 250)
    run.pass()
  }

  @Test func `bytes an item moved before it failed count, and its retry adds the new ones`() {
    let run = begun()
    move(run, "upload", to: 60)
    run.answer("upload", of: 0, .fail(Failure("403", status: 403)), at: 4)
    #expect(moved(run) == 60)
    #expect(run.machine.state.loops[0].bytesMoved == 60)
    run.pass()
  }

  @Test func `an attempt that is not in flight moves nothing`() {
    let run = begun()
    let old = EffectID(
      run: run.machine.state.id, item: ItemKey(loop: 0, ordinal: 0), step: 3, generation: 7,
      attempt: 1)
    run.send(.moved(old, from: 0, to: 60), at: 4)
    #expect(moved(run) == 0)
    run.pass()
  }

  @Test func `each turn moves its own piece, and a piece whose response was lost counts once`() {
    let run = RunHarness(SmallPipelines.pieces(hasResync: true), files: [20])
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("create", of: 0, .upload("u1", at: 1), at: 1)
    move(run, "send", to: 10)
    run.answer("send", of: 0, .lost, at: 2)
    run.send(.timerFired, at: 12)
    let found = StepResult(outputs: [OutputValue(value: .int(1))], status: 200)
    run.answer("sent", of: 0, .success(found), at: 14)
    move(run, "send", to: 10)
    run.answer("send", of: 0, .ok(), at: 15)
    #expect(moved(run) == 20)
    run.pass()
  }

  @Test func `a server that has nothing of a piece gets it again, and it counts once`() {
    let run = RunHarness(SmallPipelines.pieces(hasResync: true), files: [20])
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("create", of: 0, .upload("u1", at: 1), at: 1)
    move(run, "send", to: 10)
    run.answer("send", of: 0, .lost, at: 2)
    run.send(.timerFired, at: 12)
    let found = StepResult(outputs: [OutputValue(value: .int(0))], status: 200)
    run.answer("sent", of: 0, .success(found), at: 14)
    move(run, "send", to: 10)
    #expect(moved(run) == 10)
    run.pass()
  }

  /// A run whose item is being uploaded.
  private func begun() -> RunHarness {
    let run = RunHarness(SmallPipelines.photos(), files: [100])
    run.send(.runBegan, at: 0)
    run.answer("sign_in", .token("t1"), at: 1)
    run.load()
    run.answer("allocate", of: 0, .upload("u1", at: 2), at: 2)
    run.answer("body", of: 0, .file(250), at: 3)
    run.pass()
    return run
  }

  private func move(_ run: RunHarness, _ step: String, to end: Int64) {
    guard let id = run.inFlight(step, of: 0) else {
      Issue.record("'\(step)' is not in flight")
      return
    }
    run.send(.moved(id, from: 0, to: end))
  }

  private func moved(_ run: RunHarness) -> Int64? {
    run.machine.state.loops[0].active[0]?.bytesMoved
      ?? run.machine.state.loops[0].bytesMoved
  }
}
