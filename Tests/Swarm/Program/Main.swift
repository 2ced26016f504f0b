import Foundation
import PipelineCore
import Swarm

/// `pipeline-swarm [--seeds N] [--from SEED] [--bug NAME] [--trace]`, to be run in the repository's folder.
@main
enum Main {
  static func main() async throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    func value(_ name: String) -> String? {
      guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else {
        return nil
      }
      defer { arguments.removeSubrange(index...(index + 1)) }
      return arguments[index + 1]
    }
    let count = value("--seeds").flatMap(UInt64.init) ?? 2000
    let first = value("--from").flatMap(UInt64.init) ?? 1
    let bug = value("--bug").flatMap(PlantedBug.init)
    let library = try PipelineLibrary(root: URL(filePath: FileManager.default.currentDirectoryPath))
    print("seeds \(first) to \(first + count - 1)\(bug.map { ", planted: \($0.rawValue)" } ?? "")")
    let figures = await run(
      Swarm(library, bug: bug), first..<(first + count), stopsEarly: bug != nil)
    print(figures.text())
    for failure in figures.failures.sorted(by: { $0.seed < $1.seed }).prefix(100) {
      let isMadeUp = failure.shape.contains("\n")
      print("seed \(failure.seed) (\(isMadeUp ? "made up" : failure.shape)):")
      for violation in failure.violations.prefix(5) { print("  \(violation)") }
      if arguments.contains("--trace") {
        if isMadeUp { print(failure.shape) }
        print(failure.timeline)
      }
      let suffix = bug.map { " --bug \($0.rawValue)" } ?? ""
      print("  replay: pipeline-swarm --seeds 1 --from \(failure.seed) --trace\(suffix)")
    }
    // Few seeds need not meet everything.
    let unseen = count >= 500 && bug == nil ? figures.unseen : []
    for sighting in unseen { print("never happened: \(sighting.rawValue)") }
    exit(figures.failures.isEmpty && unseen.isEmpty ? 0 : 1)
  }

  /// All seeds, a part of them on each core.
  private static func run(
    _ swarm: Swarm, _ seeds: Range<UInt64>, stopsEarly: Bool
  ) async -> SwarmFigures {
    let lanes = UInt64(max(ProcessInfo.processInfo.activeProcessorCount, 1))
    return await withTaskGroup(of: SwarmFigures.self) { group in
      for lane in 0..<lanes {
        group.addTask {
          var figures = SwarmFigures()
          for seed in seeds where seed % lanes == lane {
            let begun = ContinuousClock.now
            figures.add(swarm.result(of: seed))
            let time = ContinuousClock.now - begun
            if time > .seconds(2) { print("seed \(seed) took \(time)") }
            if stopsEarly, !figures.failures.isEmpty { break }
          }
          return figures
        }
      }
      return await group.reduce(into: SwarmFigures()) { $0.add($1) }
    }
  }
}
