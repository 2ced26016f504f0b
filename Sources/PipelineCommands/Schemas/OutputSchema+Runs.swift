import PipelineCore

/// Runs and their items.
extension OutputSchema {
  /// The commands that work on a run until it rests.
  static let working = ["run", "resume", "retry", "rerun", "cancel"]

  static let run = OutputSchema(
    "run", title: "Run", "How a run is, or how it ended.",
    by: ["status --format json", "attach --format json"] + working.map { "\($0) --format json" },
    .object(runMembers))

  static let manifest = OutputSchema(
    "manifest", title: "Manifest", "How a run ended, with the outcome of each item.",
    by: working.map { "\($0) --report FILE.json" },
    .object(
      runMembers.filter { $0.name != "worked_on" } + [
        .always("each", .list(.object(itemMembers)), "The items, in the order of the run.")
      ]))

  /// Commands that show how workers get on.
  private static let following = ["attach", "run", "resume", "retry", "cancel"]

  static let shardedRun = OutputSchema(
    "sharded-run", title: "Run in shards", "How a run in shards is.",
    by: ["status --state A --state B --format json", "work --run RUN --format json"]
      + (["status"] + following).map { "\($0) --store URL --format json" },
    .object(shardedRunMembers))

  static let shardedRunMembers: [OutputMember] = [
    .maybe("name", .text, "The name that `--name` gave it."),
    .always("pipeline", .text, "The pipeline's name."),
    .always("shards", .count, "How many shards the run has."),
    .always("missing", .list(.count), "The numbers of the shards that were not found."),
    .always("items", itemCounts, "Numbers of items of all shards by state."),
    .always("bytes_done", .count, "Bytes of the items that are done."),
    .always(
      "left_at_server", .count,
      "Number of items that were given up or failed, and left something at the server."),
    .always("each", .list(.object(runMembers)), "The shards that were found, by their numbers."),
  ]

  static let databaseRuns = OutputSchema(
    "database-runs", title: "Runs in a database", "The runs of a database, newest last.",
    by: ["runs list --store URL --format json"],
    .list(
      .object([
        .always("run", .text, "The run's ID."),
        .maybe("name", .text, "The name that `--name` gave it."),
        .always("pipeline", .text, "The pipeline's name."),
        .always(
          "status",
          .word([
            "loading", "waiting", "running", "paused", "finished", "cancelling", "cancelled",
          ]),
          "The state of all shards; `loading` while items are put into the database, `waiting` if no worker works on it."
        ),
        .always("shards", .count, "How many shards it has."),
        .always("shards_at_work", .count, "How many of them workers hold."),
        .always("items", itemCounts, "Numbers of items of all shards by state."),
      ])))

  static let workerProgress = OutputSchema(
    "worker-progress", title: "Progress of workers",
    "What happens while workers work on a run in a database.",
    by: ["work --run RUN --progress json"]
      + following.map { "\($0) --store URL --progress json" }, isLines: true,
    .events([
      OutputEvent(
        "progress", "How far the run is, by all workers.",
        [
          .always("run", .text, "The run's ID."),
          .always("items", itemCounts, "Numbers of items of all shards by state."),
          .always("shards", .count, "How many shards it has."),
          .always("shards_at_work", .count, "How many of them workers hold."),
          .always("workers", .count, "How many workers hold one."),
        ]),
      OutputEvent("ended", "Nothing is left to do: the run's report.", shardedRunMembers),
    ]))

  static let runs = OutputSchema(
    "runs", title: "Runs", "The runs, newest last.", by: ["runs list --format json"],
    .list(
      .object([
        .always("run", .text, "The run's ID."),
        .maybe("name", .text, "The name that `--name` gave it."),
        .maybe("shard", .text, "Which shard it is, such as `3/16`."),
        .maybe("series", .text, "The series of `run --watch` that it is one of."),
        .maybe("pipeline", .text, "The pipeline's name; absent if the run cannot be read."),
        .always("status", .word(runStatuses + ["unreadable"]), runStatusSummary),
        .always(
          "unfinished", .flag,
          "Whether it can be continued, items can be tried again, or something is left at the server."
        ),
        .maybe("items", itemCounts, "Numbers of items by state; absent if the run cannot be read."),
        .maybe("began", .time, "When it began."),
        .maybe("ended", .time, "When it ended or was paused."),
        .maybe("worked_seconds", .amount, workedSummary),
        .always("bytes_on_disk", .count, "Bytes that the run takes on this machine's disk."),
        .always("worked_on", .flag, "Whether a process works on it now."),
        .maybe("reason", .text, "Why it is paused, or why it cannot be read."),
      ])))

  static let items = OutputSchema(
    "items", title: "Items", "Items of a run, in its order.", by: ["items --format json"],
    .list(
      .object(
        [.maybe("shard", .text, "The shard, such as `3/16`; only in a list of several.")]
          + itemMembers)))

  static let detached = OutputSchema(
    "detached", title: "Detached process",
    "The process that goes on in the background; it has a run, or, with `--watch`, a series.",
    by: working.map { "\($0) --detach --format json" },
    .object([
      .maybe("run", .text, "The run's ID."),
      .maybe("series", .text, "The name of the series."),
      .always("process", .count, "The ID of the process."),
      .always("log", .text, "The file that gets what the process would have printed."),
    ]))

  // MARK: Parts

  static let runMembers: [OutputMember] = [
    .always("run", .text, "The run's ID."),
    .maybe("name", .text, "The name that `--name` gave it."),
    .maybe("shard", .text, "Which shard it is, such as `3/16`."),
    .always("pipeline", .text, "The pipeline's name."),
    .always("status", .word(runStatuses), runStatusSummary),
    .maybe("reason", .text, "Why it is paused."),
    .always("items", itemCounts, "Numbers of items by state."),
    .always("bytes_done", .count, "Bytes of the items that are done."),
    .always(
      "left_at_server", .count,
      "Number of items that were given up or failed, and left something at the server."),
    .always("began", .time, "When it began."),
    .maybe("ended", .time, "When it ended or was paused."),
    .maybe("worked_seconds", .amount, workedSummary),
    .maybe(
      "worked_on", .flag,
      "Whether a process works on it now; absent in the report of the process that did."),
  ]

  /// The words for states of runs.
  static let runStatuses = RunState.Status.allCases.map(\.rawValue) + ["interrupted", "waiting"]
  static let runStatusSummary =
    "Its state; `interrupted` means that it is to go on, and that no process works on it; in a database it is `waiting` then, for a worker."
  private static let workedSummary =
    "Seconds that processes worked on it, from its beginning to its end; absent before its end."

  /// The words for states of items.
  static let itemStatuses = Item.Status.allCases.map(\.word)

  /// Numbers of items, with a member for each state.
  static let itemCounts = OutputShape.object(
    itemStatuses.map { .always($0, .count, "Items that are \($0).") } + [
      .always(
        "interrupted", .count, "Items that were active when the last process ended.")
    ])

  static let itemMembers: [OutputMember] = [
    .always("item", .text, itemKeySummary),
    .always(
      "name", .text, "The file's path below the folder of its glob, or the item as text."),
    .always("status", .word(itemStatuses), "Its state."),
    .maybe("reason", .text, "Why it is paused, failed or skipped."),
    .maybe("http_status", .count, "The HTTP status of the response behind the reason."),
    .always(
      "attempts", .count,
      "Attempts of all its steps that have ended; a question of a `poll` is none."),
    .always("bytes", .count, "Bytes of the bodies of requests and transfers that succeeded."),
    .maybe("seconds", .amount, "From the beginning of its first attempt to the end of its last."),
    .always(
      "outputs", .map(.map(.anything)),
      "Outputs of its steps by step and name, except secret ones and those of a batch."),
  ]

  static let itemKeySummary =
    "The item as `LOOP/NUMBER`, both from 0; commands take it as the name of an item."

  /// What a server said with a failure.
  static let response = OutputShape.object([
    .maybe("status", .count, "The HTTP status."),
    .maybe(
      "body", .text, "The body's first 2048 bytes, without secrets; absent if it was not kept."),
    .always("body_bytes", .count, "Bytes of the whole body."),
    .always(
      "request_ids", .map(.text),
      "Header fields that name the request to the operator of the server."),
  ])
  static let responseSummary = "What the server said."
}

extension Item.Status {
  /// The word for the state, the same in every report.
  package var word: String {
    switch self {
    case .pending: "pending"
    case .active: "active"
    case .paused: "paused"
    case .failed: "failed"
    case .done: "done"
    case .skipped: "skipped"
    case .cancelled: "cancelled"
    }
  }
}
