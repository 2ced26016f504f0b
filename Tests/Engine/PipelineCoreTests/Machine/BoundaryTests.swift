import CEL
import MachineSupport
import PipelineCore
import Testing

/// The last moment, the last place, and the rest of an item or a step when its turn comes again.
struct BoundaryTests {
  @Test func `a retry that ends just in time is still made`() {
    let policy = RetryPolicy(
      attempts: 3, initial: .seconds(2), factor: 1, maximum: .seconds(2), jitter: .none,
      elapsed: .seconds(2))
    let run = RunHarness(SmallPipelines.single(retry: policy), files: [1])
    run.send(.runBegan)
    run.load()
    run.pass()
    run.answer("send", of: 0, .busy, at: 0)
    run.expect("timer 2.0")
  }

  @Test func `a result that a server discards again is reissued after a pause`() {
    let run = allocated(SmallPipelines.photos())
    run.answer("body", of: 0, .file(10), at: 2)
    let gone = Verdict.expired(step: 1, Failure("404", status: 404))
    run.answer("upload", of: 0, gone, at: 2)
    run.answer("allocate", of: 0, .upload("u2", at: 2), at: 2)
    run.pass()
    // Its server has discarded it for the second time.
    run.answer("upload", of: 0, gone, at: 12)
    run.expect("timer 13.0")
  }

  @Test func `a value with a lifetime shorter than a request's expected duration is used`() {
    let run = RunHarness(SmallPipelines.photos(), files: [1])
    run.send(.runBegan)
    run.answer("sign_in", signedIn(until: 1))
    run.pass()
    run.load()
    run.expect("0/0 allocate 1.1")
  }

  @Test func `a value that would expire during the request is reissued before it`() {
    let run = RunHarness(SmallPipelines.photos(), files: [1])
    run.send(.runBegan)
    run.answer("sign_in", signedIn(until: 3600))
    run.pass()
    run.load(at: 3599)
    run.expect("run sign_in 2.1")
  }

  /// A token that a server returned after 2 s.
  private func signedIn(until seconds: Int64) -> Verdict {
    let end = Instant(milliseconds: seconds * 1000)
    let token = OutputValue(
      value: .string("t"), isSecret: true, expires: end, staleFrom: end)
    return .success(
      StepResult(outputs: [token], status: 200, duration: .seconds(2)))
  }

  @Test func `an item reports that it is stopped because its credential expired too often`() {
    let run = RunHarness(SmallPipelines.photos(reissueLimit: 0), files: [1])
    run.send(.runBegan)
    run.answer("sign_in", .token("a"))
    run.load()
    run.answer("allocate", of: 0, .expired(step: 0, Failure("401", status: 401)), at: 1)
    #expect(run.machine.state.status == .paused)
    #expect(run.blocker(0) == .stopped)
  }

  @Test func `the last sealed result is kept until there is another`() {
    var builder = PipelineBuilder()
    builder.input("files", .files)
    builder.loop("item")
    builder.step(
      "sign",
      .request(RequestTemplate(url: builder.template("http://h/${{ previous.token }}"))),
      outputs: [
        OutputDeclaration(
          name: "token", value: builder.template("${{ response.text }}"), isSealed: true)
      ])
    builder.step(
      "send", .request(RequestTemplate(url: builder.template("http://h/${{ steps.sign.token }}"))))
    builder.endLoop()
    let run = RunHarness(builder.pipeline(), files: [1])
    run.send(.runBegan)
    run.load()
    func token(_ text: String) -> Verdict {
      .ok(OutputValue(value: .string(text), isSecret: true, isSealed: true))
    }
    run.answer("sign", of: 0, token("a"), at: 1)
    run.answer("send", of: 0, .expired(step: 0, Failure("401", status: 401)), at: 2)
    #expect(run.step("sign", of: 0)?.previous.map(\.value) == ["a"])
    run.answer("sign", of: 0, token("b"), at: 3)
    #expect(run.step("sign", of: 0)?.previous.isEmpty == true)
  }

  @Test func `a new result in the place of an earlier one belongs to the run`() {
    let run = RunHarness(SmallPipelines.photos(), files: [1])
    run.send(.runBegan)
    run.answer("sign_in", .token("a"))
    run.load()
    run.answer(
      "allocate", of: 0,
      .success(StepResult(outputs: [OutputValue(value: .string("theirs"))], status: 409)), at: 1)
    run.answer("body", of: 0, .file(10), at: 2)
    run.answer("upload", of: 0, .expired(step: 1, Failure("404", status: 404)), at: 3)
    run.answer("allocate", of: 0, .busy, at: 4)
    run.send(.timerFired, at: 5)
    run.answer("allocate", of: 0, .fail(Failure("no")), at: 6)
    #expect(run.row(0).status == .failed)
    #expect(!run.row(0).isLeftAtServer)
  }

  @Test func `an item that the user retries does not wait for its probe's time`() {
    let once = RetryPolicy(
      attempts: 1, initial: .seconds(1), factor: 2, maximum: .seconds(10), jitter: .none)
    let run = RunHarness(
      SmallPipelines.single(
        retry: once, effect: .create, hasProbe: true, probeAfter: .seconds(60)), files: [1])
    run.send(.runBegan)
    run.load()
    run.answer("send", of: 0, .lost, at: 1)
    #expect(run.row(0).status == .paused)
    run.pass()
    run.retry(at: 2)
    run.load()
    run.expect("load 0 pending > -1", "probe 0/0 send 1.2")
  }

  @Test func `an item that was being undone has its place in the next process`() {
    let run = RunHarness(
      SmallPipelines.single(concurrency: 1, effect: .create, key: "Key", undo: true), files: [1, 1])
    run.send(.runBegan)
    run.load()
    run.answer("send", of: 0, .busy, at: 0)
    run.answer("send", of: 1, .fail(Failure("no")), at: 0)
    run.send(.timerFired, at: 1)
    run.pass()
    #expect(run.blocker(0) == .concurrency(limit: 1))
    run.crash(at: 2)
    run.expect("undo 0/1 #0")
  }

  @Test func `a row keeps nothing of an item that was skipped`() {
    let run = RunHarness(SmallPipelines.single(), files: [1])
    run.send(.runBegan)
    run.load()
    run.answer("send", of: 0, .itemSkipped(Failure("not today")), at: 1)
    #expect(run.row(0).status == .skipped)
    #expect(run.row(0).frame.isEmpty)
  }

  @Test func `the window holds no more items than its limit`() {
    let run = RunHarness(
      SmallPipelines.single(concurrency: 1), files: Array(repeating: 1, count: 70))
    run.send(.runBegan)
    let later = Verdict.poll(at: Instant(milliseconds: 3_600_000))
    for ordinal in 0..<66 {
      if !run.world.loads.isEmpty { run.load() }
      run.answer("send", of: ordinal, later, at: 0)
    }
    if !run.world.loads.isEmpty { run.load() }
    #expect(run.machine.state.loops[0].active.count == 66)
    #expect(run.machine.inFlight.isEmpty)
  }

  @Test func `continuing a paused run skips the wait that a server asked for`() {
    let run = RunHarness(SmallPipelines.single(), files: [1])
    run.send(.runBegan)
    run.load()
    run.answer(
      "send", of: 0, .retry(Failure("busy"), after: Instant(milliseconds: 86_400_000)), at: 0)
    run.send(.pauseRequested(Failure("^C")), at: 1)
    run.pass()
    run.send(.unpaused, at: 2)
    run.expect("0/0 send 1.2")
  }

  @Test func `a transfer that waits here for its time is handed over when the allowance ends`() {
    let run = RunHarness(
      SmallPipelines.renewing([], earliest: "duration('1h')"), files: [10])
    run.send(.runBegan)
    run.answer("sign_in", .token("a"))
    run.load()
    run.pass()
    #expect(run.inFlight("send", of: 0) == nil)
    run.send(.allowanceExpiring, at: 2)
    run.expect("0/0 send 1.1", "end allowance")
  }

  @Test func `a file that is written shows that files can be opened again`() {
    let run = RunHarness(SmallPipelines.copies(), files: [10, 10])
    run.send(.runBegan)
    run.load()
    run.answer("copy", of: 0, .unavailable(.openFiles, Failure("EMFILE")), at: 1)
    run.pass()
    run.answer("copy", of: 1, .file(10), at: 1)
    run.expect("0/0 copy 1.2 10 B", "0/1 upload 1.1")
  }

  @Test func `an uncertain end of an unsafe request is final`() {
    let run = RunHarness(SmallPipelines.single(effect: .create), files: [1])
    run.send(.runBegan)
    run.load()
    run.answer("send", of: 0, .uncertain(.itemDone), at: 1)
    #expect(run.row(0).status == .done)
    run.pass()
  }

  @Test func `uploads and requests have a pace each, and a probe of an upload is a request`() {
    let run = RunHarness(SmallPipelines.copies(), files: [100])
    run.send(.runBegan)
    run.load()
    run.answer("copy", of: 0, .file(100))
    let sent = StepResult(status: 200, duration: .seconds(2), bytes: 100)
    run.answer("upload", of: 0, .success(sent), at: 2)
    #expect(run.machine.state.pace == Pace(bytesPerSecond: 50, requestSeconds: nil))
    run.pass()
    let probed = RunHarness(probedUpload(), files: [100])
    probed.send(.runBegan)
    probed.load()
    probed.answer("send", of: 0, .lost, at: 1)
    probed.send(.timerFired, at: 2)
    probed.answer("send", of: 0, .success(sent), at: 4)
    #expect(probed.machine.state.pace == Pace(bytesPerSecond: nil, requestSeconds: 2))
    probed.pass()
  }

  /// For each file an upload that creates something, and is probed if its outcome is unknown.
  private func probedUpload() -> Pipeline {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("item")
    let url = builder.template("${{ inputs.server }}")
    let probe = builder.probe(RequestTemplate(url: url), tookEffect: "response.json.done == true")
    builder.step(
      "send",
      .upload(
        UploadTemplate(
          request: RequestTemplate(method: "PUT", url: url), file: builder.expression("item"))),
      effect: .create, probe: probe)
    builder.endLoop()
    return builder.pipeline("probed")
  }

  @Test func `a compensation ends with the allowance, regardless of the item's first step`() {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("item")
    let request = RequestTemplate(
      method: "PUT", url: builder.template("${{ inputs.server }}/${{ item.name }}"))
    builder.step(
      "send", .upload(UploadTemplate(request: request, file: builder.expression("item"))))
    builder.step("mark", .request(request))
    builder.onAbandon(request)
    builder.endLoop()
    let run = RunHarness(builder.pipeline("first"), files: [10])
    run.send(.runBegan)
    run.load()
    run.answer("send", of: 0, .ok(), at: 1)
    run.answer("mark", of: 0, .fail(Failure("no")), at: 1)
    run.pass()
    run.send(.allowanceExpiring, at: 2)
    run.expect("interrupt 0/0 undo")
  }

  @Test func `a step that cannot use a connection leaves it to the next`() {
    let run = RunHarness(
      SmallPipelines.renewing([], session: true, concurrency: 3), files: [10, 10, 10])
    run.send(.limitsKnown(ProcessLimits(exchanges: 1)))
    run.send(.runBegan)
    run.answer("sign_in", .token("a"))
    run.answer("open", .upload("s"))
    run.load()
    run.pass()
    // Both that wait find that the session has expired.
    run.answer("send", of: 0, .ok(), at: 700)
    run.expect("run open 2.1")
    for ordinal in 1...2 { #expect(run.blocker(ordinal) == .dependency(step: 2, on: 1)) }
  }

  /// One item with an upload ID, made after 1 s.
  private func allocated(_ pipeline: Pipeline) -> RunHarness {
    let run = RunHarness(pipeline, files: [10])
    run.send(.runBegan)
    run.answer("sign_in", .token("a"))
    run.load()
    run.answer("allocate", of: 0, .upload("u1", at: 1), at: 1)
    run.pass()
    return run
  }
}
