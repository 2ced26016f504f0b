struct RemoveRunsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "rm", of: "runs", "Remove runs, with their history and their files.",
    status: ExitStatus.help([
      (.done, "the runs are removed"),
      (.invalid, "the run does not exist, or it is unfinished and --force is missing"),
      (.environment, "a process is working on a run, or the disk does not allow it"),
      (.usage, ExitStatus.usage.meaning),
    ]))

  @OptionGroup var state: StateOptions
  @OptionGroup var database: StoreOption
  @Argument(help: "The runs: their IDs, the starts of those, or their names.") var runs: [String]

  @Flag(help: "Also remove unfinished runs, except those that a process is working on.")
  var force = false

  func run() async throws {
    if let database = try await database.connect() {
      return try await DatabaseRuns(database: database).remove(runs, isForced: force)
    }
    let removal = RunRemoval(state: state.folder, isForced: force)
    removal.sweep()
    var folders: [RunFolder] = []
    for name in runs {
      let folder = try state.folder.find(name)
      if !folders.contains(where: { $0.id == folder.id }) { folders.append(folder) }
    }
    for folder in folders { try await removal.check(folder) }
    for folder in folders {
      let bytes = try await removal.remove(folder)
      Terminal.print("run '\(folder.id)' removed (\(ReportFormatting.bytes(bytes)))")
    }
  }
}

struct PruneRunsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "prune", of: "runs", "Remove old finished runs.",
    status: ExitStatus.help([
      (.done, "the runs are removed, if there were any"),
      (.environment, "a run cannot be removed"), (.usage, ExitStatus.usage.meaning),
    ]))

  @OptionGroup var state: StateOptions
  @OptionGroup var database: StoreOption
  @OptionGroup var filter: RunFilterOptions
  @Option(help: .help("Number of newest runs to keep.", "number")) var keep: Int?
  @Flag(help: "Only list the runs that would be removed.") var dryRun = false

  @Flag(help: "Also remove unfinished runs, except those that a process is working on.")
  var force = false

  func validate() throws {
    guard filter.olderThan != nil || keep != nil else {
      throw ValidationError("--older-than or --keep is required.")
    }
    guard keep ?? 0 >= 0 else { throw ValidationError("--keep must not be negative.") }
  }

  func run() async throws {
    if let database = try await database.connect() {
      return try await DatabaseRuns(database: database).prune(
        Retention(age: try filter.age, count: keep), filter.pipeline, isForced: force,
        isDry: dryRun)
    }
    let removal = RunRemoval(state: state.folder, isForced: force)
    if !dryRun { removal.sweep() }
    let runs = await KnownRun.all(state.folder).filter {
      filter.pipeline == nil || $0.summary?.pipeline == filter.pipeline
    }
    let retention = Retention(age: try filter.age, count: keep)
    var (count, bytes): (Int, Int64) = (0, 0)
    for run in retention.surplus(runs, isForced: force, at: .wallClock) {
      let size = dryRun ? run.folder.bytesOnDisk : try await removal.remove(run.folder)
      (count, bytes) = (count + 1, bytes + size)
      Terminal.print("\(run.folder.id)  \(ReportFormatting.bytes(size))  \(run.condition)")
    }
    let verb = dryRun ? "would be removed" : "removed"
    Terminal.print(
      "\(ReportFormatting.count(count, "run")) \(verb), \(ReportFormatting.bytes(bytes))")
  }
}
