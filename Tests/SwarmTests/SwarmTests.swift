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

  /// Seeds that found bugs of the engine; `docs/reliability.md` tells which.
  @Test(arguments: [
    UInt64(187), 217, 441, 495, 2116, 16367, 17843, 20198, 24287, 55112, 1195, 896, 1084, 2609,
    8701, 9897, 29054, 74373, 6, 1468, 85018,
  ])
  func `a bug that a seed once found stays fixed`(seed: UInt64) throws {
    #expect(try swarm().result(of: seed).violations == [])
  }

  @Test func `a seed is the same history each time`() throws {
    let swarm = try swarm()
    #expect(swarm.result(of: 7).hash == swarm.result(of: 7).hash)
    #expect(swarm.result(of: 7).hash != swarm.result(of: 8).hash)
  }

  /// The seeds that `docs/reliability.md` names.
  @Test(arguments: PlantedBug.allCases)
  func `a planted bug is found by the seed that the documentation names`(bug: PlantedBug) throws {
    let page = try String(
      contentsOf: Self.root.appending(path: "docs/reliability.md"), encoding: .utf8)
    let row = try #require(
      page.split(separator: "\n").first { $0.hasPrefix("| `\(bug.rawValue)` |") })
    let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    let seed = try #require(cells.compactMap { UInt64($0) }.first)
    #expect(seed <= 2000)
    #expect(!(try swarm(bug).result(of: seed).violations.isEmpty))
    #expect(try swarm().result(of: seed).violations == [])
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

  @Test func `what never happened is named`() {
    #expect(SwarmFigures().unseen.count == CoverageMark.allCases.count)
  }
}
