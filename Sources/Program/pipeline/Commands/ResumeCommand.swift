struct ResumeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "resume", "Continue a run that was stopped, killed or paused.", status: ExitStatus.working)

  @OptionGroup var target: RunTarget

  func run() async throws {
    if let database = try await target.database.connect() {
      return try await target.wish(.resume, in: database)
    }
    guard try target.execution.worksHere(target.form.format) else { return }
    let folder =
      try target.run == nil
      ? await target.state.folder.newestUnfinished() : target.state.folder.find(target.run)
    try await target.proceed(on: folder) { _ in [] }
  }
}

struct RetryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "retry", "Retry paused and failed items.", status: ExitStatus.working)

  @OptionGroup var target: RunTarget

  @Argument(help: "Items, by their names, their paths or LOOP/NUMBER (default: all).") var items:
    [String] = []

  @Flag(help: "Only items that have failed, not paused ones.") var failed = false
  @Flag(help: "Only items that are paused.") var paused = false
  @OptionGroup var filter: ItemFilterOptions
  @Flag(help: "Accept files that have changed since the run started.") var acceptChangedFiles =
    false

  func run() async throws {
    if let database = try await target.database.connect() { return try await retry(in: database) }
    guard try target.execution.worksHere(target.form.format) else { return }
    let arguments = ItemArguments(
      run: target.run, items: items, isList: true, in: target.state.folder)
    let filter = try self.filter.filter(statuses)
    guard arguments.names.isEmpty || filter.isByStatusOnly && !failed && !paused else {
      throw ValidationError(
        "name the items, or choose them with --failed, --paused, --cause and --match; not both.")
    }
    let folder = try target.state.folder.find(arguments.run)
    try await target.proceed(on: folder) { opened in
      guard opened.state.status != .cancelled, opened.state.status != .cancelling else {
        throw CommandFailure.invalid(
          "run '\(folder.id)' was cancelled; start a new one with `pipeline run`")
      }
      let keys = try await chosen(arguments, filter, opened, folder)
      guard keys?.isEmpty != true else {
        throw CommandFailure(.done, nil, note: "no paused or failed item matches")
      }
      let (accepted, left) = try await ChangedFiles(opened: opened, series: SeriesRun(folder))
        .accept(keys, onlyUnread: !acceptChangedFiles)
      if acceptChangedFiles, !target.execution.quiet {
        Terminal.error("\(ReportFormatting.count(accepted, "changed file")) accepted")
        if left > 0 {
          Terminal.error(
            "\(ReportFormatting.count(left, "changed file")) skipped: a later run of the same series includes the current file"
          )
        }
      }
      let events = try await opened.requeue(keys)
      guard !events.isEmpty || opened.state.status != .finished else {
        throw CommandFailure(.done, nil, note: "no item is paused or has failed")
      }
      return events
    }
  }

  private func retry(in database: RunDatabase) async throws {
    guard items.isEmpty, try filter.filter([]).isByStatusOnly else {
      throw ValidationError(
        "with --store, retry is for all items of a run, or for those that have --failed or are --paused."
      )
    }
    if acceptChangedFiles {
      guard failed == paused else {
        throw ValidationError("with --store, --accept-changed-files is for all items of a run.")
      }
      return try await target.wish(.retryAccepting, in: database)
    }
    try await target.wish(
      failed == paused ? .retry : failed ? .retryFailed : .retryPaused, in: database)
  }

  private var statuses: Set<Item.Status> {
    failed == paused ? [.paused, .failed] : failed ? [.failed] : [.paused]
  }

  /// The items to try again; `nil` means all that are paused or have failed.
  private func chosen(
    _ arguments: ItemArguments, _ filter: ItemFilter, _ opened: OpenRun, _ folder: RunFolder
  ) async throws -> [ItemKey]? {
    guard arguments.names.isEmpty else {
      let names = ItemNames(run: folder, store: opened.store, pipeline: opened.pipeline)
      return try await arguments.items(names).map(\.key)
    }
    guard !filter.isByStatusOnly || filter.statuses.count == 1 else { return nil }
    return try await opened.keys(filter)
  }
}
