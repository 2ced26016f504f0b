import PipelineSQLite

/// A series of runs as other commands see it: the process that watches for it, and its output file.
struct KnownSeries {
  /// The record that the watching process leaves for others, as `series.json` in the series' folder.
  struct Note: Codable {
    /// The key of the series: its name, or the pipeline's file.
    let key: String
    let name: String?
    let pipeline: String
    /// The process that watches, or watched last.
    let process: Int32
  }

  let folder: String
  let note: Note
  var isWatched: Bool { FolderLock.isHeld(folder) }
  /// The file that gets the output, if the process works in the background.
  var logPath: String { folder + "/output.log" }
  /// The files that its runs have claimed.
  var storePath: String { folder + "/series.sqlite" }

  private static func notePath(_ folder: String) -> String { folder + "/series.json" }

  private init?(_ folder: String) {
    guard let note: Note = RunFolder.decoded(Self.notePath(folder)) else { return nil }
    (self.folder, self.note) = (folder, note)
  }

  /// Leaves a note in the folder of a series.
  init(_ note: Note, in folder: String) throws(CommandFailure) {
    (self.folder, self.note) = (folder, note)
    do {
      try JSONEncoder().encode(note)
        .write(to: URL(filePath: Self.notePath(folder)), options: .atomic)
    } catch {
      throw CommandFailure.environment("cannot write to '\(folder)': \(StateFolder.reason(error))")
    }
  }

  static func all(in state: StateFolder) -> [KnownSeries] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: state.seriesPath)) ?? []
    return names.sorted().compactMap { KnownSeries(state.seriesPath + "/" + $0) }
  }

  /// The series that the user named: by its name, or by the pipeline's file.
  static func find(_ name: String, in state: StateFolder) -> KnownSeries? {
    all(in: state).first { $0.note.key == name || $0.note.key == StateFolder.absolute(name) }
  }

  func runs(in state: StateFolder) -> [RunFolder] {
    state.folders().filter { $0.origin?.series == note.key }
  }

  /// Who watches for it, in words.
  var holder: String { "process \(note.process)" }
}

struct SeriesRun {
  private let run: RunID
  private let store: SeriesStore

  /// `nil` for a run that is not of a series, or whose series is gone.
  init?(_ folder: RunFolder) {
    guard let key = folder.origin?.series,
      let series = KnownSeries.all(in: folder.state).first(where: { $0.note.key == key }),
      let store = try? SeriesStore(path: series.storePath)
    else { return nil }
    (run, self.store) = (folder.id, store)
  }

  /// The later run that claimed the current file; `nil` if none did.
  func laterRun(with file: FileValue) -> String? {
    guard let taker = try? store.taker(ofFile: file.path, size: file.size, modified: file.modified),
      taker != run.rawValue
    else { return nil }
    return taker
  }
}
