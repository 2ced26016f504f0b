import Foundation
import MachineSupport
import PipelineCore
import Testing

/// Walks through pipelines in which many things meet, with every kind of fault.
struct WideWalkTests {
  struct Scope: Sendable, CustomTestStringConvertible {
    let name: String
    let pipeline: Pipeline
    var limits: ProcessLimits?
    /// Walks that are kept; each finds a mutant that no other walk finds.
    let kept: [UInt64]

    var testDescription: String { name }
  }

  static let scopes = [
    Scope(
      name: "an album with a key", pipeline: SmallPipelines.album(hasProbe: false),
      limits: ProcessLimits(exchanges: 2), kept: [12, 13, 35, 43, 67, 97]),
    Scope(
      name: "an album with a probe",
      pipeline: SmallPipelines.album(
        hasProbe: true, transfers: 2, failures: .allow, probeUntil: .seconds(30)),
      limits: ProcessLimits(exchanges: 3, networkTimeout: .seconds(60)), kept: [63]),
    Scope(
      name: "credentials that undo", pipeline: SmallPipelines.credentials(), kept: [80, 94]),
    Scope(
      name: "credentials that are made on a condition",
      pipeline: SmallPipelines.credentials(if: "steps.sign_in.token != 'other'"), kept: [80]),
  ]

  private static func walk(_ scope: Scope, _ seed: UInt64) -> (walk: RandomWalk, problems: [String])
  {
    var node = Node(scope.pipeline, files: [10, 10, 10, 10], faults: 30)
    node.limits = scope.limits
    node.server.tellsGenerations = true
    node.transcript = Transcript()
    var walk = RandomWalk(node, seed: seed, kinds: [.all, .delays])
    let problems = walk.run()
    return (walk, problems)
  }

  @Test(arguments: scopes)
  func `every state of a walk keeps the laws, and every item ends`(scope: Scope) {
    for seed in 1..<UInt64(RandomWalkTests.seeds) {
      for problem in Self.walk(scope, seed).problems { Issue.record("seed \(seed): \(problem)") }
    }
  }

  @Test(arguments: scopes)
  func `the recorded walks match the reviewed ones`(scope: Scope) throws {
    let walks = scope.kept.map { seed in
      KeptWalks.Walk(
        seed: seed, transcript: Self.walk(scope, seed).walk.node.transcript ?? Transcript())
    }
    try KeptWalks.compare(walks, of: scope.name)
  }
}
