import PipelineSQLite

/// A store that commands can use; which one a run has is decided below, and nowhere else.
protocol RunStore: CheckpointStore, DigestCache {
  /// Opens or creates the store of the run in `folder`, for the process that works on it.
  static func open(_ folder: RunFolder, _ pipeline: Pipeline, _ sealer: (any SecretSealer)?)
    async throws(StoreFailure) -> Self
  /// Opens it for reading, while another process may work on the run.
  static func openToRead(_ folder: RunFolder, _ pipeline: Pipeline) async throws(StoreFailure)
    -> Self
  /// The items in whose subject a text ends with a name, after a slash or as a whole, in order; `json` is the name as a JSON text.
  func items(called json: [UInt8]) async throws(StoreFailure) -> [Item]

  /// Replaces the subjects and the progress of items that are not active; a stale owner changes nothing.
  func replace(_ items: [Item], epoch: Int) async throws(StoreFailure)

  /// The sizes of all items that are files, by state.
  func sizes() async throws(StoreFailure) -> ItemSizes

  /// The time within the run in which no process worked on it.
  func idleTime() async throws(StoreFailure) -> Duration
}

extension RunFolder {
  /// The store of every run: a file in its folder, or a shard of a database.
  private var storeType: any RunStore.Type {
    shard == nil ? SQLiteCheckpointStore.self : PostgreSQLCheckpointStore.self
  }

  func openStore(_ pipeline: Pipeline, sealer: (any SecretSealer)?) async throws(StoreFailure)
    -> any RunStore
  { try await storeType.open(self, pipeline, sealer) }

  func openStoreToRead(_ pipeline: Pipeline) async throws(StoreFailure) -> any RunStore {
    try await storeType.openToRead(self, pipeline)
  }

  /// The run in a list of runs of a state folder, read without its pipeline.
  func summary() async throws(StoreFailure) -> RunSummary {
    try await SQLiteCheckpointStore.summary(of: self)
  }

  /// The figures that a list of runs shows in addition to the summary.
  func figures() async throws(StoreFailure) -> RunFigures {
    try await SQLiteCheckpointStore.figures(of: self)
  }

  /// The paths of the store's files in the folder, whether they exist or not.
  var storePaths: [String] { SQLiteCheckpointStore.paths(in: self) }
}

extension CommandFailure {
  /// A store failure, with the exit status for its kind.
  init(storeFailure failure: StoreFailure) {
    switch failure.kind {
    case .notFound, .enumeration: self.init(.invalid, failure.message)
    case .corrupt, .otherVersion, .full, .readOnly, .staleOwner, .system:
      self.init(.environment, failure.message)
    }
  }
}

extension Result where Failure == any Error {
  init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
