import Foundation
import MachineSupport
import PipelineCore
import Testing

/// The machine's actions and state, to the last field, over walks that meet every kind of fault.
///
/// `KeptWalks` has a hash of each step of these walks, and a few of them as text.
struct TranscriptTests {
  /// `make test` compares the first walks, and all where the machine is explored or mutated, or the walks are written.
  private static let isWhole =
    ExplorationTests.isFull || ExplorationTests.isWide || KeptWalks.writes
  private static let walks: UInt64 = isWhole ? 40 : 9
  /// Walks beyond the first, by scope; each finds a mutant that no other walk finds.
  private static let further: [String: [UInt64]] = [
    "a batch of three on a disk for two": [47, 93], "a batch of two and one left": [94, 121, 161],
    "a batch of two, with a key": [64], "a photo": [177], "three copies on a disk for two": [289],
    "a transfer that is renewed when it begins": [108], "two copies on a disk for one": [103],
    "two photos": [232], "two transfers that are challenged": [80],
  ]
  /// Cases that the laws of exploration do not cover are only tested here: steps that no repeat is safe
  /// for, and definitions that fail on the values they meet.
  static let scopes =
    ExplorationTests.scopes + [
      .init(
        name: "creating without a key or a probe",
        pipeline: SmallPipelines.single(effect: .create), files: [1, 1], faults: 0),
      .init(
        name: "a condition of an item that fails",
        pipeline: SmallPipelines.failing(inRunScope: false), files: [1, 1], faults: 0),
    ]
  static func transcript(of scope: ExplorationTests.Scope, seed: UInt64) -> Transcript {
    var node = Node(scope.pipeline, files: scope.files, faults: seed == 0 ? 6 : 30)
    node.transcript = Transcript()
    var walk = RandomWalk(node, seed: seed)
    _ = walk.run()
    return walk.node.transcript ?? Transcript()
  }

  @Test func `each further walk is of a scope that there is`() {
    #expect(Set(Self.further.keys).isSubset(of: Self.scopes.map(\.name)))
  }

  @Test func `each kept walk is of a scope that there is`() {
    let wide = WideWalkTests.scopes.map(\.name)
    #expect(KeptWalks.scopes == Set(Self.scopes.map(\.name) + wide))
    #expect(Set(KeptWalks.readable.keys).isSubset(of: KeptWalks.scopes))
  }

  @Test(arguments: scopes)
  func `effects and stored state match the reviewed ones`(scope: ExplorationTests.Scope) throws {
    let seeds = Array(0...Self.walks) + Self.further[scope.name, default: []]
    let walks = seeds.map {
      KeptWalks.Walk(seed: $0, transcript: Self.transcript(of: scope, seed: $0))
    }
    #expect(walks[0].transcript.lines.count > 10)
    try KeptWalks.compare(walks, of: scope.name, isWhole: Self.isWhole)
  }

  @Test func `the first step that differs is named, with its content`() throws {
    let scope = try #require(Self.scopes.first { $0.name == "a photo" })
    let walk = KeptWalks.Walk(seed: 0, transcript: Self.transcript(of: scope, seed: 0))
    let now = try #require(KeptWalks.difference(of: walk, from: ""))
    #expect(now.contains("step 1 of ") && now.contains("  runBegan\n     → run sign_in 1.1\n"))
    let shorter = try #require(
      KeptWalks.difference(of: walk, from: KeptWalks.hashes(of: walk) + "AAAA"))
    let count = walk.transcript.steps.count
    #expect(shorter == "which had \(count + 1) steps, ends after step \(count)")
    #expect(KeptWalks.difference(of: walk, from: KeptWalks.hashes(of: walk)) == nil)
  }
}
