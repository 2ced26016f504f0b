import CEL
import MachineSupport
import PipelineCore
import Testing

/// The effects of a replaced result on the server are undone when its item ends.
struct RemnantTests {
  @Test func `a replaced result is undone once, after the item's own work`() {
    let run = replaced()
    #expect(
      run.machine.state.loops[0].active[0]?.remnants.first?.frame[0].outputs.first?.value == "a")
    run.answer("send", of: 0, .ok(), at: 4)
    run.expect("undo 0/0 #0")
    #expect(run.blocker(0) == .compensation())
    run.answer("undo", of: 0, .ok(), at: 5)
    run.expect("stop")
    #expect(run.row(0).status == .done)
    #expect(run.row(0).reason == nil)
    #expect(run.row(0).remnants.isEmpty)
    run.finish()
  }

  @Test func `undoing is retried with back-off, and continues in the next process`() {
    let run = replaced()
    run.answer("send", of: 0, .ok(), at: 4)
    run.pass()
    run.crash(at: 5)
    run.expect("undo 0/0 #0")
    run.answer("undo", of: 0, .busy, at: 6)
    run.expect("timer 7.0")
    run.crash(at: 6.5)
    run.expect("timer 7.0")
    run.send(.timerFired, at: 7)
    run.expect("undo 0/0 #0")
    run.answer("undo", of: 0, .ok(), at: 8)
    run.expect("stop")
    #expect(run.row(0).status == .done)
  }

  @Test func `a complete item stays complete when the server refuses, and reports its leftovers`() {
    let run = replaced()
    run.answer("send", of: 0, .ok(), at: 4)
    run.answer("undo", of: 0, .fail(Failure("DELETE returned 403", status: 403)), at: 5)
    #expect(run.row(0).status == .done)
    #expect(run.row(0).reason?.message == "not undone at the server: DELETE returned 403")
    #expect(run.machine.state.loops[0].leftAtServer == 0)
    #expect(run.machine.state.status == .finished)
  }

  @Test func `the same effect again is not undone, nor one that may have existed before`() {
    let same = replaced(by: .upload("a", at: 3))
    same.answer("send", of: 0, .ok(), at: 4)
    same.expect("stop")
    #expect(same.row(0).status == .done)
    let conflict = StepResult(outputs: [OutputValue(value: .string("theirs"))], status: 409)
    let foreign = replaced(by: .success(conflict))
    foreign.answer("send", of: 0, .ok(), at: 4)
    foreign.expect("stop")
    #expect(foreign.row(0).status == .done)
  }

  @Test func `an effect that a later response may have found is not undone`() {
    for answer in [Verdict.itemDone, .itemSkipped(Failure("it is there"))] {
      let run = replaced(by: answer)
      run.expect("stop")
      #expect(run.inFlight("undo", of: 0) == nil)
      #expect(run.row(0).remnants.isEmpty)
    }
  }

  @Test func `an item that fails is undone together with earlier replaced results`() {
    let run = replaced()
    run.answer("send", of: 0, .fail(Failure("no")), at: 4)
    run.expect("undo 0/0 #0")
    #expect(run.machine.state.loops[0].active[0]?.abandoning?.index == 0)
    run.answer("undo", of: 0, .ok(), at: 5)
    run.expect("undo 0/0 #0")
    #expect(run.machine.state.loops[0].active[0]?.abandoning?.index == 1)
    run.answer("undo", of: 0, .fail(Failure("403")), at: 6)
    run.expect("stop")
    #expect(run.row(0).status == .failed)
    #expect(run.row(0).isLeftAtServer)
    #expect(run.row(0).remnants.count == 1)
    // Cancelling retries the leftovers, and nothing else.
    run.send(.cancelRequested, at: 7)
    run.load()
    run.pass()
    run.answer("undo", of: 0, .ok(), at: 8)
    run.expect("stop")
    #expect(run.row(0).status == .failed)
    #expect(!run.row(0).isLeftAtServer)
    #expect(run.row(0).remnants.isEmpty)
  }

  @Test func `a paused item remembers replaced results`() {
    let run = replaced()
    run.answer("send", of: 0, .pause(Failure("look")), at: 4)
    run.expect("stop")
    #expect(run.row(0).remnants.count == 1)
    run.retry(at: 5)
    run.load()
    run.pass()
    run.answer("send", of: 0, .ok(), at: 6)
    run.expect("undo 0/0 #0")
  }

  @Test func `nothing waits for it but the end of the run`() {
    let run = replaced(SmallPipelines.sessions(concurrency: 1, close: true), files: [1, 1])
    run.answer("send", of: 0, .ok(), at: 4)
    run.expect("undo 0/0 #0")
    run.answer("undo", of: 0, .retry(Failure("503"), after: Instant(milliseconds: 90_000)), at: 5)
    run.expect("0/1 open 1.1", "timer 90.0")
    run.answer("open", of: 1, .upload("c", at: 5), at: 6)
    run.pass()
    run.answer("send", of: 1, .ok(), at: 7)
    run.expect("run close 1.1")
    run.answer("close", .ok(), at: 8)
    run.expect()
    #expect(run.machine.state.status == .running)
    #expect(run.blocker() == .loop(0))
    run.send(.timerFired, at: 90)
    run.expect("undo 0/0 #0")
    run.answer("undo", of: 0, .ok(), at: 91)
    run.expect("stop")
    #expect(run.machine.state.status == .finished)
  }

  @Test func `the step after the loop starts as soon as the last item is complete`() {
    let run = replaced(SmallPipelines.sessions(close: true))
    run.answer("send", of: 0, .ok(), at: 4)
    run.expect("undo 0/0 #0", "run close 1.1")
  }

  @Test func `it counts towards the rates as any other request`() {
    let rate = Rate(name: Rate.ofAllRequests, requests: 1, period: .seconds(1))
    let run = replaced(SmallPipelines.sessions(rates: [rate]))
    run.answer("send", of: 0, .ok(), at: 3.2)
    run.expect("timer 4.0")
    run.send(.timerFired, at: 4)
    run.expect("undo 0/0 #0")
  }

  /// A run whose first item has a session in the place of one that the server had forgotten.
  private func replaced(
    _ pipeline: Pipeline = SmallPipelines.sessions(), files: [Int64] = [1],
    by answer: Verdict = .upload("b", at: 3)
  ) -> RunHarness {
    let run = RunHarness(pipeline, files: files)
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("open", of: 0, .upload("a", at: 1), at: 1)
    run.answer("send", of: 0, .expired(step: 0, Failure("404", status: 404)), at: 2)
    run.pass()
    run.answer("open", of: 0, answer, at: 3)
    if answer.isGood { run.expect("0/0 send 2.1") }
    return run
  }
}

extension Verdict {
  fileprivate var isGood: Bool {
    if case .success = self { true } else { false }
  }
}
