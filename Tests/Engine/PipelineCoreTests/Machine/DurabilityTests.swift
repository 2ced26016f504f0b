import MachineSupport
import PipelineCore
import Testing

/// Which checkpoints must survive a power failure before their effects start.
struct DurabilityTests {
  @Test(arguments: [false, true])
  func `a request waits for the disk, and a body only if a file is created from it`(
    inPieces: Bool
  ) {
    let pipeline = SmallPipelines.copies(concurrency: 1)
    var machine = Machine(
      ModelWorld.state(of: pipeline, files: 1, seed: 1, password: "pw"),
      evaluator: Evaluator(pipeline))
    let rows = ModelRows([ModelWorld.subjects([10])], of: pipeline)
    let begin = Instant(milliseconds: 0)
    func apply(_ event: Event) -> (effects: [String], isDurable: Bool) {
      let effects = machine.apply(event, at: begin)
      return (effects.map { machine.text($0) }, machine.takeCheckpoint().isDurable)
    }
    _ = apply(.limitsKnown(ProcessLimits(sendsPieces: inPieces)))
    _ = apply(.runBegan)
    let loaded = apply(rows.load(0, .pending, after: -1, limit: 10))
    #expect(loaded.effects == [inPieces ? "0/0 copy 1.1" : "0/0 copy 1.1 10 B"])
    #expect(loaded.isDurable == !inPieces)
    guard let id = machine.inFlight.first else {
      return #expect(Bool(false), "nothing is in flight")
    }
    let made = apply(.concluded(id, .file(inPieces ? 0 : 10)))
    #expect(made.effects == ["0/0 upload 1.1"])
    #expect(made.isDurable)
  }
}
