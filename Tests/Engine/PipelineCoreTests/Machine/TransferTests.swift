import CEL
import MachineSupport
import PipelineCore
import Testing

/// The earliest start of transfers, and the order in which they get slots.
struct TransferTests {
  private func upload(
    _ builder: PipelineBuilder, of file: String = "item", priority: Double = 0.5,
    earliest: String? = nil
  ) -> Step.Action {
    .upload(
      UploadTemplate(
        request: RequestTemplate(method: "PUT", url: builder.template("${{ inputs.server }}")),
        file: builder.expression(file),
        transfer: TransferPolicy(
          priority: priority, earliest: earliest.map { builder.expression($0) })))
  }

  private func early(_ earliest: String) -> Pipeline {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("item")
    builder.step("send", upload(builder, earliest: earliest), retry: .prompt)
    builder.endLoop()
    return builder.pipeline("early")
  }

  private func begun(_ pipeline: Pipeline, _ files: [Int64]) -> RunHarness {
    let run = RunHarness(pipeline, files: files)
    run.send(.runBegan)
    run.load()
    run.pass()
    return run
  }

  @Test func `an earliest start that is neither a time nor a duration fails its item`() {
    let run = begun(early("1"), [10])
    #expect(run.row(0).status == .failed)
    #expect(run.row(0).reason?.message.hasSuffix("expected a timestamp or a duration") == true)
  }

  @Test(arguments: ["duration('60s')", "timestamp('1970-01-01T00:01:00Z')"])
  func `a transfer is not started before its time, and reports that`(_ earliest: String) {
    let run = begun(early(earliest), [10])
    let blocker = Blocker.earliest(step: 0, until: Instant(milliseconds: 60_000))
    #expect(run.blocker(0) == blocker)
    #expect(run.inFlight("send", of: 0) == nil)
    run.send(.timerFired, at: 59)
    run.pass()
    #expect(run.blocker(0) == blocker)
    run.send(.timerFired, at: 60)
    run.expect("0/0 send 1.1")
  }

  @Test func `TX14: a process that may not run until then hands over, and the service waits`() {
    let run = begun(early("duration('60s')"), [10])
    run.send(.allowanceGranted(until: Instant(milliseconds: 40_000)), at: 10)
    run.expect("0/0 send 1.1")
    #expect(run.step("send", of: 0)?.earliest == Instant(milliseconds: 60_000))
    #expect(run.step("send", of: 0)?.notBefore == nil)
  }

  @Test func `TX14: a run-level transfer is handed over too`() {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    builder.input("file", .file)
    builder.step(
      "send", upload(builder, of: "inputs.file", earliest: "duration('60s')"), retry: .prompt)
    let run = RunHarness(builder.pipeline("early"))
    run.send(.runBegan)
    run.expect("timer 60.0")
    #expect(run.blocker() == .earliest(step: 0, until: Instant(milliseconds: 60_000)))
    run.send(.allowanceGranted(until: Instant(milliseconds: 40_000)), at: 10)
    run.expect("run send 1.1")
  }

  @Test func `TX14: a transfer that is due in a limited time is handed over at once`() {
    let run = RunHarness(early("duration('60s')"), files: [10])
    run.send(.runBegan)
    run.send(.allowanceGranted(until: Instant(milliseconds: 40_000)))
    run.load()
    run.expect("load 0 pending > -1", "0/0 send 1.1")
    #expect(run.step("send", of: 0)?.earliest == Instant(milliseconds: 60_000))
  }

  @Test func `a restart does not restart the waiting`() {
    let run = begun(early("duration('60s')"), [10])
    run.crash(at: 30)
    run.pass()
    #expect(run.blocker(0) == .earliest(step: 0, until: Instant(milliseconds: 60_000)))
    run.send(.timerFired, at: 60)
    run.expect("0/0 send 1.1")
  }

  @Test func `TX4: a new process asks for the transfer that was handed over, under its fence`() {
    let run = begun(early("duration('0s')"), [10])
    run.crash(at: 30)
    run.expect("adopt 0/0 send 1.1")
    #expect(run.blocker(0) == .attempt(step: 0))
    run.crash(at: 40)
    run.expect("adopt 0/0 send 1.1")
    run.answer("send", of: 0, .ok(), at: 50)
    run.expect("stop")
    #expect(run.row(0).status == .done)
  }

  @Test func `FQ3: a transfer missing from the service was interrupted, which is not a failure`() {
    let run = begun(early("duration('0s')"), [10])
    run.crash(at: 30)
    run.pass()
    run.answer("send", of: 0, .interrupted, at: 31)
    run.expect("0/0 send 1.2")
    #expect(run.step("send", of: 0)?.failures == 0)
  }

  @Test func `transfers of a cancelled run are not asked for`() {
    let run = begun(early("duration('0s')"), [10])
    run.send(.cancelRequested, at: 1)
    run.pass()
    run.crash(at: 2)
    run.pass()
    #expect(run.inFlight("send", of: 0) == nil)
  }

  @Test func `a time in the past delays nothing, and a repeat waits only for its back-off`() {
    let past = begun(early("timestamp('1969-12-31T00:00:00Z')"), [10])
    #expect(past.inFlight("send", of: 0) != nil)
    let run = begun(early("duration('60s')"), [10])
    run.send(.timerFired, at: 60)
    run.answer("send", of: 0, .busy, at: 61)
    run.pass()
    #expect(run.blocker(0) == .delay(step: 0, until: Instant(milliseconds: 62_000)))
  }

  @Test func `the higher priority gets a slot first, and of equal ones the earlier`() {
    var builder = PipelineBuilder(budgets: Budgets(transfers: 1))
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("item", concurrency: 3)
    builder.step("photo", upload(builder, priority: 0.2))
    builder.step("index", upload(builder, priority: 0.9), dependsOn: ["photo"])
    builder.endLoop()
    let run = begun(builder.pipeline("order"), [10, 10, 10])
    #expect(run.blocker(1) == .transfers(step: 0, limit: 1))
    run.answer("photo", of: 0, .ok())
    run.expect("0/0 index 1.1")
    run.answer("index", of: 0, .ok())
    run.expect("0/1 photo 1.1")
    run.answer("photo", of: 1, .ok())
    run.expect("0/1 index 1.1")
    run.answer("index", of: 1, .ok())
    run.expect("0/2 photo 1.1")
  }

  private func downloads(
    _ budgets: Budgets, size: String? = nil, most: Int64? = nil
  ) -> Pipeline {
    var builder = PipelineBuilder(budgets: budgets)
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("item", concurrency: 3)
    builder.step(
      "get",
      .download(
        DownloadTemplate(
          request: RequestTemplate(url: builder.template("${{ inputs.server }}/film")),
          size: size.map { builder.expression($0) }, maximumSize: most)))
    builder.endLoop()
    return builder.pipeline("downloads")
  }

  @Test func `a download of unknown size does not start inside a disk budget`() {
    let run = begun(downloads(Budgets(diskBytes: 100)), [1])
    #expect(run.row(0).status == .failed)
    #expect(
      run.row(0).reason?.message.hasSuffix(
        "the disk budget needs 'size' or 'max_size'") == true)
  }

  @Test func `a download reserves the maximum size, and returns the rest`() {
    let run = begun(downloads(Budgets(diskBytes: 100), most: 60), [1, 1])
    #expect(run.machine.reservedDiskBytes == 60)
    #expect(run.blocker(1) == .disk(step: 0, needed: 60, available: 40))
    run.answer("get", of: 0, .file(10))
    run.pass()
    #expect(run.inFlight("get", of: 1) != nil)
    #expect(run.machine.reservedDiskBytes == 70)
    run.discard()
    #expect(run.machine.reservedDiskBytes == 60)
  }

  @Test func `a download that fails does not hold space, and occupies a slot while it lasts`() {
    let run = begun(downloads(Budgets(diskBytes: 100, transfers: 1), size: "item.size"), [40, 30])
    #expect(run.machine.queuedTransfers == 1)
    #expect(run.blocker(1) == .transfers(step: 0, limit: 1))
    #expect(run.machine.reservedDiskBytes == 40)
    run.answer("get", of: 0, .busy, at: 1)
    #expect(run.machine.reservedDiskBytes == 30)
    #expect(run.inFlight("get", of: 1) != nil)
    #expect(run.blocker(0) == .delay(step: 0, until: Instant(milliseconds: 2000)))
  }

  @Test func `the server's clock is learnt from the response to a download, and stored`() {
    let run = begun(downloads(Budgets()), [1])
    let offset = ClockOffset(low: 1000, high: 2000)
    run.answer(
      "get", of: 0,
      .success(
        StepResult(
          file: FileValue(path: "0-0/get", name: "get", size: 1, modified: 0),
          clock: .init(host: "h", offset: offset))))
    run.pass()
    #expect(run.world.rows.run?.clocks["h"] == offset)
  }

  @Test func `a transfer whose upload ID has expired releases its slot to the next`() {
    let run = RunHarness(
      SmallPipelines.photos(budgets: Budgets(transfers: 1)), files: [100, 100])
    run.send(.runBegan)
    run.answer("sign_in", .token("t"))
    run.load()
    for ordinal in 0...1 {
      run.answer("allocate", of: ordinal, .upload("u\(ordinal)"))
      run.answer("body", of: ordinal, .file(1))
    }
    run.pass()
    run.answer("upload", of: 0, .expired(step: 1, Failure("gone", status: 410)), at: 1)
    run.expect("0/0 allocate 2.1", "0/1 upload 1.1")
  }

  @Test func `a download whose identifier has expired holds no space`() {
    var builder = PipelineBuilder(budgets: Budgets(diskBytes: 100))
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("item")
    builder.step(
      "ask", .request(RequestTemplate(url: builder.template("${{ inputs.server }}"))),
      outputs: [OutputDeclaration(name: "url", value: builder.template("${{ response.text }}"))])
    builder.step(
      "get",
      .download(
        DownloadTemplate(
          request: RequestTemplate(url: builder.template("${{ steps.ask.url }}")),
          size: builder.expression("item.size"))))
    builder.endLoop()
    let run = begun(builder.pipeline(), [40])
    run.answer("ask", of: 0, .ok(OutputValue(value: .string("http://h/1"))))
    #expect(run.machine.reservedDiskBytes == 40)
    run.answer("get", of: 0, .expired(step: 0, Failure("gone", status: 410)), at: 1)
    #expect(run.machine.reservedDiskBytes == 0)
    run.pass()
  }

  @Test func `without a budget, a file of any size is accepted, and deleted with its item`() {
    let run = begun(downloads(Budgets()), [1])
    run.answer("get", of: 0, .file(1000))
    run.expect("discard 0/0 1000")
  }
}
