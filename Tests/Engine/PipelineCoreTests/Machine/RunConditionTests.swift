import CEL
import MachineSupport
import PipelineCore
import Testing

/// What concerns the whole run: how many items are started, pauses that hosts ask for, and refusals.
struct RunConditionTests {
  private static let files = [Int64](repeating: 1, count: 20)

  private func refused(_ status: Int, _ text: String = "no") -> Verdict {
    .fail(Failure(text, status: status))
  }

  private func active(_ run: RunHarness) -> [Int] {
    run.machine.state.loops[0].active.keys.sorted()
  }

  // MARK: Items that are started

  @Test func `at most as many items wait after a failure as are being worked on`() {
    let run = begun(SmallPipelines.single(concurrency: 2), Self.files)
    for ordinal in 0..<2 { run.answer("send", of: ordinal, .retry(Failure("lost")), at: 0) }
    #expect(active(run) == [0, 1, 2, 3])
    for ordinal in 2..<4 { run.answer("send", of: ordinal, .retry(Failure("busy")), at: 0) }
    #expect(active(run) == [0, 1, 2, 3])
    #expect(run.machine.inFlight.isEmpty)
  }

  @Test func `a few bad items do not block the rest, and the wait shows how many may wait`() {
    let run = begun(SmallPipelines.single(concurrency: 2, waiting: 1), Self.files)
    let bad = Verdict.retry(Failure("bad", status: 409))
    run.answer("send", of: 0, bad, at: 0)
    #expect(active(run) == [0, 1, 2])
    run.answer("send", of: 1, bad, at: 0)
    // The second one that waits keeps its place.
    #expect(active(run) == [0, 1, 2])
    run.answer("send", of: 2, .ok(), at: 0)
    run.answer("mark", of: 2, .ok(), at: 0)
    #expect(active(run) == [0, 1, 3])
  }

  @Test func `items that wait as their author specified release their places`() {
    let run = begun(SmallPipelines.poll(concurrency: 2), Self.files)
    for ordinal in 0..<10 {
      run.answer("begin", of: ordinal, .ok(OutputValue(value: .string("http://h/j"))), at: 0)
      run.answer("wait", of: ordinal, .poll(at: Instant(milliseconds: 20_000)), at: 0)
    }
    #expect(active(run) == Array(0..<12))
  }

  @Test func `while a host refuses most requests, one new item tries at a time`() {
    let run = begun(
      SmallPipelines.single(concurrency: 8, retry: RetryPolicy(attempts: 1)), Self.files)
    // Three start in the place of the first ones; from the fourth refusal on, none does.
    for ordinal in 0..<10 { run.answer("send", of: ordinal, .busy, at: 0) }
    #expect(run.machine.inFlight.count == 1)
    #expect(active(run).count == 1)
    let next = active(run)[0]
    run.answer("send", of: next, .ok(), at: 1)
    run.answer("mark", of: next, .ok(), at: 1)
    #expect(run.machine.inFlight.count == 1)
    let last = active(run)[0]
    run.answer("send", of: last, .ok(), at: 1)
    run.answer("mark", of: last, .ok(), at: 1)
    #expect(run.machine.inFlight.count == 8)
  }

  @Test func `a server that is down for an hour pauses the run, and a short restart does not`() {
    let run = begun(
      SmallPipelines.single(concurrency: 8, retry: RetryPolicy(attempts: 1)), Self.files)
    func refuse(_ ordinals: Range<Int>, at seconds: Double) {
      for ordinal in ordinals { run.answer("send", of: ordinal, .busy, at: seconds) }
    }
    refuse(0..<10, at: 0)
    #expect(run.machine.state.status == .running)
    refuse(10..<11, at: 3599)
    #expect(run.machine.state.status == .running)
    refuse(11..<12, at: 3600)
    #expect(run.machine.state.status == .paused)
    let reason = run.machine.state.reason?.message ?? ""
    #expect(reason.contains("items in a row were refused in the same way: "), "\(reason)")
  }

  @Test func `an outage counts once, even if its responses differ`() {
    let run = begun(
      SmallPipelines.single(concurrency: 8, retry: RetryPolicy(attempts: 1)), Self.files)
    for ordinal in 0..<10 { run.answer("send", of: ordinal, .busy, at: 0) }
    run.answer("send", of: 10, .retry(Failure("broken", status: 500)), at: 3599)
    #expect(run.machine.state.status == .running)
    run.answer("send", of: 11, .retry(Failure("the connection was lost")), at: 3600)
    #expect(run.machine.state.status == .paused)
  }

  @Test func `a success during an outage restarts the hour`() {
    let run = begun(
      SmallPipelines.single(concurrency: 8, retry: RetryPolicy(attempts: 1)), Self.files)
    for ordinal in 0..<10 { run.answer("send", of: ordinal, .busy, at: 0) }
    run.answer("send", of: 10, .ok(), at: 3600)
    run.answer("mark", of: 10, .ok(), at: 3600)
    run.answer("send", of: 11, .busy, at: 3601)
    run.answer("send", of: 12, .busy, at: 3602)
    #expect(run.machine.state.status == .running)
  }

  // MARK: Pauses of hosts

  private static func busy(until seconds: Int64) -> Verdict {
    .retry(Failure("busy", status: 429), after: Instant(milliseconds: seconds * 1000))
  }

  @Test func `a pause that a response asks for applies to all requests to the host`() {
    let run = begun(SmallPipelines.single(concurrency: 2), Self.files)
    run.answer("send", of: 0, Self.busy(until: 8), at: 0)
    // Item 2 starts in the place of item 0, and waits as well.
    #expect(run.machine.inFlight.count == 1)
    run.answer("send", of: 1, .ok(), at: 1)
    #expect(run.machine.inFlight.isEmpty)
    guard case .host(let name, step: 0, until: _)? = run.blocker(2) else {
      Issue.record("item 2 waits for \(String(describing: run.blocker(2)))")
      return
    }
    #expect(name == "http://h")
    #expect(active(run) == [0, 1, 2])
  }

  @Test func `frames that waited for a host follow one at a time`() {
    let run = begun(SmallPipelines.single(concurrency: 4), Self.files)
    for ordinal in 0..<4 { run.answer("send", of: ordinal, Self.busy(until: 8), at: 0) }
    var moments: [Int64] = []
    while moments.count < 8, let next = run.machine.nextDue {
      let before = run.machine.inFlight.count
      run.send(.timerFired, at: Double(next.milliseconds) / 1000)
      let begun = run.machine.inFlight.count - before
      #expect(begun <= 1)
      if begun == 1 { moments.append(next.milliseconds) }
      for id in run.machine.inFlight {
        run.send(.concluded(id, .fail(Failure("end", status: 400))))
      }
    }
    #expect(moments.first == 8000)
    #expect(zip(moments, moments.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func `a pause outlives the process`() {
    let run = begun(SmallPipelines.single(concurrency: 2), Self.files)
    run.answer("send", of: 0, Self.busy(until: 60), at: 0)
    run.answer("send", of: 1, refused(400), at: 1)
    run.crash(at: 2)
    run.load()
    #expect(run.machine.inFlight.isEmpty)
  }

  @Test func `a frame that had its turn in an earlier pause keeps its place after a restart`() {
    let run = begun(SmallPipelines.single(concurrency: 2), Self.files)
    run.answer("send", of: 0, Self.busy(until: 8), at: 0)
    run.answer("send", of: 1, Self.busy(until: 60), at: 1)
    #expect(active(run) == [0, 1, 2, 3])
    run.crash(at: 2)
    run.load()
    #expect(active(run) == [0, 1, 2, 3])
    run.pass()
  }

  @Test func `continuing the run ends a long pause`() {
    let run = begun(SmallPipelines.single(concurrency: 2), Self.files)
    run.answer("send", of: 0, Self.busy(until: 7200), at: 0)
    run.answer("send", of: 1, refused(400), at: 1)
    #expect(run.machine.inFlight.isEmpty)
    run.send(.unpaused, at: 2)
    #expect(!run.machine.inFlight.isEmpty)
  }

  @Test(arguments: [408, 423, 500, 502])
  func `other failures concern only their own request`(_ status: Int) {
    let run = begun(SmallPipelines.single(concurrency: 2), Self.files)
    let later = Instant(milliseconds: 60_000)
    run.answer("send", of: 0, .retry(Failure("no", status: status), after: later), at: 0)
    #expect(run.machine.inFlight.count == 2)
  }

  @Test func `a pause applies to the rate that requests name`() {
    let run = begun(SmallPipelines.single(concurrency: 2, rate: "writes"), Self.files)
    run.answer("send", of: 0, Self.busy(until: 8), at: 0)
    run.answer("send", of: 1, .ok(), at: 1)
    // 'mark' does not name a rate.
    #expect(run.inFlight("mark", of: 1) != nil)
    #expect(run.machine.state.pauses.keys.sorted() == ["writes"])
  }

  // MARK: Refusals

  @Test(arguments: [402, 507])
  func `the third item in a row with the same refusal pauses the run`(_ status: Int) {
    let run = begun(SmallPipelines.single(concurrency: 1), Self.files)
    for ordinal in 0..<2 { run.answer("send", of: ordinal, refused(status), at: 0) }
    #expect(run.machine.state.status == .running)
    run.answer("send", of: 2, refused(status), at: 0)
    #expect(run.machine.state.status == .paused)
    #expect(run.machine.inFlight.isEmpty)
    #expect(
      run.machine.state.reason?.message
        == "3 items in a row were refused in the same way: no; correct the cause before the run continues"
    )
    run.retry(at: 1)
    run.load()
    #expect(run.machine.state.status == .running)
    #expect(run.machine.inFlight.count == 1)
  }

  @Test func `a success in between, another status, or a single item does not pause the run`() {
    let run = begun(SmallPipelines.single(concurrency: 1), Array(Self.files.prefix(8)))
    for ordinal in 0..<2 { run.answer("send", of: ordinal, refused(507), at: 0) }
    run.answer("send", of: 2, .ok(), at: 0)
    run.answer("mark", of: 2, .ok(), at: 0)
    for ordinal in 3..<5 { run.answer("send", of: ordinal, refused(507), at: 0) }
    for ordinal in 5..<7 { run.answer("send", of: ordinal, refused(402), at: 0) }
    for attempt in 1...2 {
      run.answer("send", of: 7, .retry(Failure("full", status: 507)), at: Double(60 * attempt))
      run.send(.timerFired, at: Double(60 * attempt + 30))
    }
    #expect(run.machine.state.status == .running)
  }

  @Test func `401 without credentials does not pause the run, and the threshold may be 0 or 1`() {
    let run = begun(SmallPipelines.single(concurrency: 1), Self.files)
    for ordinal in 0..<5 { run.answer("send", of: ordinal, refused(401), at: 0) }
    #expect(run.machine.state.status == .running)
    let never = begun(
      SmallPipelines.single(concurrency: 1, budgets: Budgets(refusals: 0)), Self.files)
    for ordinal in 0..<5 { never.answer("send", of: ordinal, refused(507), at: 0) }
    #expect(never.machine.state.status == .running)
    let first = begun(
      SmallPipelines.single(concurrency: 1, budgets: Budgets(refusals: 1)), Self.files)
    first.answer("send", of: 0, refused(507), at: 0)
    #expect(first.machine.state.status == .paused)
  }

  @Test func `a refused password pauses the run`() {
    let run = begun(SmallPipelines.single(concurrency: 4, hasPassword: true), Self.files)
    for ordinal in 0..<3 { run.answer("send", of: ordinal, refused(401), at: 0) }
    #expect(run.machine.state.status == .paused)
    // Three that were refused, and the requests in flight when the third came.
    #expect(run.machine.inFlight.count <= 5)
  }

  @Test(arguments: [
    (507, "no", false, true), (402, "no", false, true), (401, "no", true, true),
    (403, "no", true, true), (403, "no", false, false), (403, "Quota exceeded", false, true),
    (413, "the quota is used up", false, true), (413, "no", false, false),
    (200, "quota", true, false), (404, "no", true, false),
    (409, "path/insufficient_space/.", false, true), (403, "storageQuotaExceeded", false, true),
    (403, "storage_limit_exceeded", false, true), (403, "cap_exceeded", false, true),
    (400, "expected a quotation mark", false, false), (429, "Quota exceeded", true, false),
    (404, "step 'quota': GET returned 404", false, false),
    (400, "step 'put': PUT returned 400; the server says 'quota exceeded'", false, true),
  ])
  func `refusals that concern other items`(
    _ status: Int, _ text: String, _ hasCredentials: Bool, _ isRefusal: Bool
  ) {
    #expect(
      Failure(text, status: status).isRefusal(withCredentials: hasCredentials) == isRefusal)
  }

  @Test func `an entry can pause the run at once, and the item continues with it`() {
    let run = begun(SmallPipelines.single(concurrency: 2, key: "Key"), Self.files)
    run.answer("send", of: 0, .pauseRun(Failure("the account is closed", status: 423)), at: 0)
    #expect(run.machine.state.status == .paused)
    #expect(run.machine.state.reason?.message == "the account is closed")
    #expect(run.blocker(0) == .stopped)
    run.answer("send", of: 1, .ok(), at: 0)
    run.pass()
    run.send(.unpaused, at: 1)
    run.expect("0/0 send 1.2", "0/1 mark 1.1")
  }

  // MARK: Stale connections

  private static let stale = Verdict.stale(Failure("closed"))

  @Test func `a stale connection is repeated once at once, without counting as an attempt`() {
    let run = begun(SmallPipelines.single(concurrency: 1), [1])
    run.pass()
    run.answer("send", of: 0, Self.stale, at: 1)
    run.expect("0/0 send 1.2")
    #expect(run.step("send", of: 0)?.failures == 0)
    run.answer("send", of: 0, Self.stale, at: 1)
    #expect(run.step("send", of: 0)?.failures == 1)
    #expect(run.inFlight("send", of: 0) == nil)
  }

  @Test func `an unsafe request is not repeated after a stale connection`() {
    let run = begun(SmallPipelines.single(concurrency: 1, effect: .create), [1])
    run.answer("send", of: 0, Self.stale, at: 1)
    #expect(run.row(0).status == .paused)
    #expect(run.row(0).reason?.message.contains("outcome unknown") == true)
    let keyed = begun(SmallPipelines.single(concurrency: 1, effect: .create, key: "Key"), [1])
    keyed.pass()
    keyed.answer("send", of: 0, Self.stale, at: 1)
    keyed.expect("0/0 send 1.2")
    let probed = begun(SmallPipelines.single(concurrency: 1, effect: .create, hasProbe: true), [1])
    probed.pass()
    probed.answer("send", of: 0, Self.stale, at: 1)
    probed.expect("probe 0/0 send 1.2")
  }

  // MARK: Uploads that disappear

  @Test func `an upload that disappears after some progress is started again later each time`() {
    let run = begun(SmallPipelines.sessions(concurrency: 1), [1])
    var waits: [Int64] = []
    for round in 0..<5 {
      let now = Int64(round) * 3600
      if run.inFlight("open", of: 0) == nil {
        let due = run.machine.nextDue ?? run.now
        waits.append((due - run.now).milliseconds)
        run.send(.timerFired, at: Double(due.milliseconds) / 1000)
      }
      run.answer("open", of: 0, .upload("u", at: now), at: Double(now))
      run.answer(
        "send", of: 0, .expired(step: 0, Failure("404, gone", status: 404)), at: Double(now) + 1)
    }
    #expect(waits.count == 3)
    #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 < $1 })
  }

  private func begun(_ pipeline: Pipeline, _ files: [Int64]) -> RunHarness {
    let run = RunHarness(pipeline, files: files)
    run.send(.runBegan, at: 0)
    run.load()
    return run
  }
}
