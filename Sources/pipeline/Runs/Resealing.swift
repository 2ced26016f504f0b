import PipelineCommands
import PipelineCore
import PipelineEngine

struct Resealing {
  let store: any RunStore
  let pipeline: Pipeline

  /// Says which sealed values of the run's steps cannot be opened; they are made again.
  static func report(_ frame: Frame, _ pipeline: Pipeline) {
    let lost = zip(pipeline.runSteps, frame).filter { _, step in
      (step.outputs + step.previous).contains { $0.value == nil && $0.sealedText != nil }
    }
    guard !lost.isEmpty else { return }
    let names = lost.map { "'\(pipeline.steps[$0.0].id)'" }.joined(separator: ", ")
    Terminal.error(
      "the key does not open the sealed values of \(names): they are made again, as if they had expired"
    )
  }

  /// Stores every sealed value with the store's key, and counts those that the old key did not open as lost.
  func run(epoch: Int) async throws -> (changed: Int, lost: Int) {
    var (changed, lost) = (0, 0)
    func fresh(_ outputs: [OutputValue]) -> [OutputValue] {
      outputs.map { output in
        guard output.isSealed, output.sealedText != nil else { return output }
        guard output.value != nil else {
          lost += 1
          return output
        }
        changed += 1
        return output.with(sealedText: nil)
      }
    }
    func fresh(_ frame: Frame) -> Frame {
      frame.map { step in
        var step = step
        step.outputs = fresh(step.outputs)
        step.previous = fresh(step.previous)
        if let active = step.parts?.active { step.parts?.active = active.mapValues(fresh) }
        return step
      }
    }
    var state = try await store.load()
    state.frame = fresh(state.frame)
    var active: [Item] = []
    for loop in state.loops.indices {
      for (ordinal, item) in state.loops[loop].active {
        state.loops[loop].active[ordinal]?.frame = fresh(item.frame)
        if let item = state.loops[loop].active[ordinal] { active.append(item) }
      }
    }
    try await store.commit(
      CheckpointBatch(
        epoch: epoch, at: state.latestInstant, events: [],
        checkpoint: Checkpoint(items: active, state: state, isDurable: true)))
    for loop in pipeline.loops.indices {
      for status in Item.Status.allCases where status != .active {
        try await store.eachPage(of: loop, status) { items in
          try await store.replace(
            items.filter { !$0.frame.isEmpty }.map { item in
              var item = item
              item.frame = fresh(item.frame)
              return item
            }, epoch: epoch)
        }
      }
    }
    return (changed, lost)
  }
}
