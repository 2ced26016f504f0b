import PipelineSQLite

/// A run in a list of runs, read without acquiring it and without its pipeline.
struct KnownRun {
  let folder: RunFolder
  let isWorkedOn: Bool
  /// The content of its store, or why it cannot be read.
  private let stored: Result<(summary: RunSummary, figures: RunFigures), StoreFailure>

  /// - Parameter isWorkedOn: Whether another process works on it;
  ///   a process that holds the run's lock must pass it itself.
  init(_ folder: RunFolder, isWorkedOn: Bool? = nil) async {
    self.folder = folder
    self.isWorkedOn = isWorkedOn ?? RunLock.isHeld(folder)
    do throws(StoreFailure) {
      let summary = try await folder.summary()
      stored = .success((summary, try await folder.figures()))
    } catch { stored = .failure(error) }
  }

  static func all(_ state: StateFolder) async -> [KnownRun] {
    var runs: [KnownRun] = []
    for folder in state.folders() { runs.append(await KnownRun(folder)) }
    return runs
  }

  var summary: RunSummary? { try? stored.get().summary }

  /// Why its store cannot be read, or else why it is paused.
  var reason: String? {
    switch stored {
    case .failure(let failure): failure.message
    case .success(let content): content.summary.reason
    }
  }

  var statusWord: String {
    guard let status = summary?.status else { return "unreadable" }
    return status == .running && !isWorkedOn ? "interrupted" : status.rawValue
  }

  /// Whether some command could still continue it, retry items, or undo its effects on the server; true if it cannot be read.
  var isUnfinished: Bool {
    guard case .success((let summary, let figures)) = stored else { return true }
    return figures.leftAtServer > 0
      || RunState.canBeGivenUp(summary.status, [summary.counts], leftAtServer: figures.leftAtServer)
  }

  /// The numbers of its items by state, without zeros.
  var counts: [Item.Status: Int] { summary.map { [$0.counts].sums } ?? [:] }

  /// Why it is unfinished: `paused: 3 done, 2 waiting`, or of a run that has ended `3 done, 2 failed`.
  var condition: String {
    guard !counts.isEmpty else { return statusWord }
    let items = ReportFormatting.counts(counts, isAtRest: !isWorkedOn)
    return summary?.status == .finished ? items : "\(statusWord): \(items)"
  }

  var continuation: String { folder.command(next.verb) }
  /// What ``continuation`` does.
  var continuationWords: String { next.words }

  private var next: (verb: String, words: String) {
    switch summary?.status {
    case nil: ("status", "shows more")
    case .running, .paused: ("resume", "continues it")
    case .cancelling, .cancelled: ("cancel", "ends that")
    case .finished where (counts[.paused] ?? 0) + (counts[.failed] ?? 0) > 0:
      ("retry", "retries the other items")
    case .finished: ("cancel", "abandons the other items")
    }
  }

  /// How long processes worked on it, until `now` if one still does; `nil` if it has no end.
  func worked(at now: Instant) -> Duration? {
    guard case .success((let summary, let figures)) = stored,
      let end = isWorkedOn ? now : summary.ended
    else { return nil }
    return max(end - summary.began - figures.idle, .zero)
  }

  /// The time since its end, or since its start if it has no end; `nil` if it cannot be read.
  func age(at now: Instant) -> Duration? { summary.map { now - ($0.ended ?? $0.began) } }
}

extension RunFolder {
  var bytesOnDisk: Int64 {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
    return names.reduce(into: 0) { total, name in
      var entry = stat()
      if lstat(path + "/" + name, &entry) == 0 { total += Int64(entry.st_blocks) * 512 }
    }
  }
}

enum RunStatusName: String, CaseIterable {
  case running, interrupted, loading, waiting, paused, finished, cancelling, cancelled, unreadable,
    unfinished

  func fits(_ run: KnownRun) -> Bool {
    self == .unfinished ? run.isUnfinished : run.statusWord == rawValue
  }
}

extension RunState {
  /// Whether cancelling the run would change anything.
  var canBeGivenUp: Bool {
    Self.canBeGivenUp(status, loops.map(\.counts), leftAtServer: leftAtServer)
  }

  /// As ``canBeGivenUp``, of a run whose state was not read.
  static func canBeGivenUp(_ status: Status, _ counts: [ItemCounts], leftAtServer: Int) -> Bool {
    switch status {
    case .running, .paused, .cancelling: true
    case .cancelled: leftAtServer > 0
    case .finished:
      counts.contains { counts in
        [Item.Status.pending, .active, .paused, .failed].contains { counts[$0] > 0 }
      }
    }
  }
}

extension StateFolder {
  /// The newest unfinished run of the file at the absolute path `definition`, if no process works on it.
  func newestUnfinished(of definition: String) async -> KnownRun? {
    for folder in folders().reversed() where folder.origin?.definition == definition {
      let run = await KnownRun(folder)
      if !run.isWorkedOn, run.isUnfinished, run.summary != nil { return run }
    }
    return nil
  }
}
