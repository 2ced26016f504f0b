import PipelineCore

/// What happens, has happened, or is waited for.
extension OutputSchema {
  static let progress = OutputSchema(
    "progress", title: "Progress", "What happens while a process works on a run.",
    by: (working + ["attach"]).map { "\($0) --progress json" }, isLines: true,
    .events([
      OutputEvent("began", "Work on a run begins.", [.always("run", .text, "The run's ID.")]),
      OutputEvent(
        "item", "An item has ended; `attach` does not print these.",
        [
          .always("item", .text, itemKeySummary),
          .always(
            "name", .text,
            "The file's path, relative to the current folder if it is below, or the item as text."),
          .always("status", .word(itemStatuses), "Its state."),
          .maybe("reason", .text, "Why it is paused, failed or skipped."),
          .maybe("response", response, responseSummary),
        ]),
      OutputEvent("progress", "How far the run is.", progressMembers),
      OutputEvent("ended", "No process works on the run any more: the run's report.", runMembers),
    ]))

  private static let progressMembers: [OutputMember] = [
    .always("status", .word(RunState.Status.allCases.map(\.rawValue)), "The run's state."),
    .maybe("reason", .text, "Why the run is paused."),
    .always("items", itemCounts, "Numbers of items by state."),
    .always(
      "percent", .count,
      "The part that is done, rounded down: of the bytes if all sizes are known, otherwise of the items."
    ),
    .always("bytes_done", .count, "Bytes of the items that are done."),
    .always("bytes_in_flight", .count, "Bytes that were moved for the items in progress."),
    .maybe("bytes_total", .count, "Bytes of all items; absent if not all are files."),
    .maybe("bytes_per_second", .count, "Bytes in a second, measured over the last ten."),
    .maybe("seconds_left", .count, "Seconds until the end; absent if it cannot be told."),
    .always(
      "transfers",
      .list(
        .object([
          .maybe("item", .text, itemKeySummary),
          .always("name", .text, "The item's name, or the step's if it is run-level."),
          .always("step", .text, "The step's ID."),
          .always("direction", .word(["up", "down"]), "To the server, or from it."),
          .always("bytes", .count, "Bytes that were moved."),
          .maybe("size", .count, "Bytes in all; absent if the size is unknown."),
        ])), "Transfers under way, in the order in which they began."),
    .always("disk_bytes", .count, "Bytes of the files that steps have made."),
    .maybe(
      "parts",
      .object([
        .always("done", .count, "Parts that are done."), .always("count", .count, "All parts."),
      ]), "Parts of the items in progress."),
    .always("waiting", .map(.count), "What items wait for, in words, and how many do."),
    .always("notices", .list(.text), "What a server tells the user, such as where to sign in."),
    .always("at", .time, "When this was measured."),
  ]

  static let explanation = OutputSchema(
    "explanation", title: "Explanation",
    "What a run waits for; of one item, each of its steps.", by: ["explain --format json"],
    .either([
      (
        "Run",
        explainedRun
      ),
      (
        "Item",
        [
          .always("item", .text, itemKeySummary),
          .always("name", .text, "The file's path, or the item as text."),
          .always("status", .word(itemStatuses), "Its state."),
          .maybe("reason", .text, "Why it is paused, failed or skipped."),
          .always(
            "steps", .list(.object(stepMembers)), "Its steps; none once the item has ended well."),
        ]
      ),
    ]))

  static let explanations = OutputSchema(
    "explanations", title: "Explanations", "What each shard of a run waits for, by their numbers.",
    by: ["explain --state A --state B --format json"], .list(.object(explainedRun)))

  private static let explainedRun: [OutputMember] = [
    .always("run", .text, "The run's ID."),
    .maybe("shard", .text, "Which shard it is, such as `3/16`."),
    .always("status", .word(runStatuses), runStatusSummary),
    .always("worked_on", .flag, "Whether a process works on it now."),
    .always("entries", .list(.object(entryMembers)), "What waits."),
    .always(
      "more", .count, "Number of items that are not among the entries; `--limit` adds them."),
    .always(
      "causes",
      .list(
        .object([
          .always("status", .word(["failed", "paused"]), "Their state."),
          .always("reason", .text, "Why."),
          .always("items", .count, "Number of items."),
          .always("first", .text, "The first of them, as `LOOP/NUMBER`."),
          .always("name", .text, "The name of the first."),
        ])),
      "If not all items can be listed: how many ended alike, the most frequent cause first."),
  ]

  private static let entryMembers: [OutputMember] = [
    .maybe("item", .text, itemKeySummary + " Absent if it is the run, or many items."),
    .always("name", .text, "The file's path, the item as text, or the items in words."),
    .always(
      "status",
      .word(
        Array(Set(runStatuses + ["active", "failed", "pending"])).sorted()),
      "The state of what waits."),
    .always("waits_for", .text, "What it waits for, or why it failed."),
    .maybe("since", .time, "Since when."),
    .always("unblocked_by", .text, "What makes it go on, in words."),
    .maybe("left_at_server", .flag, "True if the item left something at the server."),
    .maybe("response", response, responseSummary),
  ]

  private static let stepMembers: [OutputMember] = [
    .always("step", .text, "The step's ID."),
    .always(
      "status",
      .word(
        StepState.Status.allCases.map(\.rawValue) + [
          "failed", "paused", "to be repeated", "abandoned",
        ]),
      "Its state; of a step that is to be issued again, how its last attempt ended."),
    .always("generation", .count, "How many times it was issued, from 1; 0 if it never was."),
    .always("attempt", .count, "The attempt of this generation, from 1."),
    .maybe("since", .time, "When something last happened to it."),
    .maybe("reason", .text, "Why it failed or waits."),
    .maybe("expires", .time, "When the first of its outputs expires."),
    .maybe("again", .text, "Why it was issued again."),
    .maybe("response", response, responseSummary),
  ]
}
