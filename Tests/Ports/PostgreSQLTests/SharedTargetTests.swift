import PipelineConformance
import PipelineCore
import PipelineEngine
import PipelinePostgreSQL
import Testing

/// A target belongs to one item of the run, whichever shard it is in.
@Suite(.enabled(if: server != nil, "PIPELINE_TEST_POSTGRESQL names no server"))
struct SharedTargetTests {
  private func owner(
    _ name: String, of test: TestRun
  ) async throws -> (store: PostgreSQLCheckpointStore, lease: ShardLease) {
    let lease = try #require(try await test.claim(name))
    let store = test.store(lease.shard)
    try await store.begin(epoch: lease.epoch)
    return (store, lease)
  }

  @Test func `an item of another shard is refused, and the first is named with its shard`()
    async throws
  {
    let test = try await TestRun.loaded(items: 40, shards: 2)
    let (first, one) = try await owner("a", of: test)
    let (second, two) = try await owner("b", of: test)
    let claim = Sample.claim(0, 7)
    #expect(try await first.commit(Sample.batch(epoch: one.epoch, claims: [claim])).isEmpty)
    let refusals = try await second.commit(Sample.batch(epoch: two.epoch, claims: [claim]))
    let refusal = try #require(refusals.first)
    #expect(refusal.holder == claim.item && refusal.shard == one.shard)
    #expect(try await refusal.subject == first.item(refusal.holder)?.subject)
    await first.close()
    await second.close()
    #expect(try await test.runs.remove(test.run) == false, "its shards are held")
    await test.close()
  }

  @Test func `shards that claim the same targets at once do not deadlock`() async throws {
    let test = try await TestRun.loaded(items: 40, shards: 2)
    let (first, one) = try await owner("a", of: test)
    let (second, two) = try await owner("b", of: test)
    let targets = (1...50).map { UInt64($0) &* 0x9E37_79B9_7F4A_7C15 }
    func refused(
      _ store: PostgreSQLCheckpointStore, _ epoch: Int, _ order: [UInt64]
    ) async throws -> Int {
      var count = 0
      for _ in 0..<10 {
        let claims = order.map { Sample.claim(0, $0) }
        count = try await store.commit(Sample.batch(epoch: epoch, claims: claims)).count
      }
      return count
    }
    async let mine = refused(first, one.epoch, targets)
    async let yours = refused(second, two.epoch, targets.reversed())
    #expect(try await mine + yours == targets.count)
    await first.close()
    await second.close()
    await test.close()
  }
}
