import DemoServer

extension OutputSchema {
  /// The commands that work on a run until it stops.
  private static let working = ["run", "resume", "retry", "rerun", "cancel"]
  /// Those that show or continue a run in a database.
  private static let following = ["attach", "run", "resume", "retry", "cancel"]

  /// All of them, in the order in which `pipeline schema --list` names them.
  ///
  /// The reports of `simulate` and `verify` have schema files of their own.
  package static let all: [OutputSchema] = [
    OutputSchema(
      "run", title: "Run", "The state of a run, or how it ended.",
      by: ["status --format json", "attach --format json"] + working.map { "\($0) --format json" },
      RunForm.shape),
    OutputSchema(
      "sharded-run", title: "Run in shards", "The state of a run in shards.",
      by: ["status --state A --state B --format json", "work --run RUN --format json"]
        + (["status"] + following).map { "\($0) --store URL --format json" }, ShardedRunForm.shape),
    OutputSchema(
      "database-runs", title: "Runs in a database", "The runs of a database, newest last.",
      by: ["runs list --store URL --format json"], [DatabaseRunForm].shape),
    OutputSchema(
      "worker-progress", title: "Progress of workers",
      "Events while workers process a run in a database.",
      by: ["work --run RUN --progress json"]
        + following.map { "\($0) --store URL --progress json" }, isLines: true,
      .events([
        OutputEvent("progress", "The progress of all workers.", WorkerProgressForm.members),
        OutputEvent("ended", "Nothing is left to do: the run's report.", ShardedRunForm.members),
      ])),
    OutputSchema(
      "manifest", title: "Manifest", "How a run ended, with the outcome of each item.",
      by: working.map { "\($0) --report FILE.json" },
      .object(
        RunForm.members.filter { $0.name != "worked_on" } + [
          // A manifest is of one shard.
          .always(
            "each", .list(.object(ItemForm.members.filter { $0.name != "shard" })),
            "The items, in the order of the run.")
        ])),
    OutputSchema(
      "runs", title: "Runs", "The runs, newest last.", by: ["runs list --format json"],
      [ListedRunForm].shape),
    OutputSchema(
      "items", title: "Items", "Items of a run, in its order.", by: ["items --format json"],
      [ItemForm].shape),
    OutputSchema(
      "explanation", title: "Explanation",
      "Why a run is waiting; for one item, the state of each of its steps.",
      by: ["explain --format json"],
      .either([("Run", ExplainedRunForm.members), ("Item", ExplainedItemForm.members)])),
    OutputSchema(
      "explanations", title: "Explanations",
      "Why each shard of a run is waiting, in the order of their numbers.",
      by: ["explain --state A --state B --format json"], [ExplainedRunForm].shape),
    OutputSchema(
      "history", title: "Event of a run", "The events of a run, in order.",
      by: ["history --format json"], isLines: true, OutputShape.events(HistoryForms.events)),
    OutputSchema(
      "progress", title: "Progress", "Events while a process works on a run.",
      by: (working + ["attach"]).map { "\($0) --progress json" }, isLines: true,
      .events([
        OutputEvent("began", "Work on a run starts.", BeginningForm.members),
        OutputEvent(
          "item", "An item has ended; `attach` does not print these.", EndedItemForm.members),
        OutputEvent("progress", "The progress of the run.", ProgressForm.members),
        OutputEvent(
          "ended", "No process works on the run any more: the run's report.", RunForm.members),
      ])),
    OutputSchema(
      "detached", title: "Detached process",
      "The process in the background, with its run or, with `--watch`, its series.",
      by: working.map { "\($0) --detach --format json" }, DetachedForm.shape),
    OutputSchema(
      "plan", title: "Plan", "A preview of a run; nothing is sent.",
      by: ["run --dry-run --format json"], PlanForm.shape),
    OutputSchema(
      "findings", title: "Findings", "Findings about files, in the order of the files.",
      by: ["validate --format json"], [FindingForm].shape),
    OutputSchema(
      "audit", title: "Audit", "The hosts, files and secrets of each pipeline.",
      by: ["validate --audit --format json"], [AuditedFileForm].shape),
    OutputSchema(
      "rules", title: "Rules", "Rules of `pipeline validate`.", by: ["rule --format json"],
      [RuleForm].shape),
    OutputSchema(
      "test-report", title: "Test report", "The results of the cases.", by: ["test --format json"],
      TestReportForm.shape),
    OutputSchema(
      "value", title: "Value",
      "The value of the expression; types that JSON does not have are strings.",
      by: ["eval --format json"], .anything),
    OutputSchema(
      "trace", title: "Event of a simulation", "The events, in order.",
      by: ["simulate --trace FILE"], isLines: true, OutputShape.events(TraceLines.forms)),
    OutputSchema(
      "journal", title: "Request to the demo server", "How the server handled a request.",
      by: ["demo-server --journal FILE"], isLines: true, .object(JournalEntry.members)),
  ]
}
