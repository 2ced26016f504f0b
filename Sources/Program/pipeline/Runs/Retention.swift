/// Which finished runs are kept: all that are younger than an age, and the newest ones by number.
struct Retention {
  var age: Duration?
  var count: Int?
  static let variable = "PIPELINE_KEEP_RUNS"

  init(age: Duration?, count: Int?) { (self.age, self.count) = (age, count) }

  /// The value in the environment, or else in the settings; `nil` if all runs are kept.
  init?(environment: String?, settings: Settings = .current) throws(CommandFailure) {
    if let environment {
      try self.init(environment, from: Self.variable, .usage)
    } else if let text = settings.keepRuns {
      try self.init(text, from: "'keep_runs' in '\(settings.file ?? Settings.path)'", .invalid)
    } else {
      return nil
    }
  }

  /// Reads a text such as `30d,20`, `30d` or `20`.
  private init(_ text: String, from source: String, _ mistake: ExitStatus) throws(CommandFailure) {
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map {
      $0.filter { $0 != " " }
    }
    for word in words {
      if let number = Int(word), number >= 0, count == nil {
        count = number
      } else if Int(word) == nil, age == nil {
        guard case .duration(let duration) = try? InputValues.parse(word, as: .duration) else {
          throw CommandFailure(mistake, "\(source): expected a duration, such as 30d")
        }
        age = duration
      } else {
        throw CommandFailure(mistake, "\(source): expected an age and a number, such as 30d,20")
      }
    }
  }

  /// Those of `runs`, newest last, that need not be kept; unfinished ones only if `isForced`.
  func surplus(_ runs: [KnownRun], isForced: Bool = false, at now: Instant) -> [KnownRun] {
    let finished = runs.filter { !$0.isWorkedOn && (isForced || !$0.isUnfinished) }
    return finished.dropLast(count ?? 0).filter { run in
      guard let age else { return true }
      return run.age(at: now).map { $0 >= age } ?? false
    }
  }
}

/// The treatment of finished runs by `run` and `runs`; they are kept by default.
struct FinishedRuns {
  let state: StateFolder
  /// Finished runs that occupy more than this are worth a line.
  static let limit: Int64 = 1 << 30

  /// A line if the finished runs occupy much space.
  func notice() async -> String? {
    let folders = state.folders().map { ($0, $0.bytesOnDisk) }
    // If they occupy little space, the stores need not be read.
    guard folders.reduce(0, { $0 + $1.1 }) > Self.limit else { return nil }
    var bytes: Int64 = 0
    for (folder, size) in folders {
      let run = await KnownRun(folder)
      if !run.isWorkedOn, !run.isUnfinished { bytes += size }
    }
    guard bytes > Self.limit else { return nil }
    let prune = NextCommand.text(["runs", "prune", "--keep", "20"], in: state)
    return "finished runs occupy \(ReportFormatting.bytes(bytes)): `\(prune)` removes all but the "
      + "newest 20, and \(Retention.variable)=30d,20 does so after each run"
  }

  /// Removes the runs that need not be kept, and reports how many.
  func apply(_ retention: Retention) async -> String? {
    let removal = RunRemoval(state: state)
    removal.sweep()
    let runs = await KnownRun.all(state)
    var (count, bytes): (Int, Int64) = (0, 0)
    for run in retention.surplus(runs, at: .wallClock) {
      // A run that cannot be removed now is removed later.
      guard let freed = try? await removal.remove(run.folder) else { continue }
      (count, bytes) = (count + 1, bytes + freed)
    }
    guard count > 0 else { return nil }
    return
      "\(ReportFormatting.count(count, "finished run")) removed (\(ReportFormatting.bytes(bytes))), as "
      + "\(Retention.variable) specifies"
  }
}
