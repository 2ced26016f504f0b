import CEL
import MachineSupport
import PipelineCore
import Testing

/// Values that expire, by the clock or because the server reports it.
struct ExpiryTests {
  @Test func `an upload ID that expires during the upload only affects its dependents`() {
    let run = uploading(1)
    run.answer("upload", of: 0, .expired(step: 1, Failure("gone", status: 404)), at: 5)
    run.expect("0/0 allocate 2.1")
    run.answer("allocate", of: 0, .upload("u2", at: 6), at: 6)
    run.expect("0/0 upload 2.1")
    #expect(run.step("body", of: 0)?.generation == 1)
    #expect(run.step("sign_in")?.generation == 1)
  }

  @Test func `an expired result is not reissued before the time of the server or the author`() {
    let run = uploading(1)
    let gone = Failure("slow down", status: 429)
    run.answer(
      "upload", of: 0, .expired(step: 1, gone, after: Instant(milliseconds: 90_000)), at: 5)
    run.expect("timer 90.0")
    #expect(run.blocker(0) == .delay(step: 1, until: Instant(milliseconds: 90_000)))
    run.crash(at: 6)
    run.expect("timer 90.0")
    run.send(.timerFired, at: 90)
    run.expect("run sign_in 2.1")
    run.answer("sign_in", .token("t2", at: 91), at: 91)
    run.expect("0/0 allocate 2.1")
  }

  @Test func `a reissued step has all its attempts again`() {
    let run = RunHarness(SmallPipelines.photos(), files: [100])
    run.send(.runBegan, at: 0)
    run.answer("sign_in", .token("t1"), at: 1)
    run.load()
    run.answer("allocate", of: 0, .upload("u1", at: 1), at: 1)
    run.answer("body", of: 0, .file(1), at: 2)
    run.answer("upload", of: 0, .busy, at: 594)
    #expect(run.step("upload", of: 0)?.failures == 1)
    run.send(.timerFired, at: 600)
    run.answer("allocate", of: 0, .upload("u2", at: 600), at: 600)
    run.pass()
    #expect(run.step("upload", of: 0)?.generation == 2)
    #expect(run.step("upload", of: 0)?.failures == 0)
  }

  @Test func `a response for an older generation changes nothing`() throws {
    let run = uploading(1)
    let old = try #require(run.inFlight("upload", of: 0))
    run.answer("upload", of: 0, .expired(step: 1, Failure("gone", status: 404)), at: 5)
    run.pass()
    let before = run.machine
    run.send(.concluded(old, .ok()), at: 5)
    #expect(run.machine == before)
    run.finish()
  }

  @Test func `many items that find the token expired have it reissued once, and continue after it`()
  {
    let run = uploading(2)
    let dead = Verdict.expired(step: 0, Failure("401", status: 401))
    run.answer("upload", of: 0, dead, at: 5)
    run.expect("run sign_in 2.1")
    run.answer("upload", of: 1, dead, at: 5)
    run.expect()
    #expect(run.blocker(0) == .dependency(step: 3, on: 0))
    run.answer("sign_in", .token("t2", at: 6), at: 6)
    run.expect("0/0 upload 1.2", "0/1 upload 1.2")
  }

  @Test func `a late response about the old token does not make the new one expire`() {
    let run = uploading(2)
    let dead = Verdict.expired(step: 0, Failure("401", status: 401))
    run.answer("upload", of: 0, dead, at: 5)
    run.answer("sign_in", .token("t2", at: 6), at: 6)
    run.pass()
    run.answer("upload", of: 1, dead, at: 7)
    run.expect("0/1 upload 1.2")
    #expect(run.step("sign_in")?.generation == 2)
  }

  @Test func `a word about the old token that comes in the moment of the new one is late`() {
    let run = uploading(2)
    let dead = Verdict.expired(step: 0, Failure("401", status: 401))
    run.answer("upload", of: 0, dead)
    run.answer("sign_in", .token("t2"))
    run.pass()
    run.answer("upload", of: 1, dead)
    run.expect("0/1 upload 1.2")
    #expect(run.step("sign_in")?.generation == 2)
  }

  @Test func `a probe's late response about the old token does not make the new one expire`() {
    let run = uploading(2)
    for ordinal in 0...1 {
      run.answer("upload", of: ordinal, .ok(), at: 5)
      run.answer("finalize", of: ordinal, .interrupted, at: 5)
    }
    run.pass()
    let dead = Verdict.expired(step: 0, Failure("401", status: 401))
    run.answer("finalize", of: 0, dead, at: 6)
    run.expect("run sign_in 2.1")
    run.answer("sign_in", .token("t2", at: 7), at: 7)
    run.expect("probe 0/0 finalize 1.3")
    run.answer("finalize", of: 1, dead, at: 8)
    run.expect("probe 0/1 finalize 1.3")
    // The result of a probe depends on the token that it was sent with, not on the attempt's.
    run.answer("finalize", of: 0, dead, at: 9)
    // Nothing had succeeded with it.
    run.expect("timer 10.0")
    run.send(.timerFired, at: 10)
    run.expect("run sign_in 3.1")
  }

  @Test func `a token is reissued inside its skew, before it is used`() {
    let run = uploading(1)
    run.answer("upload", of: 0, .ok(), at: 3541)
    run.expect("run sign_in 2.1")
  }

  @Test func `a probe asks about an upload ID that expired by the clock, before a new one exists`()
  {
    let run = uploading(1)
    run.answer("upload", of: 0, .ok(), at: 500)
    run.answer("finalize", of: 0, .lost, at: 600)
    run.pass()
    run.send(.timerFired, at: 700)
    run.expect("probe 0/0 finalize 1.2")
    run.answer("finalize", of: 0, .notDone, at: 701)
    run.expect("0/0 allocate 2.1")
  }

  @Test func `a step derived from an expired value gets a new generation, and so a new key`() {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("item")
    let request = RequestTemplate(url: builder.template("${{ inputs.server }}/a"))
    builder.step(
      "open", .request(request),
      outputs: [OutputDeclaration(name: "id", value: builder.template("${{ response.text }}"))])
    builder.step(
      "close",
      .request(RequestTemplate(url: builder.template("http://h/${{ steps.open.id }}"))),
      effect: .create, key: "Key")
    let run = RunHarness(builder.pipeline(), files: [1])
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("open", of: 0, .ok(OutputValue(value: .string("a"))))
    run.pass()
    run.answer("close", of: 0, .expired(step: 0, Failure("gone")))
    run.answer("open", of: 0, .ok(OutputValue(value: .string("b"))))
    run.expect("0/0 open 2.1", "0/0 close 2.1")
  }

  @Test func `a value that expires repeatedly pauses its item with that reason`() {
    let run = uploading(1, reissueLimit: 2)
    for round in 1...3 {
      let second = Double(round * 10)
      run.answer("upload", of: 0, .expired(step: 1, Failure("gone", status: 404)), at: second)
      guard run.machine.state.loops[0].active[0] != nil else { break }
      if round > 1 { run.send(.timerFired, at: second + 1) }
      run.answer("allocate", of: 0, .upload("u", at: Int64(second)), at: second + 1)
    }
    run.pass()
    #expect(run.row(0).status == .paused)
    #expect(run.row(0).reason?.message == "what step 'allocate' made disappeared 3 times: gone")
  }

  @Test
  func `a secret lost with its process is reissued when it is needed, and nothing else is`() {
    let run = uploading(1)
    run.crash(at: 10)
    run.expect("adopt 0/0 upload 1.1")
    run.answer("upload", of: 0, .interrupted)
    run.expect("run sign_in 2.1")
    run.answer("sign_in", .token("t2", at: 11), at: 11)
    run.expect("0/0 upload 1.2")
    #expect(run.step("allocate", of: 0)?.generation == 1)
  }

  @Test func `a run whose sign-in fails is paused with the name of the step`() {
    let run = RunHarness(SmallPipelines.photos(), files: [100])
    run.send(.runBegan, at: 0)
    run.answer("sign_in", .fail(Failure("POST answered 403", status: 403)), at: 1)
    run.expect("run sign_in 1.1", "stop")
    #expect(run.machine.state.status == .paused)
    #expect(run.machine.state.reason?.message == "step 'sign_in': POST answered 403")
  }

  @Test
  func `a step that reports itself expired is retried with back-off, not at once and forever`() {
    let run = RunHarness(SmallPipelines.single(), files: [1])
    run.send(.runBegan, at: 0)
    run.load()
    run.pass()
    run.answer("send", of: 0, .expired(step: 0, Failure("gone")), at: 1)
    run.expect("timer 2.0")
  }

  @Test
  func
    `a step whose condition is false is skipped, and reconsidered when its source is reissued`()
  {
    let run = RunHarness(SmallPipelines.conditional(), files: [1])
    run.send(.runBegan, at: 0)
    run.load()
    run.pass()
    run.answer("look", of: 0, .upload("plain"))
    run.expect("0/0 send 1.1")
    #expect(run.step("extra", of: 0)?.status == .skipped)
    run.answer("send", of: 0, .expired(step: 0, Failure("gone")))
    run.expect("0/0 look 2.1")
    run.answer("look", of: 0, .upload("other"))
    run.expect("0/0 extra 1.1")
    run.answer("extra", of: 0, .ok())
    run.expect("0/0 send 2.1")
  }

  private func uploading(_ files: Int, reissueLimit: Int = 10) -> RunHarness {
    let run = RunHarness(
      SmallPipelines.photos(reissueLimit: reissueLimit),
      files: Array(repeating: 100, count: files))
    run.send(.runBegan, at: 0)
    run.answer("sign_in", .token("t1"), at: 0)
    run.load()
    for ordinal in 0..<files {
      run.answer("allocate", of: ordinal, .upload("u1"), at: 0)
      run.answer("body", of: ordinal, .file(bodySize), at: 0)
    }
    run.pass()
    return run
  }
}
