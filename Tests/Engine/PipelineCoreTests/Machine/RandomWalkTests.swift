import Foundation
import MachineSupport
import PipelineCore
import Testing

/// Long walks at random through larger runs than exploration can exhaust; each failure names its seed.
struct RandomWalkTests {
  static let seeds = ExplorationTests.isFull ? 5000 : ExplorationTests.isWide ? 80 : 20

  @Test(arguments: ["photos", "copies", "single", "sessions", "batch", "pieces"])
  func `every item ends and the server accepted each creation once, in any walk`(name: String) {
    for seed in 0..<Self.seeds {
      let pipeline: Pipeline =
        switch name {
        case "photos":
          SmallPipelines.photos(budgets: Budgets(diskBytes: 700, transfers: 2))
        case "copies": SmallPipelines.copies(concurrency: 3, disk: 35, transfers: 1, second: true)
        case "sessions": SmallPipelines.sessions(key: "Key")
        case "batch": SmallPipelines.batch()
        case "pieces": SmallPipelines.pieces(hasResync: true, pieces: seed % 3, waits: true)
        default: SmallPipelines.single(effect: .create, hasProbe: true, undo: true)
        }
      var walk = RandomWalk(
        Node(pipeline, files: [10, 10, 10, 10], faults: 40), seed: UInt64(seed))
      for problem in walk.run() { Issue.record("\(name), seed \(seed): \(problem)") }
    }
  }
}
