struct RunReport {
  let id: RunID
  let folder: RunFolder
  let name: String?
  let shard: Shard?
  let pipeline: String
  let status: RunState.Status
  let reason: Failure?
  let counts: [Item.Status: Int]
  let bytesMoved: Int64
  /// Items that were abandoned or failed, and left something at the server.
  let leftAtServer: Int
  /// Hidden files and folders that its patterns skipped.
  let hidden: Int?
  let began: Instant
  let ended: Instant?
  /// Whether a process is working on it now; `nil` if the report is that process's own.
  var isWorkedOn: Bool?
  /// The measurements of the process that works on it.
  var progress: ProgressFacts?
  /// The time between start and end in which no process worked on it.
  var idle: Duration = .zero

  init(state: RunState, pipeline: Pipeline, in folder: RunFolder) {
    id = state.id
    let origin = folder.origin
    (self.folder, name, shard) = (folder, origin?.name, state.shard)
    hidden = origin?.hidden
    self.pipeline = pipeline.name
    status = state.status
    reason = state.reason
    counts = state.loops.map(\.counts).sums
    bytesMoved = state.loops.reduce(0) { $0 + $1.bytesMoved }
    leftAtServer = state.leftAtServer
    began = state.began
    ended = state.ended
  }

  var isComplete: Bool {
    status == .finished
      && counts.allSatisfy { [.done, .skipped].contains($0.key) || $0.value == 0 }
  }

  /// Whether no process is working on it, so that nothing is in progress.
  private var isAtRest: Bool { isWorkedOn != true }
  /// How long processes worked on it until its end.
  private var worked: Duration? { ended.map { max($0 - began - idle, .zero) } }

  func print(_ format: ReportFormat) {
    guard format == .text else { return Terminal.print(json()) }
    for (number, line) in text.enumerated() {
      if number == 0 {
        Terminal.print(
          line, painting: statusWord, ReportFormatting.paint(statusWord, isComplete: isComplete))
      } else {
        Terminal.print(line)
      }
    }
  }

  /// Prints the report as the last of the lines that `--progress json` prints, or else in `format`.
  func print(after progress: ProgressMode, _ format: ReportFormat) {
    if progress == .json { Terminal.print(json(event: "ended")) } else { print(format) }
  }

  /// The run's state in one word: one that no process works on is interrupted, or waits for a worker of its database.
  var statusWord: String {
    guard isWorkedOn == false else { return status.rawValue }
    guard let place = folder.shard else {
      return status == .running ? "interrupted" : status.rawValue
    }
    if place.trouble != nil { return ReportFormatting.failedToRun }
    guard status == .running || isGivenBack else { return status.rawValue }
    return place.isPaused ? "paused" : "waiting"
  }

  /// Whether a worker was stopped that had this shard, so that another may continue.
  private var isGivenBack: Bool {
    (status == .paused || status == .finished) && folder.shard?.isGivenBack == true
  }

  /// Why it is where it is; a shard that waits for a worker has no reason, and one of a run that was paused has that.
  var reasonInWords: String? {
    if isWorkedOn == false, let trouble = folder.shard?.trouble {
      return "\(trouble); `\(folder.command("resume"))` tries again"
    }
    guard isWorkedOn == false, let place = folder.shard, status == .running || isGivenBack else {
      return reason?.message
    }
    return place.run.pauseReason ?? place.refusal
  }

  /// The reason of a run that was asked to pause before a worker had it.
  static let pausedByUser = "paused by `pipeline pause`"

  var text: [String] {
    let title = (name.map { " '\($0)'" } ?? "") + (shard.map { ", shard \($0)" } ?? "")
    let waited =
      idle < .seconds(1) ? "" : " of work (\(ReportFormatting.duration(idle)) without a process)"
    let duration = worked.map { " in \(ReportFormatting.duration($0))\(waited)" } ?? ""
    let words =
      progress.map { ["\($0.percent) %"] + $0.words }
      ?? [ReportFormatting.counts(counts, isAtRest: isAtRest), ReportFormatting.bytes(bytesMoved)]
    var lines = ["run \(id)\(title): \(statusWord)\(duration): \(words.joined(separator: ", "))"]
    lines += progress?.waiting.prefix(4).map { "  \($0.text)" } ?? []
    if let reason = reasonInWords { lines.append("  because: \(reason)") }
    if let hidden {
      let files = ReportFormatting.count(hidden, "hidden file")
      lines.append("  \(files) skipped; --hidden includes them")
    }
    if leftAtServer > 0 {
      lines.append(
        "  \(ReportFormatting.count(leftAtServer, "item")) left something at the server: "
          + "`\(folder.command("explain"))` shows why, `\(folder.command("cancel"))` tries to undo it again"
      )
    }
    switch status {
    case .finished where hasFailures:
      lines.append("  `\(folder.command("explain"))` shows why; \(continuing) tries them again")
    case .paused: lines.append("  continue with \(continuing)")
    case .running where isWorkedOn == false: lines.append("  continue with \(continuing)")
    case .cancelling where isWorkedOn != true:
      lines.append("  continue cancelling with `\(folder.command("cancel"))`")
    default: break
    }
    return lines
  }

  private var hasFailures: Bool { (counts[.paused] ?? 0) + (counts[.failed] ?? 0) > 0 }

  /// The command that continues the run; `resume` does not change failed items.
  var continuing: String {
    "`\(folder.command(status == .finished || status == .paused && hasFailures ? "retry" : "resume"))`"
  }

  /// - Parameter event: The kind of line, if it is one of several.
  func json(event: String? = nil) -> String { EncodedJSON.of(form(event: event)) }

  func form(event: String? = nil) -> RunForm {
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
