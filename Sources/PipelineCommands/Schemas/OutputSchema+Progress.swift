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
