package struct RunForm: Form {
  /// The kind of line, if it is one of several.
  package var event: String?
  @Member("The run's ID.") package var run = ""
  @Member("The name set with `--name`.") package var name: String?
  @Member("Which shard it is, such as `3/16`.") package var shard: String?
  @Member("The pipeline's name.") package var pipeline = ""
  @Member(RunWords.summary, as: .word(RunWords.all)) package var status = ""
  @Member("Why it is paused.") package var reason: String?
  @Member("Numbers of items by state.", as: .itemCounts) package var items: [String: Int] = [:]
  @Member(RunWords.movedSummary) package var bytes_moved: Int64 = 0
  @Member("Percentage completed, rounded down, of a run that a process is working on.") package
    var percent: Int?
  @Member("Bytes of all its items, if that is known.") package var bytes_total: Int64?
  @Member("Bytes in a second, over the last ten.") package var bytes_per_second: Int64?
  @Member("Estimated seconds until the end, if known.") package var seconds_left: Int64?
  @Member("Number of waiting items by the reason, in words.") package var waiting: [String: Int]?
  @Member("Number of abandoned or failed items that left effects on the server.") package
    var left_at_server = 0
  @Member("Number of hidden files and folders that its patterns skipped; absent if none.") package
    var hidden: Int?
  @Member("When it started.", as: .time) package var began = ""
  @Member("When it ended or was paused.", as: .time) package var ended: String?
  @Member(RunWords.workedSummary) package var worked_seconds: Double?
  @Member("Whether a process works on it now; absent in the report of the process that did.")
  package var worked_on: Bool?
  package init() {}
}

package struct ShardedRunForm: Form {
  package var event: String?
  @Member("The name set with `--name`.") package var name: String?
  @Member("The pipeline's name.") package var pipeline = ""
  @Member("How many shards the run has.") package var shards = 0
  @Member("The numbers of the shards that were not found.") package var missing: [Int] = []
  @Member("Numbers of items of all shards by state.", as: .itemCounts) package var items:
    [String: Int] = [:]
  @Member(RunWords.movedSummary) package var bytes_moved: Int64 = 0
  @Member("Number of abandoned or failed items that left effects on the server.") package
    var left_at_server = 0
  @Member("The shards that were found, by their numbers.") package var each: [RunForm] = []
  package init() {}
}

package struct DatabaseRunForm: Form {
  @Member("The run's ID.") package var run = ""
  @Member("The name set with `--name`.") package var name: String?
  @Member("The pipeline's name.") package var pipeline = ""
  @Member(
    "The state of all shards; `loading` while items are put into the database, `waiting` if no worker works on it.",
    as: .word([
      "loading", "waiting", "running", "paused", "finished", "cancelling", "cancelled",
      "failed to run",
    ])) package var status = ""
  @Member("How many shards it has.") package var shards = 0
  @Member("Number of shards that workers hold.") package var shards_at_work = 0
  @Member("Numbers of items of all shards by state.", as: .itemCounts) package var items:
    [String: Int] = [:]
  package init() {}
}

package struct WorkerProgressForm: Form {
  package var event = "progress"
  @Member("The run's ID.") package var run = ""
  @Member("Numbers of items of all shards by state.", as: .itemCounts) package var items:
    [String: Int] = [:]
  @Member("How many shards it has.") package var shards = 0
  @Member("Number of shards that workers hold.") package var shards_at_work = 0
  @Member("Number of workers that hold a shard.") package var workers = 0
  package init() {}
}

package struct ListedRunForm: Form {
  @Member("The run's ID.") package var run = ""
  @Member("The name set with `--name`.") package var name: String?
  @Member("Which shard it is, such as `3/16`.") package var shard: String?
  @Member("The series of `run --watch` that it belongs to.") package var series: String?
  @Member("The pipeline's name; absent if the run cannot be read.") package var pipeline: String?
  @Member(RunWords.summary, as: .word(RunWords.all + ["unreadable"])) package var status = ""
  @Member(
    "Whether it can be continued, its items can be retried, or it left effects on the server.")
  package var unfinished = false
  @Member("Numbers of items by state; absent if the run cannot be read.", as: .itemCounts) package
    var items: [String: Int]?
  @Member("When it started.", as: .time) package var began: String?
  @Member("When it ended or was paused.", as: .time) package var ended: String?
  @Member(RunWords.workedSummary) package var worked_seconds: Double?
  @Member("Bytes that it occupies on this machine's disk.") package var bytes_on_disk: Int64 = 0
  @Member("Whether a process works on it now.") package var worked_on = false
  @Member("Why it is paused, or why it cannot be read.") package var reason: String?
  package init() {}
}

package struct DetachedForm: Form {
  @Member("The run's ID.") package var run: String?
  @Member("The name of the series.") package var series: String?
  @Member("The ID of the process.") package var process = 0
  @Member("The file that contains the process's output.") package var log = ""
  package init() {}
}

package struct ResponseForm: Form {
  @Member("The HTTP status.") package var status: Int?
  @Member("The body's first 2048 bytes, without secrets; absent if it was not kept.") package
    var body: String?
  @Member("Bytes of the whole body.") package var body_bytes = 0
  @Member("Header fields that identify the request for the server's operator.") package
    var request_ids: [String: String] = [:]
  package init() {}

  static let summary = "The server's response."
}

enum RunWords {
  static let all =
    RunState.Status.allCases.map(\.rawValue) + ["interrupted", "waiting", "failed to run"]
  static let summary =
    "Its state; `interrupted` means that the run is unfinished and no process is working on it; in a database, it is then `waiting` for a worker."
  static let movedSummary =
    "Bytes that transfers of items moved over the network; bytes that were moved repeatedly count once."
  static let workedSummary =
    "Seconds that processes worked on it, from its start to its end; absent before its end."
}
