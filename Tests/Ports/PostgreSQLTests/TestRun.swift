import PipelineConformance
import PipelineCore
import PipelineEngine
@testable import PipelinePostgreSQL
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The server of the tests: `PIPELINE_TEST_POSTGRESQL` is its address, which `Tests/Servers/postgresql` sets.
let server = getenv("PIPELINE_TEST_POSTGRESQL").map { String(cString: $0) }

/// A run of its own in the database, with one loop over files that has items.
struct TestRun {
  static let schema = "pipeline_tests"
  let runs: PostgreSQLRuns
  let run: StoredRun

  /// - Parameters:
  ///   - patience: How long a lost connection is reopened; without it, a test sees the loss at once.
  ///   - wait: How long a shard waits after it ended two workers: an hour does not pass during a test.
  static func connect(
    patience: Duration = .zero, wait: Duration = .seconds(3600)
  ) async throws -> PostgreSQLRuns {
    try await PostgreSQLRuns(
      address: try #require(server), schema: schema, patience: patience, wait: wait)
  }

  /// Creates a run and loads its items.
  static func loaded(items: Int, shards: Int, slots: Int? = nil) async throws -> TestRun {
    let runs = try await connect()
    let run = try await created(in: runs, shards: shards, slots: slots)
    try await load(run, in: runs, items: (0..<items).map { "\($0).jpg" })
    return TestRun(
      runs: runs, run: try #require(try await runs.runs(called: run.id.rawValue).first))
  }

  static func created(
    in runs: PostgreSQLRuns, shards: Int, slots: Int? = nil, name: String? = nil
  ) async throws -> StoredRun {
    try await runs.create(
      RunID("run-\(UInt64.random(in: 0 ... .max))"), name: name, pipeline: Sample.pipeline,
      shards: shards, slots: slots ?? shards,
      material: .init(definition: "pipeline: photos", used: "{}", origin: "{}"))
  }

  static func load(
    _ run: StoredRun, in runs: PostgreSQLRuns, items: [String],
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws {
    let loop = EnumeratedLoop(loop: 0) { yield in
      for name in items { try yield(subject(name)) }
    }
    try await runs.load(run, [loop], pipeline: Sample.pipeline, progress: progress) { number in
      Sample.state(shard: Shard(number, of: run.shards))
    }
  }

  static func subject(_ name: String) -> Item.Subject {
    .file(
      FileValue(
        path: "/photos/" + name, name: name, size: 1, modified: 1, contentType: "image/jpeg"))
  }

  func store(_ shard: Int) -> PostgreSQLCheckpointStore {
    runs.store(of: run, shard: shard, pipeline: Sample.pipeline)
  }

  func claim(_ worker: String, lease: Duration = .seconds(60)) async throws -> ShardLease? {
    try await runs.claim(run: run, by: worker, lease: lease).first
  }

  /// Lets a lease have expired earlier.
  func shift(_ lease: ShardLease, by time: Duration) async throws {
    try await runs.connection.perform(repeats: false) { session in
      _ = try session.query(
        """
        UPDATE shard SET lease_until = lease_until - $3::bigint * interval '1 millisecond'
        WHERE run = $1 AND shard = $2
        """,
        [.integer(lease.run.row), .integer(lease.shard), .integer(time.milliseconds)])
    }
  }

  func close() async { await runs.close() }
}
