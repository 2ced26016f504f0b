/// The state of a run, or how it ended.
public struct RunReport: Sendable {
  public let id: RunID
  package let place: any RunPlace
  package let name: String?
  package let shard: Shard?
  package let pipeline: String
  /// Its state as stored.
  public let status: RunState.Status
  /// Why it is paused.
  public let reason: Failure?
  /// Numbers of items by state, without zeros.
  public let counts: [Item.Status: Int]
  /// Bytes that transfers of items moved.
  public let bytesMoved: Int64
  /// Items that were abandoned or failed, and left something at the server.
  public let leftAtServer: Int
  /// Hidden files and folders that its patterns skipped.
  package let hidden: Int?
  private let began: Instant
  private let ended: Instant?
  /// Whether a process is working on it now; `nil` if the report is that process's own.
  public var isWorkedOn: Bool?
  /// The measurements of the process that works on it.
  package var progress: ProgressFacts?
  /// The time between start and end in which no process worked on it.
  public var idle: Duration = .zero

  /// Reports on a state that was loaded from a store, or that an executor returned.
  public init(state: RunState, pipeline: Pipeline, in place: any RunPlace) {
    id = state.id
    (self.place, shard) = (place, state.shard)
    (name, hidden) = place.label
    self.pipeline = pipeline.name
    status = state.status
    reason = state.reason
    counts = state.loops.map(\.counts).sums
    bytesMoved = state.loops.reduce(0) { $0 + $1.bytesMoved }
    leftAtServer = state.leftAtServer
    began = state.began
    ended = state.ended
  }

  /// Whether it has finished, and no item has failed or is paused.
  public var isComplete: Bool {
    status == .finished
      && counts.allSatisfy { [.done, .skipped].contains($0.key) || $0.value == 0 }
  }

  /// Whether no process is working on it, so that nothing is in progress.
  package var isAtRest: Bool { isWorkedOn != true }
  /// How long processes worked on it until its end.
  package var worked: Duration? { ended.map { max($0 - began - idle, .zero) } }

  /// The run's state in one word: one that no process works on is interrupted, or waits for a worker of its database.
  public var statusWord: String {
    guard isWorkedOn == false else { return status.rawValue }
    guard let place = place.shardPlace else {
      return status == .running ? "interrupted" : status.rawValue
    }
    if place.trouble != nil { return ReportFormatting.failedToRun }
    guard status == .running || isGivenBack else { return status.rawValue }
    return place.isPaused ? "paused" : "waiting"
  }

  /// Whether a worker was stopped that had this shard, so that another may continue.
  private var isGivenBack: Bool {
    (status == .paused || status == .finished) && place.shardPlace?.isGivenBack == true
  }

  /// Why it is where it is; a shard that waits for a worker has no reason, and one of a run that was paused has that.
  public var reasonInWords: String? {
    if isWorkedOn == false, let trouble = place.shardPlace?.trouble {
      return "\(trouble); `\(place.command("resume"))` tries again"
    }
    guard isWorkedOn == false, let place = place.shardPlace, status == .running || isGivenBack
    else { return reason?.message }
    return place.reason
  }

  package var hasFailures: Bool { (counts[.paused] ?? 0) + (counts[.failed] ?? 0) > 0 }

  /// The command that continues the run; `resume` does not change failed items.
  package var continuing: String {
    "`\(place.command(status == .finished || status == .paused && hasFailures ? "retry" : "resume"))`"
  }

  /// The report as JSON.
  ///
  /// - Parameter event: The kind of line, if it is one of several.
  public func json(event: String? = nil) -> String { EncodedJSON.of(form(event: event)) }

  package func form(event: String? = nil) -> RunForm {
    RunForm {
      $0.event = event
      $0.run = id.rawValue
      $0.name = name
      $0.shard = shard?.description
      $0.pipeline = pipeline
      $0.status = statusWord
      $0.reason = reasonInWords
      $0.items = progress?.items ?? ReportFormatting.items(counts, isAtRest: isAtRest)
      $0.bytes_moved = progress?.bytesMoved ?? bytesMoved
      $0.percent = progress?.percent
      $0.bytes_total = progress?.totalBytes
      $0.bytes_per_second = progress?.rate.map { Int64($0) }
      $0.seconds_left = progress?.secondsLeft.map { Int64($0) }
      $0.waiting = progress?.waitingByWords
      $0.left_at_server = leftAtServer
      $0.hidden = hidden
      $0.began = began.description
      $0.ended = ended?.description
      $0.worked_seconds = worked.map { Double($0.milliseconds) / 1000 }
      $0.worked_on = isWorkedOn
    }
  }
}

extension RunState { package var leftAtServer: Int { loops.reduce(0) { $0 + $1.leftAtServer } } }
