import CEL
import MachineSupport
import PipelineCore
import Testing

/// Inner loops: parts that are worked on side by side, each for itself.
struct PartsTests {
  @Test func `as many parts as allowed are in flight, and the next one starts when one is done`() {
    let run = sending(list: "[1, 2, 3]")
    run.expect("0/0.0 put 1.1", "0/0.1 put 1.1")
    answer(run, "put", 1, .ok(tag("b")), at: 2)
    run.expect("0/0.2 put 1.1")
    answer(run, "put", 2, .ok(tag("c")), at: 3)
    run.expect()
    answer(run, "put", 0, .ok(tag("a")), at: 4)
    run.expect("0/0 finish 1.1")
  }

  @Test func `later steps read the collected values, in the order of the parts`() {
    let run = sending()
    answer(run, "put", 1, .ok(tag("b")), at: 2)
    answer(run, "put", 0, .ok(tag("a")), at: 3)
    let parts = run.step("parts", of: 0)
    #expect(parts?.isOver == true)
    #expect(parts?.outputs.map(\.value) == [.list(["a", "b"])])
    #expect(parts?.parts == nil)
  }

  @Test func `a command does not read values that other parts collected`() throws {
    let run = sending(list: "[1, 2, 3]")
    answer(run, "put", 1, .ok(tag("b")), at: 2)
    let state = run.machine.state
    let item = try #require(state.loops[0].active[0])
    // Otherwise each part would copy what all before it have collected.
    func done(_ frame: Frame) -> [Int] { frame.compactMap { $0.parts?.done } }
    #expect(done(item.frame) == [1])
    #expect(done(Scope(state, item: item, now: state.began).itemFrame) == [0])
    #expect(done(Scope(state, batch: [item], now: state.began).members[0].frame) == [0])
  }

  @Test func `an empty list ends at once`() {
    let run = sending(list: "[]")
    run.expect("0/0 finish 1.1")
    #expect(run.step("parts", of: 0)?.outputs.map(\.value) == [.list([])])
  }

  @Test func `a part is retried separately`() {
    let run = sending()
    run.pass()
    answer(run, "put", 0, .retry(Failure("503", status: 503)), at: 2)
    run.expect("timer 3.0")
    answer(run, "put", 1, .ok(tag("b")), at: 2.5)
    run.send(.timerFired, at: 3)
    run.expect("0/0.0 put 1.2")
  }

  @Test func `a part whose own URL expired asks again, and the other continues`() {
    let run = sending(asks: true)
    answer(run, "ask", 0, .ok(tag("u0")), at: 2)
    answer(run, "ask", 1, .ok(tag("u1")), at: 3)
    run.pass()
    answer(run, "put", 0, .expired(step: 2, Failure("403", status: 403)), at: 4)
    run.expect("0/0.0 ask 2.1")
    #expect(inFlight(run, "put", 1) != nil)
  }

  @Test func `when the upload expired, commands in flight are interrupted, and all starts over`() {
    let run = sending()
    run.pass()
    answer(run, "put", 0, .expired(step: 0, Failure("404", status: 404)), at: 2)
    run.expect("interrupt 0/0.1 put 1.1")
    answer(run, "put", 1, .interrupted, at: 3)
    run.expect("0/0 open 2.1")
    run.answer("open", of: 0, .upload("u2", at: 4), at: 4)
    run.expect("0/0.0 put 1.1", "0/0.1 put 1.1")
    let generations = run.machine.inFlight.compactMap { $0.item?.part?.generation }
    #expect(generations == [2, 2])
  }

  @Test func `a pause that a server requests for a part outlasts it when all parts start over`() {
    let run = sending(url: "https://a.test/u1", files: [10, 20])
    run.pass()
    let moment = Instant(milliseconds: 60_000)
    answer(run, "put", 0, .retry(Failure("503", status: 503), after: moment), at: 2)
    answer(run, "put", 1, .expired(step: 0, Failure("404", status: 404)), at: 3)
    run.answer("open", of: 0, .upload("https://a.test/u2", at: 4), at: 4)
    run.pass()
    run.send(.timerFired, at: 59)
    #expect(inFlight(run, "put", 0) == nil && inFlight(run, "put", 1) == nil)
    // The host's pause keeps the parts from being sent; their item keeps its place.
    #expect(run.row(1).status == .pending)
    run.pass()
    run.send(.timerFired, at: 300)
    run.expect("0/0.0 put 1.1", "0/0.1 put 1.1")
  }

  @Test func `rows of parts are forgotten when all are done`() {
    let run = sending()
    answer(run, "put", 0, .ok(tag("a")), at: 2)
    #expect(run.world.rows.parts.keys.map(\.part?.number) == [0])
    answer(run, "put", 1, .ok(tag("b")), at: 3)
    #expect(run.world.rows.parts.isEmpty)
  }

  @Test func `a failed part fails its item once the others have ended`() {
    let run = sending()
    run.pass()
    answer(run, "put", 1, .fail(Failure("403 Forbidden", status: 403)), at: 2)
    run.expect("interrupt 0/0.0 put 1.1")
    #expect(run.row(0).status == .active)
    answer(run, "put", 0, .interrupted, at: 3)
    #expect(run.row(0).status == .failed)
    #expect(run.row(0).reason?.message == "part 2: 403 Forbidden")
  }

  @Test func `a retried item sends only the parts that are not done`() {
    let run = sending()
    answer(run, "put", 0, .ok(tag("a")), at: 2)
    answer(run, "put", 1, .pause(Failure("later")), at: 3)
    #expect(run.row(0).status == .paused)
    run.retry(at: 10)
    run.load()
    run.pass()
    #expect(inFlight(run, "put", 0) == nil)
    answer(run, "put", 1, .ok(tag("b")), at: 11)
    #expect(run.step("parts", of: 0)?.outputs.map(\.value) == [.list(["a", "b"])])
  }

  @Test func `a new process resends parts in flight, and never finished ones`() {
    let run = sending(list: "[1, 2, 3]")
    answer(run, "put", 0, .ok(tag("a")), at: 2)
    run.pass()
    run.crash(at: 3)
    run.expect("0/0.1 put 1.2", "0/0.2 put 1.2")
  }

  @Test func `a finished part costs a value, not a frame`() {
    let run = sending(list: "[1, 2, 3]")
    answer(run, "put", 0, .ok(tag("a")), at: 2)
    let parts = run.step("parts", of: 0)?.parts
    #expect(parts?.collected == [0: ["a"]])
    #expect(parts?.active.keys.sorted() == [1, 2])
  }

  @Test func `keys of parts differ, and from those of the parts before`() throws {
    let run = sending(effect: .create, key: "Key")
    func keys() -> Set<String> {
      Set(
        run.machine.inFlight.compactMap { id in
          run.machine.evaluator.idempotencyKey(
            id, Scope(run.machine.state, item: nil, now: run.now))
        })
    }
    let first = keys()
    answer(run, "put", 0, .expired(step: 0, Failure("404", status: 404)), at: 2)
    answer(run, "put", 1, .interrupted, at: 3)
    // Whether it took effect is not known, so it is repeated before the upload is replaced.
    #expect(keys().isSubset(of: first))
    answer(run, "put", 1, .uncertain(.expired(step: 0, Failure("404", status: 404))), at: 3)
    run.answer("open", of: 0, .upload("u2", at: 4), at: 4)
    #expect(first.count == 2)
    #expect(keys().count == 2)
    #expect(first.isDisjoint(with: keys()))
  }

  @Test func `files of parts share the disk budget, in order`() {
    let run = sending(diskBytes: 10)
    run.expect("0/0.0 body 1.1 10 B")
    answer(run, "body", 0, .file(10), at: 2)
    run.expect("0/0.0 put 1.1")
    answer(run, "put", 0, .ok(tag("a")), at: 3)
    run.expect("discard 0/0.0 10")
    run.discard()
    run.expect("0/0.1 body 1.1 10 B")
  }

  @Test func `a pause interrupts all parts, and resuming continues them`() {
    let run = sending()
    run.pass()
    run.send(.pauseRequested(Failure("^C")), at: 2)
    run.expect("interrupt 0/0.0 put 1.1", "interrupt 0/0.1 put 1.1")
    answer(run, "put", 0, .interrupted, at: 3)
    answer(run, "put", 1, .interrupted, at: 3)
    run.pass()
    run.send(.unpaused, at: 4)
    run.expect("0/0.0 put 1.2", "0/0.1 put 1.2")
  }

  // MARK: Helpers

  private func sending(
    asks: Bool = false, effect: Step.ServerEffect = .repeatable, key: String? = nil,
    list: String = "[1, 2]", diskBytes: Int64? = nil, url: String = "u1", files: [Int64] = [10]
  ) -> RunHarness {
    let run = RunHarness(
      SmallPipelines.parts(
        asks: asks, effect: effect, key: key, list: list, diskBytes: diskBytes), files: files)
    run.send(.runBegan, at: 0)
    run.load()
    run.pass()
    run.answer("open", of: 0, .upload(url, at: 1), at: 1)
    return run
  }

  private func tag(_ text: String) -> OutputValue { OutputValue(value: .string(text)) }

  private func inFlight(_ run: RunHarness, _ step: String, _ part: Int) -> EffectID? {
    run.machine.inFlight.first {
      $0.item?.part?.number == part && run.machine.pipeline.name(of: $0) == step
    }
  }

  private func answer(
    _ run: RunHarness, _ step: String, _ part: Int, _ verdict: Verdict, at seconds: Double,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    guard let id = inFlight(run, step, part) else {
      Issue.record("'\(step)' of part \(part) is not in flight", sourceLocation: sourceLocation)
      return
    }
    run.send(.concluded(id, verdict), at: seconds, sourceLocation: sourceLocation)
  }
}
