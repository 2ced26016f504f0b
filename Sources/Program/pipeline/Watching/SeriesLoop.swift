import PipelineSQLite

/// Watches folders, and starts a run whenever there are files that no earlier run of the series claimed.
struct SeriesLoop {
  let series: Series
  let state: StateFolder
  let isTalkative: Bool
  let sources: [String: FileSources]
  /// Starts a run of the files for which `takes` holds, and works on it until it stops.
  let begin:
    (
      _ takes: @escaping @Sendable (FileValue) -> Bool, _ creating: (RunID) throws -> Void,
      _ created: (RunID) throws -> Void
    ) async throws -> Void
  let resume: (RunFolder) async throws -> Void
  /// Tries the paused items of a run again.
  let retry: (RunFolder) async throws -> Void
  /// How long after the start, and after each time, paused items are tried again.
  let retryInterval: Duration
  /// How often folders are read that report no changes, such as those of a network file system.
  private static let interval: Duration = .seconds(10)
  /// How long after a failure for lack of a network it is tried again.
  private static let offlinePause: Duration = .seconds(30)
  private static let tick: Duration = .milliseconds(100)

  /// Works until a signal ends it, or a run is paused.
  func work() async throws {
    let signals = InterruptSignals.process
    let watch = FolderWatch()
    var scan = try FileScan(sources, series.store)
    // Before anything is started, so that a misspelled folder is an error at once.
    _ = try scan.look(at: .now, entering: watch.add)
    try Detachment.leaveTerminal(for: series.key, log: series.known.logPath, isRun: false)
    await announce(watch, scan.takenCount)
    try await goOn(signals)
    try await tryAgain(signals)
    var retryTime = ContinuousClock.now + retryInterval
    var isMissing = false
    while !signals.wasInterrupted {
      var ready: [String: SeriesStore.File] = [:]
      let start = ContinuousClock().now
      do {
        ready = try scan.look(at: .now, entering: watch.add)
        isMissing = false
      } catch let failure as CommandFailure {
        // A folder may be missing for a while, such as that of a camera.
        if !isMissing { Terminal.error("pipeline: warning: \(failure.message ?? "")") }
        isMissing = true
      }
      if ready.isEmpty {
        // Reading a large tree must not be all that it does, however often the tree changes.
        let rest = min((ContinuousClock().now - start) * 10, Self.interval)
        await pause(
          atLeast: max(rest, Self.tick), until: min(scan.due ?? retryTime, retryTime), watch,
          signals)
        if ContinuousClock.now >= retryTime {
          try await tryAgain(signals)
          retryTime = ContinuousClock.now + retryInterval
        }
      } else {
        try await take(ready, &scan, signals)
      }
    }
    Terminal.error(
      "stopped watching; \(ReportFormatting.count(scan.takenCount, "file")) processed so far")
  }

  private func announce(_ watch: FolderWatch, _ count: Int) async {
    let runs = await series.incomplete(in: state)
    for run in runs.suffix(Self.listed) where run.counts[.failed] > 0 {
      Terminal.error(
        "note: run '\(run.folder.id)' has \(ReportFormatting.count(run.counts[.failed], "failed item")), which "
          + "`\(run.folder.command("retry"))` tries again")
    }
    guard isTalkative else { return }
    let folders = ReportFormatting.count(watch.count, "folder")
    let patterns = sources.values.map(\.description).sorted().joined(separator: ", ")
    let earlier =
      count == 0 ? "" : "; \(ReportFormatting.count(count, "file")) processed by earlier runs"
    Terminal.error("watching \(folders) for \(patterns)\(earlier); Ctrl-C ends it")
    if let problem = watch.problem {
      Terminal.error(
        "pipeline: note: the system does not report changes of all folders (\(problem)), so they are read every 10 s"
      )
    }
  }

  /// Runs with failed items that are named at the start.
  private static let listed = 3

  /// Tries paused items of earlier runs again: the cause of the pause may have passed.
  private func tryAgain(_ signals: InterruptSignals) async throws {
    for run in await series.incomplete(in: state)
    where run.counts[.paused] > 0 && !signals.wasInterrupted {
      if isTalkative {
        Terminal.error(
          "tries \(ReportFormatting.count(run.counts[.paused], "paused item")) of run '\(run.folder.id)' again"
        )
      }
      do { try await retry(run.folder) } catch { try await settle(error, run.folder, signals) }
    }
  }

  private func take(
    _ files: [String: SeriesStore.File], _ scan: inout FileScan, _ signals: InterruptSignals
  ) async throws {
    var begun: RunID?
    do {
      try await begin(
        { value in
          files[value.path].map { $0.size == value.size && $0.modified == value.modified } ?? false
        },
        { id in
          try series.store.take(files.values, for: id.rawValue)
          begun = id
        }, { id in try series.store.confirm(id.rawValue) })
      scan.took(files)
    } catch {
      guard let begun, let folder = state.folders().first(where: { $0.id == begun }) else {
        if let begun { try? series.store.giveBack(begun.rawValue) }
        throw error
      }
      scan.took(files)
      try await settle(error, folder, signals)
      try await goOn(signals)
    }
  }

  /// Continues the run that is unfinished, if there is one, for as long as only the network is missing.
  private func goOn(_ signals: InterruptSignals) async throws {
    while !signals.wasInterrupted, let folder = await series.unfinished(in: state) {
      if isTalkative { Terminal.error("continues run '\(folder.id)'") }
      do { try await resume(folder) } catch { try await settle(error, folder, signals) }
    }
  }

  /// Decides the effect of a run's end on the next one; throws `error` if the user must check it first.
  private func settle(
    _ error: any Error, _ folder: RunFolder, _ signals: InterruptSignals
  ) async throws {
    guard let failure = error as? CommandFailure else { throw error }
    switch failure.status {
    case .offline:
      Terminal.error("tries again in 30 s")
      let end = ContinuousClock.now + Self.offlinePause
      while ContinuousClock.now < end, !signals.wasInterrupted {
        try await Task.sleep(for: Self.tick)
      }
    case .incomplete:
      // Failed items are left to the user, and paused ones are retried later. A run that the user paused is not continued.
      guard (try? await folder.summary())?.status == .finished else { throw error }
    case .done, .invalid, .environment, .unproven, .usage, .interrupted: throw error
    }
  }

  /// Waits until something may have changed.
  private func pause(
    atLeast rest: Duration, until due: ContinuousClock.Instant?, _ watch: FolderWatch,
    _ signals: InterruptSignals
  ) async {
    let now = ContinuousClock.now
    let latest = now + Self.interval
    let (begin, end) = (now + rest, max(min(due ?? latest, latest), now + rest))
    while ContinuousClock.now < end, !signals.wasInterrupted {
      try? await Task.sleep(for: Self.tick)
      if ContinuousClock.now >= begin, watch.hasNews() { return }
    }
  }
}
