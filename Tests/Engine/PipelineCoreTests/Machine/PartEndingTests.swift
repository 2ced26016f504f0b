import CEL
import MachineSupport
import PipelineCore
import Testing

/// How parts end, and their items with them.
struct PartEndingTests {
  /// An item with its session at 1, and its first parts in flight.
  private func sending(_ pipeline: Pipeline = SmallPipelines.listed()) -> RunHarness {
    let run = RunHarness(pipeline, files: [10])
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("open", of: 0, .upload("u1", at: 1), at: 1)
    run.pass()
    return run
  }

  private let gone = Verdict.expired(step: 0, Failure("404", status: 404))

  // MARK: One part

  @Test func `a part that is done or left out for its server is done, and waits for nothing`() {
    let run = sending()
    run.answer("put", part: 0, .itemDone, at: 2)
    #expect(run.waitingParts() == [1])
    run.answer("put", part: 1, .itemSkipped(Failure("it is there")), at: 3)
    run.expect("0/0 finish 1.1")
    #expect(run.waitingParts().isEmpty)
    #expect(run.step("parts", of: 0)?.outputs.map(\.value) == [.list([1, 2])])
  }

  @Test func `a part of which nothing can be collected fails its item`() {
    let run = sending(SmallPipelines.parts())
    // The tag that is collected is missing.
    run.answer("put", part: 0, .ok(), at: 2)
    run.expect("interrupt 0/0.1 put 1.1")
    run.answer("put", part: 1, .interrupted, at: 3)
    #expect(run.row(0).status == .failed)
    #expect(run.row(0).reason?.message.hasPrefix("part 1: ") == true)
  }

  @Test func `a value that is not a list fails the item`() {
    let run = sending(SmallPipelines.listed("1"))
    #expect(run.row(0).status == .failed)
    #expect(run.row(0).reason?.message.contains("expected a list") == true)
    #expect(run.machine.state.status == .finished)
  }

  // MARK: Several parts

  @Test(arguments: [false, true])
  func `of two parts that fail or pause the item has the reason of the first`(isFailure: Bool) {
    func end(_ text: String) -> Verdict { isFailure ? .fail(Failure(text)) : .pause(Failure(text)) }
    let run = sending()
    run.answer("put", part: 1, end("first"), at: 2)
    run.answer("put", part: 0, end("second"), at: 3)
    #expect(run.row(0).status == (isFailure ? .failed : .paused))
    #expect(run.row(0).reason?.message == "part 2: first")
  }

  @Test func `a failure outweighs the pause of an earlier part, but no pause a failure`() {
    for isFirst in [false, true] {
      let run = sending()
      let (failure, pause) = (Verdict.fail(Failure("no")), Verdict.pause(Failure("look")))
      run.answer("put", part: 1, isFirst ? failure : pause, at: 2)
      run.answer("put", part: 0, isFirst ? pause : failure, at: 3)
      #expect(run.row(0).status == .failed)
    }
  }

  @Test func `a part that succeeds although it was to be interrupted is not sent again`() {
    let run = sending(SmallPipelines.listed("[1, 2, 3]", concurrency: 3))
    run.answer("put", part: 0, .pause(Failure("look")), at: 2)
    run.expect("interrupt 0/0.1 put 1.1", "interrupt 0/0.2 put 1.1")
    run.answer("put", part: 1, .ok(), at: 3)
    #expect(run.blocker(0) == .parts(step: 1))
    #expect(run.row(0).status == .active)
    run.answer("put", part: 2, .interrupted, at: 4)
    #expect(run.row(0).status == .paused)
    run.pass()
    run.retry(at: 5)
    run.load()
    run.expect("load 0 pending > -1", "0/0.0 put 1.2", "0/0.2 put 1.2")
  }

  // MARK: Items that are abandoned or retried

  @Test func `a part whose delay ends while its item is undone does nothing`() {
    let run = sending(SmallPipelines.listed(undo: true))
    run.answer("put", part: 0, .busy, at: 2)
    run.send(.cancelRequested, at: 2.5)
    run.answer("put", part: 1, .interrupted, at: 2.6)
    run.expect("timer 3.0", "interrupt 0/0.1 put 1.1", "undo 0/0 #0")
    run.send(.timerFired, at: 3)
    run.expect()
    #expect(run.waitingParts() == [0, 1])
  }

  @Test func `an item that was paused with parts is undone when the run is cancelled`() {
    let run = sending(SmallPipelines.listed(undo: true))
    run.answer("put", part: 0, .pause(Failure("look")), at: 2)
    run.answer("put", part: 1, .interrupted, at: 3)
    run.pass()
    run.send(.cancelRequested, at: 4)
    run.load()
    run.expect("load 0 paused > -1", "undo 0/0 #0")
    #expect(run.waitingParts() == [0, 1])
    run.answer("undo", of: 0, .ok(), at: 5)
    run.expect("stop")
  }

  @Test func `parts of a retried item wait while an earlier step is reissued`() {
    let run = sending()
    run.answer("put", part: 0, gone, at: 2)
    run.answer("put", part: 1, .pause(Failure("look")), at: 3)
    #expect(run.row(0).status == .paused)
    run.pass()
    run.retry(at: 10)
    run.load()
    run.expect("load 0 pending > -1", "0/0 open 2.1")
    #expect(run.waitingParts() == [0, 1])
  }

  @Test func `a retried item makes the files of its parts again`() {
    let run = sending(SmallPipelines.parts(diskBytes: 20))
    run.answer("body", part: 0, .file(10), at: 2)
    run.answer("put", part: 0, .pause(Failure("look")), at: 3)
    run.answer("body", part: 1, .interrupted, at: 4)
    let files = run.row(0).frame[1].parts?.active[0]
    #expect(files?.map(\.reservedBytes) == [0, 0])
    #expect(files?.first?.file == nil)
    while !run.world.discards.isEmpty { run.discard() }
    run.retry(at: 5)
    run.load()
    run.pass()
    #expect(run.inFlight("body", part: 0) != nil)
  }
}
