import PipelineSQLite

/// Runs of one pipeline that follow each other: each claims the files that no earlier one claimed.
struct Series {
  let key: String
  let name: String?
  let store: SeriesStore
  let known: KnownSeries
  private let lock: FolderLock

  /// Opens a series, as long as no other process watches for it; `settings` are its inputs that are neither secret nor files.
  init(
    name: String?, of definition: Definition, at file: String, settings: [String: String],
    in state: StateFolder
  ) throws {
    (key, self.name) = (name ?? file, name)
    let folder = state.seriesPath + "/\(definition.pipeline.name)-\(Self.digest(of: key))"
    try StateFolder.make(folder)
    guard let lock = try FolderLock(ifFree: folder) else {
      let other = KnownSeries.all(in: state).first { $0.folder == folder }
      let attach = NextCommand.text(["attach", key], in: state)
      throw CommandFailure.environment(
        "\(other?.holder ?? "another process") already watches for '\(key)'; `\(attach)` shows "
          + "its progress; to watch separately, set a different --name")
    }
    self.lock = lock
    try Self.refuse(name, taken: state.folders())
    known = try KnownSeries(
      .init(key: key, name: name, pipeline: definition.pipeline.name, process: getpid()),
      in: folder)
    store = try SeriesStore(path: known.storePath)
    try Self.refuse(settings, than: try store.settle(settings), key)
    for run in try store.unconfirmed() {
      let isThere = state.folders().contains { $0.id.rawValue == run }
      try isThere ? store.confirm(run) : store.giveBack(run)
    }
  }

  /// A path may be longer than the name of a folder, and has slashes.
  private static func digest(of key: String) -> Substring {
    var digester = StreamDigester([.sha256])
    Array(key.utf8).withUnsafeBytes { digester.add($0) }
    return digester.digests()[.sha256]?.prefix(12) ?? ""
  }

  private static func refuse(_ name: String?, taken folders: [RunFolder]) throws(CommandFailure) {
    guard let name, let run = folders.first(where: { $0.origin?.name == name }) else { return }
    throw CommandFailure.invalid(
      "a run is called '\(name)': '\(run.id)'; choose another name for the series")
  }

  private static func refuse(
    _ settings: [String: String], than known: [String: String], _ key: String
  ) throws(CommandFailure) {
    for (name, value) in settings.sorted(by: { $0.key < $1.key }) where known[name] != value {
      throw CommandFailure.invalid(
        "input '\(name)' is '\(value)', but the runs of '\(key)' so far had \(known[name].map { "'\($0)'" } ?? "none"); "
          + "set --name to start another series, which sends all files")
    }
  }

  /// The name of the next run, unique among runs and series; `nil` if the series has no name.
  func nextName(in state: StateFolder) throws -> String? {
    guard let name else { return nil }
    let taken = Set(
      state.folders().compactMap { $0.origin?.name }
        + KnownSeries.all(in: state).compactMap(\.note.name))
    let next = try store.runs() + 1
    return (next...).lazy.map { "\(name)-\($0)" }.first { !taken.contains($0) }
  }

  /// The run of this series that could still continue by itself, if there is one.
  func unfinished(in state: StateFolder) async -> RunFolder? {
    for folder in known.runs(in: state).reversed() where !RunLock.isHeld(folder) {
      switch (try? await folder.summary())?.status {
      case .running, .paused: return folder
      case .cancelling, .finished, .cancelled, nil: continue
      }
    }
    return nil
  }

  /// Runs that have ended, with items that have not arrived, oldest first.
  func incomplete(in state: StateFolder) async -> [(folder: RunFolder, counts: ItemCounts)] {
    var runs: [(folder: RunFolder, counts: ItemCounts)] = []
    for folder in known.runs(in: state) where !RunLock.isHeld(folder) {
      guard let summary = try? await folder.summary(), summary.status == .finished,
        summary.counts[.paused] + summary.counts[.failed] > 0
      else { continue }
      runs.append((folder, summary.counts))
    }
    return runs
  }
}
