import Foundation
import Swarm
import Testing

struct SwarmTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private func swarm(_ bug: PlantedBug? = nil) throws -> Swarm {
    Swarm(try PipelineLibrary(root: Self.root), bug: bug)
  }

  @Test func `no promise is broken in the first seeds`() throws {
    let swarm = try swarm()
    var figures = SwarmFigures()
    for seed in UInt64(1)...40 { figures.add(swarm.result(of: seed)) }
    let failures = figures.failures.map { "\($0.seed): \($0.violations)" }
    #expect(failures == [])
    #expect(figures.text().hasPrefix("40 seeds, "))
  }

  @Test func `a seed is the same history each time`() throws {
    let swarm = try swarm()
    #expect(swarm.result(of: 7).hash == swarm.result(of: 7).hash)
    #expect(swarm.result(of: 7).hash != swarm.result(of: 8).hash)
  }

  /// What `Tests/Swarm/planted` changes, one at a time.
  @Test func `each bug that is planted in the engine has its place`() throws {
    struct Planted: Decodable {
      let name: String
      let file: String
      let from: String
    }
    let list = try Data(contentsOf: Self.root.appending(path: "Tests/Swarm/planted.json"))
    for bug in try JSONDecoder().decode([Planted].self, from: list) {
      let text = try String(contentsOf: Self.root.appending(path: bug.file), encoding: .utf8)
      #expect(text.ranges(of: bug.from).count == 1, "\(bug.name)")
    }
  }

  @Test func `events that never happened are named`() {
    #expect(SwarmFigures().unseen.count == CoverageMark.allCases.count)
  }
}
