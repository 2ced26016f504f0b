import Swarm
import Testing

/// Workers on the shards of one run.
struct ShardSwarmTests {
  @Test func `no promise is broken in the first seeds`() {
    var seen: Set<String> = []
    for seed in UInt64(1)...300 {
      let result = Swarm.shards(seed: seed)
      #expect(result.violations == [], "seed \(seed)")
      seen.formUnion(result.seen.keys)
    }
    #expect(
      seen == [
        "killed", "stopped", "cut off", "claim lost", "lease found lost", "batch sent again",
        "stale batch", "held at the gate", "response lost", "lead waited", "lead went on",
        "a body was cut off with its lease", "left to others", "requested",
        "rate divided again",
      ])
  }

  @Test(arguments: ShardBug.allCases)
  func `each planted bug is found`(bug: ShardBug) {
    let found = (UInt64(1)...1000).contains { seed in
      !Swarm.shards(seed: seed, bug: bug).violations.isEmpty
    }
    #expect(found)
  }
}
