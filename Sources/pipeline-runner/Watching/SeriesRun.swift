import PipelineCore
import PipelineSQLite

/// A run of a series, which other runs follow.
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

  /// The later run that took the item's file as it is then; `nil` if none did.
  func laterRun(with item: Item) -> String? {
    guard case .file(let file) = item.subject, let taker = try? store.taker(of: file.path),
      taker != run.rawValue
    else { return nil }
    return taker
  }
}
