import MachineSupport
import PipelineCore
import Testing

/// Files that stay in the user's folder: the run neither counts nor deletes them.
struct SavedFileTests {
  private func saves(_ budgets: Budgets = Budgets(), thenUploads: Bool = false) -> Pipeline {
    var builder = PipelineBuilder(budgets: budgets)
    builder.input("server", .url)
    builder.input("target", .folder)
    builder.input("files", .files)
    builder.loop("item", concurrency: 3)
    builder.step(
      "get",
      .download(
        DownloadTemplate(
          request: RequestTemplate(url: builder.template("${{ inputs.server }}/film")),
          save: Saving(
            folder: builder.expression("inputs.target"),
            name: builder.template("${{ item.name }}")))))
    if thenUploads {
      builder.step(
        "put",
        .upload(
          UploadTemplate(
            request: RequestTemplate(
              method: "PUT", url: builder.template("${{ inputs.server }}/copy")),
            file: builder.expression("steps.get.file"))))
    }
    builder.endLoop()
    return builder.pipeline("saves")
  }

  private func begun(_ pipeline: Pipeline, _ files: [Int64]) -> RunHarness {
    let run = RunHarness(pipeline, files: files)
    run.send(.runBegan)
    run.load()
    run.pass()
    return run
  }

  private let saved = Verdict.ok(
    file: FileValue(path: "/target/film", name: "film", size: 1000, modified: 0))

  @Test func `an item that fails or is cancelled leaves nothing incomplete behind`() {
    let run = begun(saves(), [1, 1])
    run.answer("get", of: 0, .fail(Failure("404", status: 404)))
    run.expect("discard 0/0 0 and partials")
    run.discard()
    run.send(.cancelRequested)
    run.answer("get", of: 1, .interrupted)
    run.expect("interrupt 0/1 get 1.1", "discard 0/1 0 and partials")
    run.discard()
    run.expect("stop")
  }

  @Test func `an item that pauses keeps its received bytes, until the run is cancelled`() {
    let run = begun(saves(), [1])
    run.answer("get", of: 0, .pause(Failure("503", status: 503)))
    #expect(run.row(0).status == .paused)
    run.expect("stop")
  }

  @Test func `a file that stays does not use the disk budget, and needs no size for it`() {
    let run = begun(saves(Budgets(diskBytes: 100), thenUploads: true), [1])
    #expect(run.inFlight("get", of: 0) != nil)
    #expect(run.machine.reservedDiskBytes == 0)
    run.answer("get", of: 0, saved)
    #expect(run.machine.reservedDiskBytes == 0)
    #expect(run.inFlight("put", of: 0) != nil)
    run.pass()
    run.answer("put", of: 0, .ok())
    run.expect("discard 0/0 0 and partials")
  }

  @Test func `an item that pauses after its file was saved does not download it again`() {
    let run = begun(saves(thenUploads: true), [1])
    run.answer("get", of: 0, saved)
    run.pass()
    run.answer("put", of: 0, .pause(Failure("503", status: 503)))
    #expect(run.row(0).frame.first?.file?.path == "/target/film")
    #expect(run.row(0).frame.first?.status == .succeeded)
  }
}
