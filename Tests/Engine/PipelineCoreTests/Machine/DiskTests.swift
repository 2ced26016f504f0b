import MachineSupport
import PipelineCore
import Testing

/// The disk budget: the claims, the order of service, and that no frame waits forever.
struct DiskTests {
  @Test func `space is reserved first, waited for in order, and returned`() {
    let run = begun(SmallPipelines.copies(concurrency: 3, disk: 100), [60, 60, 30])
    run.expect("load 0 pending > -1", "0/0 copy 1.1 60 B")
    #expect(run.blocker(1) == .disk(step: 0, needed: 60, available: 40))
    #expect(run.blocker(2) == .disk(step: 0, needed: 30, available: 40))
    run.answer("copy", of: 0, .retry(Failure("system")), at: 1)
    run.expect("0/1 copy 1.1 60 B", "0/2 copy 1.1 30 B", "timer 2.0")
    run.answer("copy", of: 1, .file(60), at: 1)
    run.answer("upload", of: 1, .ok(), at: 1)
    run.expect("0/1 upload 1.1", "discard 0/1 60")
    #expect(run.machine.reservedDiskBytes == 90)
    run.discard()
    #expect(run.machine.reservedDiskBytes == 30)
  }

  @Test func `a file that can never fit fails its item with both numbers`() {
    let run = begun(SmallPipelines.copies(disk: 100), [101])
    run.expect("load 0 pending > -1", "stop")
    #expect(run.row(0).status == .failed)
    #expect(
      run.row(0).reason?.message == "needs 101 bytes, but the disk budget is 100 bytes")
  }

  @Test func `an item that holds space gets a place before one that waits for space`() {
    let run = begun(SmallPipelines.copies(concurrency: 1, disk: 10), [10, 10])
    run.answer("copy", of: 0, .file(10))
    run.answer("upload", of: 0, .busy, at: 1)
    run.pass()
    run.send(.timerFired, at: 2)
    run.expect("0/0 upload 1.2")
  }

  @Test func `an item claims the space of all its files at its first file`() {
    let run = begun(SmallPipelines.copies(disk: 30, second: true), [10, 10])
    run.expect("load 0 pending > -1", "0/0 copy 1.1 10 B")
    #expect(run.blocker(1) == .disk(step: 0, needed: 20, available: 10))
    #expect(run.machine.reservedDiskBytes == 20)
    run.answer("copy", of: 0, .file(10))
    run.answer("again", of: 0, .retry(Failure("system")), at: 1)
    // With a file in its hands it keeps its claim.
    run.expect("0/0 again 1.1 10 B", "timer 2.0")
    #expect(run.machine.reservedDiskBytes == 20)
    run.send(.timerFired, at: 2)
    run.expect("0/0 again 1.2 10 B")
  }

  @Test func `the end of a process loses no claim of an item that holds files`() {
    let run = begun(SmallPipelines.copies(disk: 30, second: true), [10, 10])
    run.answer("copy", of: 0, .file(10))
    run.crash(at: 1)
    #expect(run.machine.reservedDiskBytes == 20)
    #expect(run.step("again", of: 0)?.attempt == 2)
  }

  @Test func `a long wait of one item does not keep a place from another`() {
    let run = begun(SmallPipelines.copies(disk: 20), [10, 10, 10])
    run.answer("copy", of: 0, .file(10))
    run.answer("copy", of: 1, .file(10))
    run.answer("upload", of: 0, .poll(at: Instant(milliseconds: 100_000)), at: 1)
    #expect(run.blocker(2) == .disk(step: 0, needed: 10, available: 0))
    run.answer("upload", of: 1, .poll(at: Instant(milliseconds: 2000)), at: 1)
    run.pass()
    run.send(.timerFired, at: 2)
    // Item 2 waits for space and has left its place.
    run.expect("0/1 upload 1.2", "timer 100.0")
  }

  @Test func `a place that is released because of missing space is passed to a waiting item`() {
    var builder = PipelineBuilder(budgets: Budgets(diskBytes: 10))
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("item", concurrency: 1)
    let url = builder.template("${{ inputs.server }}")
    builder.step("ask", .request(RequestTemplate(url: url)))
    builder.step(
      "copy",
      .materialize(MaterializeTemplate(source: .file(builder.expression("item"), range: nil))),
      dependsOn: ["ask"])
    builder.step(
      "upload",
      .upload(
        UploadTemplate(
          request: RequestTemplate(method: "PUT", url: url),
          file: builder.expression("steps.copy.file"))))
    builder.endLoop()
    let run = begun(builder.pipeline(), [10, 10])
    run.answer("ask", of: 0, .ok())
    run.answer("copy", of: 0, .file(10))
    run.answer("upload", of: 0, .busy, at: 0)
    run.send(.timerFired, at: 1)
    #expect(run.blocker(0) == .concurrency(limit: 1))
    run.pass()
    // Swarm seed 1195: it now waits for the space that item 0 holds, and leaves its place.
    run.answer("ask", of: 1, .ok(), at: 2)
    run.expect("0/0 upload 1.2")
  }

  @Test func `items do not start only to wait for space as well`() {
    let run = begun(SmallPipelines.copies(concurrency: 2, disk: 10), [10, 10, 10])
    run.expect("load 0 pending > -1", "0/0 copy 1.1 10 B")
    #expect(run.blocker(1) == .disk(step: 0, needed: 10, available: 0))
    #expect(run.row(2).status == .pending)
  }

  @Test func `a junior that waits for more space releases its files and recreates them`() {
    let run = begun(growing(disk: 40), [40, 40])
    for ordinal in 0...1 { run.answer("first", of: ordinal, .file(10)) }
    // Both need more than their files were estimated to need, and together more than there is.
    run.answer("look", of: 0, .upload("25"))
    #expect(run.blocker(0) == .disk(step: 2, needed: 15, available: 0))
    run.pass()
    run.answer("look", of: 1, .upload("25"))
    run.expect("discard 0/1 10")
    run.discard()
    run.expect("0/0 second 1.1 25 B")
    run.answer("second", of: 0, .file(25))
    run.answer("upload", of: 0, .ok())
    run.discard()
    run.expect("0/0 upload 1.1", "discard 0/0 35", "0/1 first 1.2 10 B")
    #expect(run.step("first", of: 1)?.generation == 1)
    run.answer("first", of: 1, .file(10))
    // Space that was requested in the meantime is not requested again.
    run.expect("0/1 second 1.1 25 B")
  }

  @Test func `space that a junior item only claimed is used before that of its files`() {
    let run = begun(growing(disk: 40), [40, 40])
    for ordinal in 0...1 { run.answer("first", of: ordinal, .file(10)) }
    run.answer("look", of: 0, .upload("20"))
    run.pass()
    run.answer("look", of: 1, .upload("20"))
    run.expect("0/0 second 1.1 20 B")
    #expect(run.step("first", of: 1)?.file != nil)
  }

  @Test func `files that are no longer needed are released before any item waits for space`() {
    let run = begun(growing(disk: 30, keepsFirst: false), [30, 30])
    run.answer("first", of: 0, .file(10))
    run.answer("look", of: 0, .upload("20"))
    run.pass()
    run.answer("second", of: 0, .file(20))
    run.answer("upload", of: 0, .busy, at: 1)
    #expect(run.blocker(1) == .disk(step: 0, needed: 20, available: 0))
  }

  @Test func `a download uses its space although bodies are sent in pieces`() {
    var builder = PipelineBuilder(budgets: Budgets(diskBytes: 15))
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("item")
    let request = RequestTemplate(url: builder.template("${{ inputs.server }}"))
    builder.step("get", .download(DownloadTemplate(request: request, maximumSize: 10)))
    builder.endLoop()
    let run = RunHarness(builder.pipeline(), files: [1, 1])
    run.send(.limitsKnown(ProcessLimits(sendsPieces: true)))
    run.send(.runBegan, at: 0)
    run.load()
    run.expect("load 0 pending > -1", "0/0 get 1.1 10 B")
    #expect(run.blocker(1) == .disk(step: 0, needed: 10, available: 5))
  }

  @Test func `a file that parts are derived from stays while they are worked on`() {
    var builder = PipelineBuilder(budgets: Budgets(diskBytes: 15))
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("item", concurrency: 2)
    builder.step(
      "copy",
      .materialize(MaterializeTemplate(source: .file(builder.expression("item"), range: nil))))
    builder.parts("parts", "part", in: "[1, 2]")
    builder.step(
      "put", .request(RequestTemplate(url: builder.template("${{ inputs.server }}"))),
      dependsOn: ["copy"])
    builder.endParts(collect: [:], dependsOn: ["copy"])
    builder.endLoop()
    let run = begun(builder.pipeline(), [10, 10])
    run.answer("copy", of: 0, .busy, at: 1)
    run.answer("copy", of: 1, .file(10), at: 1)
    run.pass()
    // Item 0 comes first, but not at the cost of transfers in progress.
    run.send(.timerFired, at: 2)
    run.expect()
    #expect(run.blocker(0) == .disk(step: 0, needed: 10, available: 5))
  }

  @Test func `a file that a condition leaves out uses no space`() {
    let run = begun(
      cut(disk: 25, [("first", "10", nil), ("second", "10", "item.name == ''")]), [10, 10])
    run.expect("load 0 pending > -1", "0/0 first 1.1 10 B", "0/1 first 1.1 10 B")
  }

  @Test func `a file that is larger than assumed uses the space of a later one first`() {
    let run = begun(
      cut(
        disk: 40,
        [("first", "10", nil), ("second", "int(steps.look.length)", nil), ("third", "10", nil)]),
      [40])
    run.answer("first", of: 0, .file(10))
    run.pass()
    run.answer("look", of: 0, .upload("25"))
    run.expect("0/0 second 1.1 25 B")
  }

  /// For each file the pieces of it in order, and after the first a request that returns a length.
  private func cut(disk: Int64, _ pieces: [(id: String, length: String, condition: String?)])
    -> Pipeline
  {
    var builder = PipelineBuilder(budgets: Budgets(diskBytes: disk))
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("item", concurrency: 2)
    let url = builder.template("${{ inputs.server }}")
    for (place, piece) in pieces.enumerated() {
      let range = MaterializeTemplate.ByteRange(
        offset: builder.expression("0"), length: builder.expression(piece.length))
      builder.step(
        piece.id,
        .materialize(
          MaterializeTemplate(source: .file(builder.expression("item"), range: range))),
        if: piece.condition)
      guard place == 0 else { continue }
      builder.step(
        "look", .request(RequestTemplate(url: url)),
        outputs: [OutputDeclaration(name: "length", value: builder.template("20"))],
        dependsOn: [piece.id])
    }
    builder.step("end", .request(RequestTemplate(url: url)), dependsOn: pieces.map(\.id))
    builder.endLoop()
    return builder.pipeline("cut")
  }

  @Test func `a run-level step that needs space comes before all items`() {
    var builder = PipelineBuilder(budgets: Budgets(diskBytes: 20))
    builder.input("server", .url)
    builder.input("files", .files)
    let url = builder.template("${{ inputs.server }}")
    builder.step(
      "key",
      .materialize(MaterializeTemplate(source: .text(builder.template("0123456789")))))
    builder.loop("item", concurrency: 2)
    builder.step(
      "copy",
      .materialize(MaterializeTemplate(source: .file(builder.expression("item"), range: nil))))
    builder.step(
      "send", .request(RequestTemplate(url: url)),
      on: [builder.matcher("response.status == 401", .expired(builder.index("key")))],
      dependsOn: ["copy", "key"])
    builder.endLoop()
    let run = RunHarness(builder.pipeline(), files: [10, 10])
    run.send(.runBegan, at: 0)
    run.answer("key", .file(10))
    run.load()
    run.answer("copy", of: 0, .file(10))
    run.pass()
    run.answer("send", of: 0, .expired(step: 0, Failure("gone", status: 401)), at: 1)
    run.expect("run key 2.1 10 B")
  }

  /// For each file ten bytes, then as many as the server reports, then a transfer.
  private func growing(disk: Int64, keepsFirst: Bool = true) -> Pipeline {
    var builder = PipelineBuilder(budgets: Budgets(diskBytes: disk))
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("item", concurrency: 2)
    func cut(_ id: String, _ length: String, dependsOn: [String] = []) {
      builder.step(
        id,
        .materialize(
          MaterializeTemplate(
            source: .file(
              builder.expression("item"),
              range: .init(
                offset: builder.expression("0"), length: builder.expression(length))))),
        dependsOn: dependsOn)
    }
    cut("first", "10")
    let url = builder.template("${{ inputs.server }}")
    builder.step(
      "look", .request(RequestTemplate(url: url)),
      outputs: [OutputDeclaration(name: "length", value: builder.template("20"))],
      dependsOn: ["first"])
    cut("second", "int(steps.look.length)")
    builder.step(
      "upload",
      .upload(
        UploadTemplate(
          request: RequestTemplate(method: "PUT", url: url),
          file: builder.expression("steps.second.file"))), dependsOn: keepsFirst ? ["first"] : [])
    builder.endLoop()
    return builder.pipeline()
  }

  private func begun(_ pipeline: Pipeline, _ files: [Int64]) -> RunHarness {
    let run = RunHarness(pipeline, files: files)
    run.send(.runBegan, at: 0)
    run.load()
    return run
  }
}
