import CEL
import MachineSupport
import PipelineCore
import Testing

/// Parts whose item goes back to an earlier step, and parts that another process adopts.
struct PartRewindTests {
  private func begun(_ pipeline: Pipeline, files: Int = 1) -> RunHarness {
    let run = RunHarness(pipeline, files: Array(repeating: 10, count: files))
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("open", of: 0, .upload("u1", at: 1), at: 1)
    run.pass()
    return run
  }

  private let gone = Verdict.expired(step: 0, Failure("404", status: 404))

  @Test func `parts can be the first step of an item`() {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("file")
    builder.parts("parts", "part", in: "[1, 2]")
    builder.step("put", .request(RequestTemplate(url: builder.template("${{ inputs.server }}"))))
    builder.endParts(collect: [:])
    builder.step("finish", .request(RequestTemplate(url: builder.template("http://h"))))
    builder.endLoop()
    let run = RunHarness(builder.pipeline(), files: [1])
    run.send(.runBegan, at: 0)
    run.load()
    run.expect("load 0 pending > -1", "0/0.0 put 1.1", "0/0.1 put 1.1")
  }

  // MARK: Going back

  @Test func `rows of parts are dropped when all start over`() {
    let run = begun(SmallPipelines.listed())
    run.answer("put", part: 0, .ok(), at: 2)
    #expect(run.world.rows.parts.count == 1)
    run.answer("put", part: 1, gone, at: 3)
    run.answer("open", of: 0, .upload("u2", at: 4), at: 4)
    #expect(run.world.rows.parts.isEmpty)
    #expect(run.inFlight("put", part: 0) != nil)
  }

  @Test func `a probe that finds a part done lets the others resume`() {
    let run = begun(SmallPipelines.listed(hasProbe: true))
    run.answer("put", part: 1, .lost, at: 2)
    run.send(.timerFired, at: 3)
    run.expect("timer 3.0", "probe 0/0.1 put 1.2")
    run.answer("put", part: 0, gone, at: 4)
    run.expect("interrupt 0/0.1 put 1.2")
    // The session existed when it was sent, so it exists.
    run.answer("put", part: 1, .ok(), at: 5)
    run.expect("0/0.0 put 1.2")
    run.answer("put", part: 0, .ok(), at: 6)
    run.expect("0/0 finish 1.1")
  }

  @Test func `parts that start over have their own list, and later ones then theirs`() {
    let run = begun(SmallPipelines.twoLists("[1, 2]", "['a', 'b']"))
    for part in 0...1 { run.answer("put", part: part, .ok(), at: 2) }
    run.pass()
    run.answer("check", part: 0, gone, at: 3)
    run.answer("check", part: 1, .interrupted, at: 4)
    run.expect("interrupt 0/0.1 check 1.1", "0/0 open 2.1")
    run.answer("open", of: 0, .upload("u2", at: 5), at: 5)
    run.expect("0/0.0 put 1.1", "0/0.1 put 1.1")
    for part in 0...1 { run.answer("put", part: part, .ok(), at: 6) }
    #expect(run.step("first", of: 0)?.outputs.map(\.value) == [.list([1, 2])])
    run.expect("0/0.0 check 1.2", "0/0.1 check 1.2")
    run.answer("check", part: 0, .ok(), at: 7)
    #expect(run.step("second", of: 0)?.parts?.collected == [0: ["a"]])
  }

  @Test func `an item that ends at an earlier step leaves its parts, while it is undone`() {
    let run = begun(SmallPipelines.listed(looks: true, undo: true))
    run.answer("look", of: 0, .ok(), at: 2)
    run.answer("put", part: 0, gone, at: 3)
    run.answer("put", part: 1, .interrupted, at: 3)
    run.answer("open", of: 0, .upload("u2", at: 4), at: 4)
    run.answer("look", of: 0, .ok(), at: 5)
    run.answer("put", part: 0, .expired(step: 1, Failure("409", status: 409)), at: 6)
    run.answer("put", part: 1, .interrupted, at: 6)
    run.pass()
    run.answer("look", of: 0, .itemDone, at: 7)
    run.expect("undo 0/0 #0")
    #expect(run.waitingParts().isEmpty)
    run.answer("undo", of: 0, .ok(), at: 8)
    #expect(run.row(0).status == .done)
  }

  // MARK: Another process, or another try

  @Test func `transfers of parts are adopted by the next process`() {
    let run = begun(SmallPipelines.listed(uploads: true))
    run.crash(at: 3)
    run.expect("adopt 0/0.0 put 1.1", "adopt 0/0.1 put 1.1")
  }

  @Test func `a list that was lost because it was secret is asked for again`() {
    let run = RunHarness(SmallPipelines.listed("steps.open.list"), files: [10])
    run.send(.runBegan, at: 0)
    run.load()
    let list = OutputValue(value: .list([1, 2]), isSecret: true)
    run.answer("open", of: 0, .ok(OutputValue(value: "u"), list), at: 1)
    run.answer("put", part: 0, .pause(Failure("look")), at: 2)
    run.answer("put", part: 1, .interrupted, at: 2)
    run.retry(at: 3)
    run.pass()
    // A store does not return secrets.
    run.send(.itemsLoaded(loop: 0, run.world.rows.stored.items[0], isLast: true), at: 3)
    run.expect("0/0 open 2.1")
    run.answer("open", of: 0, .ok(OutputValue(value: "u"), list), at: 4)
    run.expect("0/0.0 put 1.1", "0/0.1 put 1.1")
  }

  /// The longer delay is one that continuing the run skips.
  @Test(arguments: [9, 60])
  func `parts of an item that waits for a place wait with it, regardless of their delay`(
    seconds: Int64
  ) {
    let run = RunHarness(SmallPipelines.listed(), files: [10, 10])
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("open", of: 0, .busy, at: 1)
    run.answer("open", of: 1, .upload("u1", at: 1), at: 1)
    let moment = Instant(milliseconds: seconds * 1000)
    run.answer("put", part: 0, of: 1, .retry(Failure("503", status: 503), after: moment), at: 2)
    run.send(.pauseRequested(Failure("^C")), at: 3)
    run.answer("put", part: 1, of: 1, .interrupted, at: 3)
    run.pass()
    run.send(.unpaused, at: 4)
    run.expect("0/0 open 1.2")
    #expect(run.blocker(1) == .concurrency(limit: 1))
    run.send(.timerFired, at: Double(seconds))
    run.expect()
  }
}
