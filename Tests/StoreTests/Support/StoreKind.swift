import PipelineCore
import PipelineEngine
import PipelineSQLite
import Testing

/// The implementations of ``CheckpointStore`` that the conformance suite holds to the same facts.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  case inMemory, sqlite

  var testDescription: String { rawValue }
}

/// One store under test, and the way to a second look at what it keeps.
struct StoreFixture {
  private let kind: StoreKind
  private let folder: TemporaryFolder
  private let pipeline: Pipeline
  let store: any CheckpointStore

  init(_ kind: StoreKind, _ pipeline: Pipeline = Sample.pipeline) async throws {
    self.kind = kind
    self.pipeline = pipeline
    folder = try TemporaryFolder()
    store =
      switch kind {
      case .inMemory: InMemoryCheckpointStore(pipeline)
      case .sqlite:
        try await SQLiteCheckpointStore(path: folder("run.sqlite"), pipeline: pipeline)
      }
  }

  /// A store with the sample run of `count` files in it, and the epoch of its owner.
  static func begun(_ kind: StoreKind, files count: Int) async throws -> (Self, epoch: Int) {
    let fixture = try await Self(kind)
    let epoch = try await fixture.store.claim()
    _ = try await fixture.store.create(Sample.state(), items: [Sample.files(count)])
    return (fixture, epoch)
  }

  /// What a later process sees.
  ///
  /// A run in memory has no later process: there it is the same store.
  func reopened() async throws -> any CheckpointStore {
    switch kind {
    case .inMemory: return store
    case .sqlite:
      await store.close()
      return try await SQLiteCheckpointStore(path: folder("run.sqlite"), pipeline: pipeline)
    }
  }
}

/// Expects that `body` fails with `kind`, and gives the failure for a closer look.
@discardableResult
func expectFailure(
  _ kind: StoreFailure.Kind, sourceLocation: Testing.SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async -> StoreFailure? {
  do {
    try await body()
    Issue.record("nothing failed, expected \(kind)", sourceLocation: sourceLocation)
  } catch let failure as StoreFailure {
    #expect(failure.kind == kind, "\(failure)", sourceLocation: sourceLocation)
    #expect(!failure.message.hasSuffix("."), sourceLocation: sourceLocation)
    return failure
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
  return nil
}
