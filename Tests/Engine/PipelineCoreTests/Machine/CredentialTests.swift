import CEL
import MachineSupport
import PipelineCore
import Testing

/// Credentials that a cancelled run needs for its compensations.
struct CredentialTests {
  @Test func `if a credential fails, the steps that need it report the cause`() {
    let run = cancelled()
    run.expect("run sign_in 2.1")
    run.answer("sign_in", .fail(Failure("no")), at: 11)
    run.expect("stop")
    #expect(
      run.row(0).reason?.message
        == "not undone at the server: step 'token' gives no credential: no")
  }

  @Test func `a credential that the server calls expired is reissued, and the next one retried`() {
    let run = cancelled()
    run.answer("sign_in", .token("b", at: 11), at: 11)
    run.expect("run sign_in 2.1", "run token 2.1")
    run.answer("token", .expired(step: 0, Failure("401", status: 401)), at: 12)
    run.expect("run sign_in 3.1")
    run.answer("sign_in", .token("c", at: 13), at: 13)
    run.expect("timer 16.0")
    run.send(.timerFired, at: 16)
    run.expect("run token 2.2")
    run.answer("token", .upload("t", at: 16), at: 16)
    run.expect("undo 0/0 #0")
  }

  @Test func `a credential whose request cannot be repeated safely is abandoned`() {
    let run = cancelled(signInEffect: .create)
    run.answer("sign_in", .lost, at: 11)
    run.expect("run sign_in 2.1", "stop")
    #expect(run.row(0).reason?.message.contains("outcome unknown") == true)
    // The user may retry after checking the server.
    run.send(.cancelRequested, at: 20)
    run.load()
    run.expect("load 0 failed > -1", "run sign_in 2.2")
  }

  @Test func `a credential that is skipped is abandoned`() {
    let run = cancelled()
    run.answer("sign_in", .itemDone, at: 11)
    run.expect("run sign_in 2.1", "stop")
    #expect(
      run.row(0).reason?.message
        == "not undone at the server: step 'token' gives no credential: the step was skipped")
  }

  @Test func `a credential that expired too often cannot be reissued for a compensation`() {
    let run = created(SmallPipelines.credentials(reissueLimit: 0))
    run.send(.cancelRequested, at: 4000)
    run.answer("mark", of: 0, .interrupted, at: 4000)
    run.expect("interrupt 0/0 mark 1.1", "stop")
    #expect(
      run.row(0).reason?.message
        == "not undone at the server: step 'token' gives no credential: "
        + "step 'token' cannot be carried out again")
  }

  @Test func `a run-level step that is skipped releases the steps that wait for it`() {
    let run = created(SmallPipelines.credentials(if: "steps.sign_in.token == 'a'"))
    run.answer("mark", of: 0, .expired(step: 1, Failure("401", status: 401)), at: 3600)
    run.expect("run sign_in 2.1")
    run.answer("sign_in", .token("b", at: 3601), at: 3601)
    run.expect("0/0 mark 1.2")
    #expect(run.step("token")?.status == .skipped)
  }

  @Test func `a run-level step that finishes early lets the run continue`() {
    let run = RunHarness(SmallPipelines.photos(), files: [1])
    run.send(.runBegan)
    run.pass()
    run.answer("sign_in", .itemDone, at: 1)
    run.expect("load 0 pending > -1")
  }

  @Test func `cancelling a run can be stopped and continued in one process`() {
    let run = RunHarness(
      SmallPipelines.single(effect: .create, key: "Key", undo: true), files: [1])
    run.send(.runBegan)
    run.load()
    run.answer("send", of: 0, .fail(Failure("no")), at: 1)
    run.send(.cancelRequested, at: 2)
    run.send(.pauseRequested(Failure("^C")), at: 3)
    run.pass()
    run.answer("undo", of: 0, .interrupted, at: 3)
    run.expect("stop")
    run.send(.cancelRequested, at: 4)
    run.expect("undo 0/0 #0")
    run.answer("undo", of: 0, .ok(), at: 5)
    run.expect("stop")
    #expect(run.machine.state.status == .cancelled)
  }

  @Test func `an item that was read ahead to be tried again is undone once`() {
    let run = RunHarness(
      SmallPipelines.single(concurrency: 1, effect: .create, key: "Key", undo: true), files: [1, 1])
    run.send(.runBegan)
    run.load()
    for ordinal in 0...1 {
      run.answer("send", of: ordinal, .ok(), at: 1)
      run.answer("mark", of: ordinal, .pause(Failure("wait")), at: 2)
    }
    run.retry(at: 5)
    run.load()
    run.pass()
    // The first is under way again, the second is read.
    run.send(.cancelRequested, at: 6)
    run.answer("mark", of: 0, .interrupted, at: 6)
    run.answer("undo", of: 0, .ok(), at: 7)
    run.load()
    run.answer("undo", of: 1, .ok(), at: 8)
    run.expect(
      "interrupt 0/0 mark 1.2", "undo 0/0 #0", "load 0 pending > -1", "undo 0/1 #0", "stop")
    #expect(run.machine.state.loops[0].counts[.cancelled] == 2)
  }

  // MARK: Two compensations

  @Test func `only the compensations that were left over are sent again`() {
    let run = RunHarness(twice(), files: [1])
    run.send(.runBegan)
    run.load()
    run.answer("first", of: 0, .upload("1"), at: 1)
    run.answer("second", of: 0, .upload("2"), at: 1)
    run.answer("mark", of: 0, .fail(Failure("no")), at: 2)
    run.answer("undo", of: 0, .ok(), at: 3)
    run.answer("undo", of: 0, .fail(Failure("busy")), at: 3)
    run.pass()
    run.send(.cancelRequested, at: 4)
    run.load()
    run.expect("load 0 failed > -1", "undo 0/0 #1")
  }

  @Test func `an effect that can no longer be named is left over, and reported`() {
    let run = RunHarness(twice(if: "item.name == 'other'", isSecret: true), files: [1])
    run.send(.runBegan)
    run.load()
    run.answer(
      "second", of: 0, .ok(OutputValue(value: .string("2"), isSecret: true)), at: 1)
    run.pass()
    run.crash(at: 2, then: .cancelRequested)
    run.expect("stop")
    #expect(run.row(0).abandoning?.left == [1])
    #expect(
      run.row(0).reason?.message
        == "not undone at the server: 'id' of step 'second' is secret and was lost with its process"
    )
  }

  /// For each item two things that are created, each with a compensation of its own, and a mark.
  private func twice(if condition: String? = nil, isSecret: Bool = false) -> Pipeline {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("item")
    func post(_ path: String) -> RequestTemplate {
      RequestTemplate(method: "POST", url: builder.template("${{ inputs.server }}" + path))
    }
    for (id, condition) in [("first", condition), ("second", nil)] {
      builder.step(
        id, .request(post("/")), if: condition,
        outputs: [
          OutputDeclaration(
            name: "id", value: builder.template("${{ response.json.id }}"), isSecret: isSecret)
        ], effect: .create, key: "Key")
    }
    builder.step("mark", .request(post("/mark")))
    builder.onAbandon(post("/${{ steps.first.id }}"))
    builder.onAbandon(post("/${{ steps.second.id }}"))
    builder.endLoop()
    return builder.pipeline("twice")
  }

  /// An item that has created something with a token, and whose next request is in flight.
  private func created(_ pipeline: Pipeline) -> RunHarness {
    let run = RunHarness(pipeline, files: [1])
    run.send(.runBegan)
    run.answer("sign_in", .token("a"))
    run.answer("token", .upload("t"))
    run.load()
    run.answer("send", of: 0, .ok(), at: 1)
    run.pass()
    return run
  }

  /// The same, cancelled by another process, which does not have the credentials.
  private func cancelled(signInEffect: Step.ServerEffect = .repeatable) -> RunHarness {
    let run = RunHarness(SmallPipelines.credentials(signInEffect: signInEffect), files: [1])
    run.send(.runBegan)
    run.answer("sign_in", .token("a"))
    run.answer(
      "token", .ok(OutputValue(value: .string("t"), isSecret: true)))
    run.load()
    run.answer("send", of: 0, .ok(), at: 1)
    run.pass()
    run.crash(at: 10, then: .cancelRequested)
    return run
  }
}
