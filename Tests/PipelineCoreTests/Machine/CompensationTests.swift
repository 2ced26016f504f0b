import CEL
import MachineSupport
import PipelineCore
import Testing

/// Undoing at the server needs a credential, which may have died or gone with the last process.
struct CompensationTests {
  @Test func `a run that is given up by another process signs in again to undo`() {
    let run = allocated()
    run.crash(at: 10, then: .cancelRequested)
    run.expect("run sign_in 2.1")
    #expect(run.blocker(0) == .dependency(step: 1, on: 0))
    run.answer("sign_in", .token("t2", at: 11), at: 11)
    run.expect("undo 0/0 #0")
    run.answer("undo", of: 0, .ok(), at: 12)
    run.expect("stop")
    #expect(run.machine.state.status == .cancelled)
    #expect(run.row(0).status == .cancelled)
  }

  @Test func `a run that is given up asks once for a credential, and ends without it`() {
    let run = allocated()
    run.crash(at: 10, then: .cancelRequested)
    run.pass()
    run.answer("sign_in", .retry(Failure("503")), at: 11)
    run.expect("stop")
    #expect(run.machine.state.status == .cancelled)
    #expect(run.step("sign_in")?.since == Instant(milliseconds: 11_000))
    #expect(run.row(0).status == .cancelled)
  }

  @Test func `a run that is given up does not ask again for a credential that comes dead`() {
    let run = allocated()
    run.crash(at: 10, then: .cancelRequested)
    run.pass()
    run.answer("sign_in", .token("old", at: -4000), at: 11)
    run.expect("stop")
    #expect(run.row(0).status == .cancelled)
  }

  @Test func `a run that is given up asks once for what its credential is made from`() {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    builder.input("files", .files)
    func credential(_ id: String, from earlier: String?) {
      builder.step(
        id,
        .request(
          RequestTemplate(
            url: builder.template("${{ inputs.server }}/\(id)"),
            authorization: earlier.map { .bearer(builder.template("${{ steps.\($0).token }}")) })),
        outputs: [
          OutputDeclaration(
            name: "token", value: builder.template("${{ response.text }}"), isSecret: true)
        ])
    }
    credential("sign_in", from: nil)
    credential("exchange", from: "sign_in")
    builder.loop("item")
    let request = RequestTemplate(
      url: builder.template("${{ inputs.server }}"),
      authorization: .bearer(builder.template("${{ steps.exchange.token }}")))
    builder.step("send", .request(request))
    builder.onAbandon(request)
    builder.endLoop()
    let run = RunHarness(builder.pipeline(), files: [1])
    run.send(.runBegan)
    run.answer("sign_in", .token("a"))
    run.answer("exchange", .token("b"))
    run.load()
    run.pass()
    run.crash(at: 1, then: .cancelRequested)
    run.expect("run sign_in 2.1")
    run.answer("sign_in", .busy, at: 2)
    run.expect("stop")
    #expect(run.row(0).status == .cancelled)
  }

  @Test func `a failed item whose credential is lost waits for a new one to be undone`() {
    let run = allocated(birth: 4600)
    run.answer("body", of: 0, .file(1), at: 2)
    run.pass()
    run.crash(at: 10)
    run.answer("upload", of: 0, .interrupted)
    run.expect("adopt 0/0 upload 1.1", "run sign_in 2.1")
    run.answer("sign_in", .token("t2", at: 11), at: 11)
    run.pass()
    run.answer("upload", of: 0, .fail(Failure("no")), at: 5000)
    run.expect("run sign_in 3.1")
    run.answer("sign_in", .token("t3", at: 5001), at: 5001)
    #expect(run.blocker(0) == .compensation)
  }

  @Test func `what is being created when a run is given up is awaited, and then undone`() {
    let run = RunHarness(
      SmallPipelines.single(effect: .create, key: "Key", undo: true), files: [1])
    run.send(.runBegan, at: 0)
    run.load()
    run.pass()
    run.send(.cancelRequested, at: 1)
    run.expect()
    run.answer("send", of: 0, .ok(), at: 2)
    run.expect("undo 0/0 #0")
    run.answer("undo", of: 0, .ok(), at: 3)
    run.expect("stop")
    #expect(run.machine.state.status == .cancelled)
  }

  /// Found by seed 16367 of the swarm: made anew, it took effect twice.
  @Test func `what nobody undid is asked after when the item is tried again, and not made anew`() {
    let run = failedWithUnknownOutcome()
    run.answer("undo", of: 0, .fail(Failure("503")), at: 3)
    run.expect("stop")
    #expect(run.row(0).frame[0].status == .unknown)
    run.retry(at: 4)
    run.load()
    run.expect("load 0 pending > -1", "probe 0/0 send 1.3")
  }

  @Test func `what was undone is made anew when the item is tried again`() {
    let run = failedWithUnknownOutcome()
    run.answer("undo", of: 0, .ok(), at: 3)
    run.expect("stop")
    run.retry(at: 4)
    run.load()
    run.expect("load 0 pending > -1", "0/0 send 2.1")
  }

  /// One item whose only creating step may have taken effect, and which is being undone.
  private func failedWithUnknownOutcome() -> RunHarness {
    let run = RunHarness(
      SmallPipelines.single(effect: .create, hasProbe: true, undo: true), files: [1])
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("send", of: 0, .lost, at: 1)
    run.send(.timerFired, at: 2)
    run.answer("send", of: 0, .fail(Failure("no")), at: 2)
    run.pass()
    return run
  }

  /// One item with an upload ID that lives until 10 min after `birth`.
  private func allocated(birth: Int64 = 1) -> RunHarness {
    let run = RunHarness(SmallPipelines.photos(), files: [100])
    run.send(.runBegan, at: 0)
    run.answer("sign_in", .token("t1"), at: 1)
    run.load()
    run.answer("allocate", of: 0, .upload("u1", at: birth), at: 1)
    run.pass()
    return run
  }
}
