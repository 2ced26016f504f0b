import PipelineCore
import PipelineEngine
import PipelineSQLite

/// A store that commands can use: besides what a run needs, what they ask of it.
///
/// Another store conforms to it in a file of its own; which store a run has is decided below, and nowhere else.
protocol RunStore: CheckpointStore, DigestCache {
  /// Opens or creates the store of the run in `folder`, for the process that works on it.
  static func open(
    _ folder: RunFolder, _ pipeline: Pipeline, _ sealer: (any SecretSealer)?
  ) async throws(StoreFailure) -> Self
  /// Opens it for reading, while another process may work on the run.
  static func openToRead(
    _ folder: RunFolder, _ pipeline: Pipeline
  ) async throws(StoreFailure) -> Self
  /// The run in a list of runs, read without its pipeline.
  static func summary(of folder: RunFolder) async throws(StoreFailure) -> RunSummary
  /// What a list of runs shows besides the summary, read without the run's pipeline.
  static func figures(of folder: RunFolder) async throws(StoreFailure) -> RunFigures
  /// The paths of what it stores in the folder, whether they exist or not.
  static func paths(in folder: RunFolder) -> [String]

  /// The items in whose subject a text ends with a name, after a slash or as a whole, in order; `json` is the name as a JSON text.
  func items(called json: [UInt8]) async throws(StoreFailure) -> [Item]

  /// Replaces the subjects and the progress of items that are not active.
  ///
  /// - Throws: ``StoreFailure``; a stale owner changes nothing.
  func replace(_ items: [Item], epoch: Int) async throws(StoreFailure)

  /// The sizes of all items that are files, by state.
  func sizes() async throws(StoreFailure) -> ItemSizes

  /// The time within the run in which no process worked on it.
  func idleTime() async throws(StoreFailure) -> Duration
}

extension RunFolder {
  /// The store of every run.
  private var storeType: any RunStore.Type { SQLiteCheckpointStore.self }

  /// See ``RunStore/open(_:_:_:)``.
  func openStore(
    _ pipeline: Pipeline, sealer: (any SecretSealer)?
  ) async throws(StoreFailure) -> any RunStore {
    try await storeType.open(self, pipeline, sealer)
  }

  /// See ``RunStore/openToRead(_:_:)``.
  func openStoreToRead(_ pipeline: Pipeline) async throws(StoreFailure) -> any RunStore {
    try await storeType.openToRead(self, pipeline)
  }

  /// See ``RunStore/summary(of:)``.
  func summary() async throws(StoreFailure) -> RunSummary {
    try await storeType.summary(of: self)
  }

  /// See ``RunStore/figures(of:)``.
  func figures() async throws(StoreFailure) -> RunFigures {
    try await storeType.figures(of: self)
  }

  /// See ``RunStore/paths(in:)``.
  var storePaths: [String] { storeType.paths(in: self) }
}
