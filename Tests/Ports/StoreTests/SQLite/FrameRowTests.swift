import CEL
import Foundation
import PipelineConformance
import PipelineCore
import PipelineEngine
import PipelineSQLite
import Testing

/// What few turns change of a run, such as a list that one of its steps returned, is written when it changes.
struct FrameRowTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open() async throws -> SQLiteCheckpointStore {
    try await SQLiteCheckpointStore(path: folder("run.sqlite"), pipeline: Sample.pipeline)
  }

  private func database() throws -> Database { try Database(path: folder("run.sqlite")) }

  /// How often the row of the table `frame` was written since the trigger was created.
  private func writes() throws -> Int64? {
    try database().integer("SELECT count(*) FROM written")
  }

  @Test func `a batch that changes only counts writes neither inputs nor steps`() async throws {
    let store = try await open()
    _ = try await store.claim()
    var state = try await store.create(Sample.state(), items: [Sample.files(2)])
    try database().execute(
      """
      CREATE TABLE written (row INTEGER);
      CREATE TRIGGER written AFTER INSERT ON frame BEGIN INSERT INTO written VALUES (1); END
      """)
    func commit() async throws {
      try await store.commit(Sample.batch(epoch: 1, [], events: [.timerFired], state: state))
    }
    try await commit()
    for count in 1...20 {
      state.loops[0].counts[.done] = count
      try await commit()
    }
    // A connection does not have the row from before its first batch.
    #expect(try writes() == 1)
    state.frame[0].outputs = [OutputValue(value: .string("new"))]
    state.frame[0].status = .succeeded
    try await commit()
    #expect(try writes() == 2)
    await store.close()
    let read = try await open().load()
    #expect(read.loops[0].counts[.done] == 20)
    #expect(read.frame[0].outputs.first?.value == .string("new"))
  }
}
