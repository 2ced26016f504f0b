/// The variables that schedulers set for the tasks of a job array.
enum JobArray {
  struct Problem: Error {
    let message: String
    init(_ message: String) { self.message = message }
  }

  private struct Answer {
    /// The variable with the index, as it is called for the user.
    let variable: String
    let number: Int
    /// How many tasks the array has, if the scheduler provides it.
    let count: Int?
  }

  /// The shard that the environment names; the user sets `count` where the scheduler does not
  /// provide it (Kubernetes, Nomad).
  static func shard(count: Int?, _ environment: (String) -> String?) throws(Problem) -> Shard {
    let answers = try [
      indexed("JOB_COMPLETION_INDEX", count: nil, environment), slurm(environment),
      indexed("AWS_BATCH_JOB_ARRAY_INDEX", count: "AWS_BATCH_JOB_ARRAY_SIZE", environment),
      indexed("NOMAD_ALLOC_INDEX", count: nil, environment),
    ].compactMap { $0 }
    guard let first = answers.first else {
      throw Problem(
        "this process is not a task of a job array: expected JOB_COMPLETION_INDEX (Kubernetes), SLURM_ARRAY_TASK_ID (Slurm), "
          + "AWS_BATCH_JOB_ARRAY_INDEX (AWS Batch) or NOMAD_ALLOC_INDEX (Nomad) in the environment")
    }
    if let other = answers.first(where: { $0.number != first.number }) {
      throw Problem(
        "\(first.variable) means task \(first.number), and \(other.variable) task \(other.number): choose one with --shard N/COUNT"
      )
    }
    let known = answers.compactMap(\.count).first
    if let count, let known, count != known {
      throw Problem("the array has \(known) tasks, and not \(count)")
    }
    guard let count = count ?? known else {
      throw Problem(
        "\(first.variable) contains the task's number, but not the number of tasks: expected --shard auto/COUNT"
      )
    }
    guard let shard = Shard(first.number, of: count) else {
      throw Problem(
        "\(first.variable) means task \(first.number), and there are \(count): expected an array of \(count) tasks whose indices follow each other"
      )
    }
    return shard
  }

  /// An index that starts at 0.
  private static func indexed(
    _ variable: String, count: String?, _ environment: (String) -> String?
  ) throws(Problem) -> Answer? {
    guard let index = try number(variable, environment) else { return nil }
    var size: Int?
    if let count { size = try number(count, environment) }
    return Answer(variable: variable, number: index + 1, count: size)
  }

  /// Slurm's IDs start at any number and may have a step: `--array=10-40:10` has the tasks 10, 20, 30 and 40.
  private static func slurm(_ environment: (String) -> String?) throws(Problem) -> Answer? {
    let variable = "SLURM_ARRAY_TASK_ID"
    guard let id = try number(variable, environment) else { return nil }
    let first = try number("SLURM_ARRAY_TASK_MIN", environment) ?? 0
    let step = max(try number("SLURM_ARRAY_TASK_STEP", environment) ?? 1, 1)
    let count = try number("SLURM_ARRAY_TASK_COUNT", environment)
    guard id >= first, (id - first) % step == 0 else {
      throw Problem(
        "\(variable) is \(id), which is not one of \(first), \(first + step), …: expected an array such as 0-15 or 1-16"
      )
    }
    return Answer(variable: variable, number: (id - first) / step + 1, count: count)
  }

  private static func number(_ variable: String, _ environment: (String) -> String?) throws(Problem)
    -> Int?
  {
    guard let text = environment(variable), !text.isEmpty else { return nil }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text) else {
      throw Problem("\(variable) is '\(text)', expected a number")
    }
    return number
  }
}

/// The features that a pipeline must not have if its items are divided among shards.
enum ShardFitness {
  /// The process that could execute run-level steps.
  enum Kind {
    /// No process: shards in folders are independent of each other.
    case folders
    /// The lead, whose results the others read in the database.
    case database
  }

  /// Refuses a pipeline in which something is done once per run that each shard would do, with a line for each step.
  static func check(_ pipeline: Pipeline, _ kind: Kind) throws(CommandFailure) {
    guard !pipeline.loops.isEmpty else {
      let option = kind == .database ? "--store" : "--shard"
      throw CommandFailure.invalid(
        "pipeline '\(pipeline.name)' has no loop, so \(option) has nothing to divide")
    }
    let problems = kind == .database ? ofDatabase(pipeline) : ofFolders(pipeline)
    if let failure = CommandFailure(problems: problems) { throw failure }
  }

  private static func ofFolders(_ pipeline: Pipeline) -> [String] {
    pipeline.runSteps.compactMap { index in
      let step = pipeline.steps[index]
      if let loop = loops(around: index, pipeline).before {
        return
          "\(step.location): step '\(step.id)' comes after the loop '\(loop.label)' and would have to wait for all shards: put it into a "
          + "separate pipeline and run that when all shards are done, or keep the run in a database (--store)"
      }
      guard pipeline.isOncePerRun(index) else { return nil }
      return
        "\(step.location): step '\(step.id)' creates something once per run, and each shard would create it again: create it beforehand, and "
        + "pass it to the pipeline as an input, move the step into the loop, or keep the run in a database (--store)"
    }
  }

  private static func ofDatabase(_ pipeline: Pipeline) -> [String] {
    pipeline.runSteps.compactMap { index in
      let step = pipeline.steps[index]
      if case (let loop?, let next?) = loops(around: index, pipeline) {
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

  /// The nearest loops before and after a step of the run.
  private static func loops(around step: Int, _ pipeline: Pipeline) -> (before: Loop?, after: Loop?)
  {
    guard let place = pipeline.nodes.firstIndex(of: .step(step)) else { return (nil, nil) }
    return (
      loops(in: pipeline.nodes[..<place], pipeline).last,
      loops(in: pipeline.nodes[place...], pipeline).first
    )
  }

  private static func loops(in nodes: ArraySlice<Pipeline.Node>, _ pipeline: Pipeline) -> [Loop] {
    nodes.compactMap { if case .loop(let index) = $0 { pipeline.loops[index] } else { nil } }
  }
}
