import CEL
import Foundation
import GRDB
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

  private func perform<T: Sendable>(
    _ body: @Sendable (Database) throws -> T
  ) async throws -> T {
    let queue = try DatabaseQueue(path: folder("run.sqlite"))
    return try await queue.write(body)
  }

  /// How often the row of the table `frame` was written since the trigger was made.
  private func writes() async throws -> Int {
    try await perform { try Int.fetchOne($0, sql: "SELECT count(*) FROM written") } ?? 0
  }

  @Test func `a batch that changes only counts writes neither inputs nor steps`() async throws {
    let store = try await open()
    _ = try await store.claim()
    var state = try await store.create(Sample.state(), items: [Sample.files(2)])
    try await perform {
      try $0.execute(
        sql: """
          CREATE TABLE written (row INTEGER);
          CREATE TRIGGER written AFTER INSERT ON frame BEGIN INSERT INTO written VALUES (1); END
          """)
    }
    func commit() async throws {
      try await store.commit(Sample.batch(epoch: 1, [], events: [.timerFired], state: state))
    }
    try await commit()
    for count in 1...20 {
      state.loops[0].counts[.done] = count
      try await commit()
    }
    // A connection cannot know what was there before its first batch.
    #expect(try await writes() == 1)
    state.frame[0].outputs = [OutputValue(value: .string("new"))]
    state.frame[0].status = .succeeded
    try await commit()
    #expect(try await writes() == 2)
    await store.close()
    let read = try await open().load()
    #expect(read.loops[0].counts[.done] == 20)
    #expect(read.frame[0].outputs.first?.value == .string("new"))
  }

  @Test func `a run that an earlier version stored in one row is read and goes on`() async throws {
    let store = try await open()
    _ = try await store.claim()
    var state = try await store.create(Sample.state(), items: [Sample.files(2)])
    state.frame[0].status = .running
    let whole = Data(CheckpointCoding(Sample.pipeline).encode(state))
    try await perform {
      try $0.execute(sql: "UPDATE run SET state = ?", arguments: [whole])
      try $0.execute(sql: "DELETE FROM frame")
    }
    #expect(try await store.load().frame[0].status == .running)
    #expect(try await store.load().inputs == state.inputs)
    state.loops[0].counts[.done] = 1
    try await store.commit(Sample.batch(epoch: 1, [], events: [.timerFired], state: state))
    await store.close()
    let read = try await open().load()
    #expect(read.frame[0].status == .running && read.loops[0].counts[.done] == 1)
    #expect(read.inputs == state.inputs)
  }
}
