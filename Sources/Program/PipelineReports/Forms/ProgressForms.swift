package struct BeginningForm: Form {
  package var event = "began"
  @Member("The run's ID.") package var run = ""
  package init() {}
}

package struct EndedItemForm: Form {
  package var event = "item"
  @Member(ItemForm.itemKeySummary) package var item = ""
  @Member("The file's path, relative to the current folder if it is below, or the item as text.")
  package var name = ""
  @Member("Its state.", as: .itemStatus) package var status = ""
  @Member("Why it is paused, failed or skipped.") package var reason: String?
  @Member(ResponseForm.summary) package var response: ResponseForm?
  package init() {}
}

package struct ProgressForm: Form {
  package var event = "progress"
  @Member("The run's state.", as: .words(RunState.Status.self)) package var status = ""
  @Member("Why the run is paused.") package var reason: String?
  @Member("Numbers of items by state.", as: .itemCounts) package var items: [String: Int] = [:]
  @Member(
    "Percentage completed, rounded down: of the bytes if all sizes are known, otherwise of the items."
  ) package var percent = 0
  @Member(RunWords.movedSummary) package var bytes_moved: Int64 = 0
  @Member("Bytes of all items; absent if not all are files.") package var bytes_total: Int64?
  @Member("Bytes in a second, measured over the last ten.") package var bytes_per_second: Int64?
  @Member("Estimated seconds until the end; absent if unknown.") package var seconds_left: Int64?
  @Member("Transfers in progress, in the order in which they started.") package var transfers:
    [TransferForm] = []
  @Member("Bytes of the files that steps have created.") package var disk_bytes: Int64 = 0
  @Member("Parts of the items in progress.") package var parts: PartsForm?
  @Member("Number of waiting items by the reason, in words.") package var waiting: [String: Int] =
    [:]
  @Member("A server's message to the user, such as where to sign in.") package var notices:
    [String] = []
  @Member("When this was measured.", as: .time) package var at = ""
  package init() {}
}

package struct TransferForm: Form {
  @Member(ItemForm.itemKeySummary) package var item: String?
  @Member("The item's name, or the step's if it is run-level.") package var name = ""
  @Member("The step's ID.") package var step = ""
  @Member("To the server, or from it.", as: .word(["up", "down"])) package var direction = ""
  @Member("Bytes that were moved.") package var bytes: Int64 = 0
  @Member("Bytes in all; absent if the size is unknown.") package var size: Int64?
  package init() {}
}

package struct PartsForm: Form {
  @Member("Parts that are done.") package var done = 0
  @Member("All parts.") package var count = 0
  package init() {}
}

package struct ExplainedRunForm: Form {
  @Member("The run's ID.") package var run = ""
  @Member("Which shard it is, such as `3/16`.") package var shard: String?
  @Member(RunWords.summary, as: .word(RunWords.all)) package var status = ""
  @Member("Whether a process works on it now.") package var worked_on = false
  @Member("The waiting steps, items and parts.") package var entries: [EntryForm] = []
  @Member("Number of items that are not among the entries; `--limit` adds them.") package var more =
    0
  @Member("If not all items can be listed: how many ended alike, the most frequent cause first.")
  package var causes: [CauseForm] = []
  package init() {}
}

package struct EntryForm: Form {
  @Member(ItemForm.itemKeySummary + " Absent if it is the run, one of its steps, or many items.")
  package var item: String?
  @Member("The file's path, the item as text, or the step or the items in words.") package
    var name = ""
  @Member(
    "Its state.", as: .word(Array(Set(RunWords.all + ["active", "failed", "pending"])).sorted()))
  package var status = ""
  @Member("Why it is waiting or has failed.") package var waits_for = ""
  @Member("The kind of that reason.", as: .words(Blocker.Kind.self)) package var kind: String?
  @Member("Since when.", as: .time) package var since: String?
  @Member("Until when at the latest, or when it is tried again.", as: .time) package var until:
    String?
  @Member("Why the last attempt failed.") package var failure: String?
  @Member("The duration of that attempt.") package var failed_after_seconds: Double?
  @Member("The event that unblocks it, in words.") package var unblocked_by = ""
  @Member("True if the item left something at the server.") package var left_at_server: Bool?
  @Member(ResponseForm.summary) package var response: ResponseForm?
  package init() {}
}

package struct CauseForm: Form {
  @Member("Their state.", as: .word(["failed", "paused"])) package var status = ""
  @Member("Why.") package var reason = ""
  @Member("Number of items.") package var items = 0
  @Member("The first of them, as `LOOP/NUMBER`.") package var first = ""
  @Member("The name of the first.") package var name = ""
  package init() {}
}

package struct ExplainedItemForm: Form {
  @Member(ItemForm.itemKeySummary) package var item = ""
  @Member("The file's path, or the item as text.") package var name = ""
  @Member("Its state.", as: .itemStatus) package var status = ""
  @Member("Why it is paused, failed or skipped.") package var reason: String?
  @Member("Why it and its parts are waiting.") package var waits: [EntryForm] = []
  @Member("Its steps; none once the item has ended well.") package var steps: [StepForm] = []
  package init() {}
}

package struct StepForm: Form {
  @Member("The step's ID.") package var step = ""
  @Member(
    "Its state; of a step that is to be issued again, how its last attempt ended.",
    as: .word(
      StepState.Status.allCases.map(\.rawValue) + [
        "failed", "paused", "to be repeated", "abandoned",
      ])) package var status = ""
  @Member("How many times it was issued, from 1; 0 if it never was.") package var generation = 0
  @Member("The attempt of this generation, from 1.") package var attempt = 0
  @Member("When something last happened to it.", as: .time) package var since: String?
  @Member("Why it failed or waits.") package var reason: String?
  @Member("When the first of its outputs expires.", as: .time) package var expires: String?
  @Member("Why it was issued again.") package var again: String?
  @Member(ResponseForm.summary) package var response: ResponseForm?
  package init() {}
}
