extension OutputSchema {
  /// The commands that work on a run until it rests.
  static let working = ["run", "resume", "retry", "rerun", "cancel"]

  static let run = OutputSchema(
    "run", title: "Run", "How a run is, or how it ended.",
    by: ["status --format json", "attach --format json"] + working.map { "\($0) --format json" },
    RunForm.shape)

  static let manifest = OutputSchema(
    "manifest", title: "Manifest", "How a run ended, with the outcome of each item.",
    by: working.map { "\($0) --report FILE.json" },
    .object(
      RunForm.members.filter { $0.name != "worked_on" } + [
        // A manifest is of one shard.
        .always(
          "each", .list(.object(ItemForm.members.filter { $0.name != "shard" })),
          "The items, in the order of the run.")
      ]))

  private static let following = ["attach", "run", "resume", "retry", "cancel"]

  static let shardedRun = OutputSchema(
    "sharded-run", title: "Run in shards", "How a run in shards is.",
    by: ["status --state A --state B --format json", "work --run RUN --format json"]
      + (["status"] + following).map { "\($0) --store URL --format json" }, ShardedRunForm.shape)

  static let databaseRuns = OutputSchema(
    "database-runs", title: "Runs in a database", "The runs of a database, newest last.",
    by: ["runs list --store URL --format json"], [DatabaseRunForm].shape)

  static let workerProgress = OutputSchema(
    "worker-progress", title: "Progress of workers",
    "What happens while workers work on a run in a database.",
    by: ["work --run RUN --progress json"]
      + following.map { "\($0) --store URL --progress json" }, isLines: true,
    .events([
      OutputEvent("progress", "How far the run is, by all workers.", WorkerProgressForm.members),
      OutputEvent("ended", "Nothing is left to do: the run's report.", ShardedRunForm.members),
    ]))

  static let runs = OutputSchema(
    "runs", title: "Runs", "The runs, newest last.", by: ["runs list --format json"],
    [ListedRunForm].shape)

  static let items = OutputSchema(
    "items", title: "Items", "Items of a run, in its order.", by: ["items --format json"],
    [ItemForm].shape)

  static let detached = OutputSchema(
    "detached", title: "Detached process",
    "The process that goes on in the background; it has a run, or, with `--watch`, a series.",
    by: working.map { "\($0) --detach --format json" }, DetachedForm.shape)
}

extension OutputSchema {
  static let progress = OutputSchema(
    "progress", title: "Progress", "What happens while a process works on a run.",
    by: (working + ["attach"]).map { "\($0) --progress json" }, isLines: true,
    .events([
      OutputEvent("began", "Work on a run begins.", BeginningForm.members),
      OutputEvent(
        "item", "An item has ended; `attach` does not print these.", EndedItemForm.members),
      OutputEvent("progress", "How far the run is.", ProgressForm.members),
      OutputEvent(
        "ended", "No process works on the run any more: the run's report.", RunForm.members),
    ]))

  static let explanation = OutputSchema(
    "explanation", title: "Explanation",
    "What a run waits for; of one item, each of its steps.", by: ["explain --format json"],
    .either([("Run", ExplainedRunForm.members), ("Item", ExplainedItemForm.members)]))

  static let explanations = OutputSchema(
    "explanations", title: "Explanations", "What each shard of a run waits for, by their numbers.",
    by: ["explain --state A --state B --format json"], [ExplainedRunForm].shape)
}
