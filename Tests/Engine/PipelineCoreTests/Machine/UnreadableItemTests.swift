import MachineSupport
import PipelineCore
import Testing

/// Files that were named and could not be read.
struct UnreadableItemTests {
  @Test func `an item that cannot be read fails without a request, and the next one starts`() {
    let run = RunHarness(SmallPipelines.copies(concurrency: 1, disk: 100), files: [-1, -1, 5, -1])
    run.send(.runBegan, at: 0)
    run.load()
    run.expect("load 0 pending > -1", "0/2 copy 1.1 5 B")
    for ordinal in [0, 1] {
      #expect(run.row(ordinal).status == .failed)
      #expect(run.row(ordinal).reason == Failure("cannot be read"))
    }
    run.answer("copy", of: 2, .file(5))
    run.answer("upload", of: 2, .ok())
    run.pass()
    #expect(run.row(3).status == .failed)
    #expect(run.machine.state.status == .finished)
  }

  @Test func `a run of which nothing can be read ends`() {
    let run = RunHarness(SmallPipelines.copies(disk: 100), files: [-1, -1])
    run.send(.runBegan, at: 0)
    run.load()
    run.expect("load 0 pending > -1", "stop")
    #expect(run.machine.state.loops[0].counts[.failed] == 2)
  }
}
