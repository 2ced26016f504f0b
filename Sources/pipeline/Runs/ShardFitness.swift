import PipelineCommands
import PipelineCore

/// What a pipeline must not have if its items are divided among shards.
enum ShardFitness {
  /// Who could do what is done once per run.
  enum Kind {
    /// No process: shards in folders know nothing of each other.
    case folders
    /// The lead, whose results the others read in the database.
    case database
  }

  /// Refuses a pipeline in which something is done once per run that each shard would do, with a line for each step.
  static func check(_ pipeline: Pipeline, _ kind: Kind) throws(CommandFailure) {
    guard !pipeline.loops.isEmpty else {
      let option = kind == .database ? "--store" : "--shard"
      throw CommandFailure(
        .invalid, "pipeline '\(pipeline.name)' has no loop, so \(option) has nothing to divide")
    }
    let problems = kind == .database ? ofDatabase(pipeline) : ofFolders(pipeline)
    if let failure = CommandFailure(problems: problems) { throw failure }
  }

  private static func ofFolders(_ pipeline: Pipeline) -> [String] {
    pipeline.runSteps.compactMap { index in
      let step = pipeline.steps[index]
      if let loop = loop(before: index, pipeline) {
        return
          "\(step.location): step '\(step.id)' comes after the loop '\(loop.label)', and would have to wait for all shards: put it into a "
          + "pipeline of its own, and run that when all shards are done, or keep the run in a database (--store)"
      }
      guard pipeline.isOncePerRun(index) else { return nil }
      return
        "\(step.location): step '\(step.id)' creates something once per run, and each shard would create it again: create it before, and "
        + "give it to the pipeline as an input, move the step into the loop, or keep the run in a database (--store)"
    }
  }

  private static func ofDatabase(_ pipeline: Pipeline) -> [String] {
    pipeline.runSteps.compactMap { index in
      let step = pipeline.steps[index]
      if let loop = loop(before: index, pipeline), let next = self.loop(after: index, pipeline) {
        return
          "\(step.location): step '\(step.id)' comes between the loops '\(loop.label)' and '\(next.label)', where the shards would have to wait for "
          + "each other twice: divide the pipeline into two, and run the second when the first is done"
      }
      let secrets = step.outputs.filter { $0.isSecret && !$0.isSealed }.map { "'\($0.name)'" }
      guard step.effect == .create, let name = secrets.first else { return nil }
      return
        "\(step.location): step '\(step.id)' creates something once per run, and the other shards cannot read its secret output \(name), which "
        + "is not stored: seal it with `secret: sealed`, or write `effect: repeatable` if each shard may do the step"
    }
  }

  private static func loop(before step: Int, _ pipeline: Pipeline) -> Loop? {
    guard let place = pipeline.nodes.firstIndex(of: .step(step)) else { return nil }
    return loops(in: pipeline.nodes[..<place], pipeline).last
  }

  private static func loop(after step: Int, _ pipeline: Pipeline) -> Loop? {
    guard let place = pipeline.nodes.firstIndex(of: .step(step)) else { return nil }
    return loops(in: pipeline.nodes[place...], pipeline).first
  }

  private static func loops(in nodes: ArraySlice<Pipeline.Node>, _ pipeline: Pipeline) -> [Loop] {
    nodes.compactMap { if case .loop(let index) = $0 { pipeline.loops[index] } else { nil } }
  }
}
