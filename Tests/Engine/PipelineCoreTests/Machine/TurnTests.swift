import CEL
import MachineSupport
import PipelineCore
import Testing

/// Steps that run in turns, and a server that reports its progress.
struct TurnTests {
  @Test func `each turn is a generation of its steps, and later steps wait for the last`() {
    let run = sending(resync: false)
    run.expect("0/0 send 1.1")
    run.answer("send", of: 0, .ok(), at: 2)
    run.expect("0/0 send 2.1")
    #expect(values(run) == [.int(1)])
    run.answer("send", of: 0, .ok(), at: 3)
    run.expect("0/0 finish 1.1")
    #expect(run.step("sent", of: 0)?.isOver == true)
  }

  @Test func `after a lost response the server is asked, and has the piece`() {
    let run = sending(resync: true)
    lose(run, .lost, at: 2)
    run.expect("0/0 sent 2.1")
    run.answer("sent", of: 0, found(1), at: 14)
    run.expect("0/0 send 2.1")
    run.answer("send", of: 0, .ok(), at: 15)
    run.expect("0/0 finish 1.1")
  }

  @Test func `a server that has nothing of a failed piece gets it again`() {
    let run = sending(resync: true)
    lose(run, .retry(Failure("503", status: 503)), at: 2)
    run.answer("sent", of: 0, found(0), at: 14)
    run.expect("0/0 sent 2.1", "0/0 send 2.1")
    #expect(values(run) == [.int(0)])
  }

  @Test func `the time that a server names passes before it is asked`() {
    let run = sending(resync: true)
    let until = run.machine.state.began + .seconds(60)
    run.answer("send", of: 0, .retry(Failure("503", status: 503), after: until), at: 2)
    run.pass()
    run.send(.timerFired, at: 59)
    #expect(run.inFlight("sent", of: 0) == nil)
    run.send(.timerFired, at: 60)
    #expect(run.inFlight("sent", of: 0) != nil)
  }

  @Test func `a process that ends in a turn asks before it continues, and nothing has failed`() {
    let run = sending(resync: true)
    run.answer("send", of: 0, .ok(), at: 2)
    run.pass()
    run.crash(at: 3)
    run.expect("0/0 sent 3.1")
    #expect(run.step("sent", of: 0)?.reissues == 0)
    run.answer("sent", of: 0, found(2), at: 4)
    run.expect("0/0 finish 1.1")
  }

  @Test func `without resync a step of a turn is repeated like any other`() {
    let run = sending(resync: false)
    run.answer("send", of: 0, .ok(), at: 2)
    run.pass()
    run.crash(at: 3)
    run.expect("0/0 send 2.2")
    #expect(values(run) == [.int(1)])
  }

  @Test func `the turns start over when their sources are reissued`() {
    let run = sending(resync: true)
    run.answer("send", of: 0, .ok(), at: 2)
    run.pass()
    run.answer("send", of: 0, .expired(step: 0, Failure("404", status: 404)), at: 3)
    run.expect("0/0 create 2.1")
    run.answer("create", of: 0, .upload("u2", at: 4), at: 4)
    run.expect("0/0 send 3.1")
    #expect(values(run) == [.int(0)])
    #expect(run.step("sent", of: 0)?.turn == 1)
  }

  @Test func `the turns start over when their source expires before the server is asked`() {
    let run = sending(resync: true, limit: 1, pieces: 3)
    run.answer("send", of: 0, .ok(), at: 2)
    run.answer("send", of: 0, .ok(), at: 3)
    let until = run.machine.state.began + .seconds(700)
    run.answer("send", of: 0, .retry(Failure("503", status: 503), after: until), at: 4)
    run.pass()
    run.send(.timerFired, at: 700)
    run.expect("0/0 create 2.1")
    run.answer("create", of: 0, .upload("u2", at: 701), at: 701)
    #expect(values(run) == [.int(0)])
    #expect(run.step("sent", of: 0)?.farthest == 0)
    for second in [702.0, 703, 704] { run.answer("send", of: 0, .ok(), at: second) }
    #expect(run.inFlight("finish", of: 0) != nil)
  }

  @Test func `a step that waits for a piece is done when there are no pieces`() {
    let run = RunHarness(
      SmallPipelines.pieces(hasResync: false, pieces: 0, waits: true), files: [1])
    run.send(.runBegan, at: 0)
    run.load()
    run.pass()
    run.answer("create", of: 0, .upload("u1", at: 1), at: 1)
    run.expect("0/0 finish 1.1")
  }

  @Test func `a step that waits for a piece is done when the server has all of them`() {
    let run = RunHarness(SmallPipelines.pieces(hasResync: true, waits: true), files: [1])
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("create", of: 0, .upload("u1", at: 1), at: 1)
    run.pass()
    lose(run, .lost, at: 2)
    run.answer("sent", of: 0, found(2), at: 14)
    run.expect("0/0 sent 2.1", "0/0 finish 1.1")
  }

  @Test func `turns without progress pause the item, with the server's words`() {
    let run = sending(resync: true, limit: 2)
    let refused = Verdict.retry(Failure("PATCH returned 500", status: 500))
    for second in [10.0, 30] {
      lose(run, refused, at: second)
      run.answer("sent", of: 0, found(0), at: second + 15)
    }
    run.answer("send", of: 0, refused, at: 60)
    #expect(run.row(0).status == .paused)
    #expect(
      run.row(0).reason?.message
        == "step 'sent' was reissued 2 times without progress: PATCH returned 500")
  }

  @Test func `a retried item asks the server first`() {
    let run = sending(resync: true, limit: 0)
    run.answer("send", of: 0, .lost, at: 2)
    #expect(run.row(0).status == .paused)
    run.retry(at: 10)
    run.load()
    run.pass()
    #expect(run.inFlight("sent", of: 0) != nil)
  }

  @Test func `a server that loses bytes is named when there is never any progress`() {
    let run = sending(resync: true, limit: 1, pieces: 3)
    run.answer("send", of: 0, .ok(), at: 2)
    run.answer("send", of: 0, .ok(), at: 3)
    lose(run, .lost, at: 4)
    run.answer("sent", of: 0, found(0), at: 15)
    run.answer("send", of: 0, .ok(), at: 16)
    #expect(run.row(0).status == .paused)
    #expect(run.row(0).reason?.message.contains("'n' is 1, and was 2 before") == true)
  }

  @Test func `progress lets the count of failures start over`() {
    let run = sending(resync: true, limit: 1)
    lose(run, .lost, at: 2)
    run.answer("sent", of: 0, found(1), at: 13)
    #expect(run.step("sent", of: 0)?.reissues == 0)
    lose(run, .lost, at: 14)
    run.answer("sent", of: 0, found(2), at: 25)
    #expect(run.inFlight("finish", of: 0) != nil)
  }

  @Test func `a turn without progress is retried after a delay, as a separate turn`() {
    let run = sending(resync: false, next: "steps.sent.n")
    run.pass()
    run.answer("send", of: 0, .ok(), at: 2)
    run.expect("timer 3.0")
    run.send(.timerFired, at: 3)
    run.expect("0/0 send 2.1")
    #expect(run.step("sent", of: 0)?.notBefore == nil)
  }

  @Test func `values that cannot be evaluated, or whose end cannot be, fail the item`() {
    for next in ["1 / steps.sent.n", "'two'"] {
      let run = sending(resync: false, next: next)
      run.answer("send", of: 0, .ok(), at: 2)
      #expect(run.row(0).status == .failed)
      #expect(run.row(0).reason != nil)
      #expect(run.machine.state.status == .finished)
    }
  }

  @Test func `an item that pauses after a failed piece leaves its place to another`() {
    let run = sending(resync: true, files: 3)
    run.answer("create", of: 1, .upload("v1", at: 1), at: 1)
    run.pass()
    run.answer("send", of: 0, .busy, at: 2)
    run.expect("0/2 create 1.1", "timer 3.0")
    #expect(run.step("send", of: 0)?.since == run.now)
  }

  @Test func `a piece that could not be cut returns its space before the server is asked`() {
    var builder = PipelineBuilder(budgets: Budgets(diskBytes: 10))
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("file", concurrency: 1)
    let request = RequestTemplate(url: builder.template("${{ inputs.server }}"))
    builder.turns("sent", to: 2, next: "${{ steps.sent.n + 1 }}", resync: request)
    builder.step(
      "cut",
      .materialize(MaterializeTemplate(source: .file(builder.expression("file"), range: nil))))
    builder.step("send", .request(request), dependsOn: ["cut"])
    builder.endTurns()
    builder.endLoop()
    let run = RunHarness(builder.pipeline(), files: [10])
    run.send(.runBegan, at: 0)
    run.load()
    #expect(run.machine.reservedDiskBytes == 10)
    run.answer("cut", of: 0, .retry(Failure("the disk does not respond")), at: 2)
    #expect(run.machine.reservedDiskBytes == 0)
    run.pass()
    run.send(.timerFired, at: 3)
    run.expect("0/0 sent 2.1")
  }

  // MARK: Helpers

  private func sending(
    resync: Bool, limit: Int = 10, pieces: Int = 2, next: String = "steps.sent.n + 1",
    files: Int = 1
  ) -> RunHarness {
    let run = RunHarness(
      SmallPipelines.pieces(hasResync: resync, reissueLimit: limit, pieces: pieces, next: next),
      files: Array(repeating: 10, count: files))
    run.send(.runBegan, at: 0)
    run.load()
    run.pass()
    run.answer("create", of: 0, .upload("u1", at: 1), at: 1)
    return run
  }

  /// Lets the piece in flight fail, and the pause after that pass.
  private func lose(_ run: RunHarness, _ verdict: Verdict, at seconds: Double) {
    run.answer("send", of: 0, verdict, at: seconds)
    run.pass()
    run.send(.timerFired, at: seconds + 10)
  }

  private func values(_ run: RunHarness) -> [Value?]? {
    run.step("sent", of: 0)?.outputs.map(\.value)
  }

  private func found(_ number: Int64) -> Verdict {
    .success(StepResult(outputs: [OutputValue(value: .int(number))], status: 200))
  }
}
