import PipelineCore
import PipelineSQLite

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

  /// The later run that took a file as it is now; `nil` if none did.
  func laterRun(with file: FileValue) -> String? {
    guard
      let taker = try? store.taker(ofFile: file.path, size: file.size, modified: file.modified),
      taker != run.rawValue
    else { return nil }
    return taker
  }
}
