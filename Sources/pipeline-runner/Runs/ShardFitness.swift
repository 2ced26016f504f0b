import PipelineCommands
import PipelineCore

/// What a pipeline must not have if its items are divided among shards that know nothing of each other.
enum ShardFitness {
  /// Refuses a pipeline in which something is done once per run that each shard would do.
  ///
  /// - Throws: ``CommandFailure`` with a line for each step, which begins with its place.
  static func check(_ pipeline: Pipeline) throws(CommandFailure) {
    guard !pipeline.loops.isEmpty else {
      throw CommandFailure(
        .invalid, "pipeline '\(pipeline.name)' has no loop, so --shard has nothing to divide")
    }
    let problems = problems(pipeline)
    guard let first = problems.first else { return }
    throw CommandFailure(
      .invalid, first, details: problems.dropFirst().map { "pipeline: error: " + $0 })
  }

  private static func problems(_ pipeline: Pipeline) -> [String] {
    var loop: Loop?
    var problems: [String] = []
    for node in pipeline.nodes {
      switch node {
      case .loop(let index): loop = pipeline.loops[index]
      case .step(let index):
        let step = pipeline.steps[index]
        if let loop {
          problems.append(
            "\(step.location): step '\(step.id)' comes after the loop '\(loop.label)', and would have to wait for all shards: put it into a "
              + "pipeline of its own, and run that when all shards are done")
        } else if step.effect == .create {
          problems.append(
            "\(step.location): step '\(step.id)' creates something once per run, and each shard would create it again: create it before, and "
              + "give it to the pipeline as an input, or move the step into the loop")
        }
      }
    }
    return problems
  }
}
