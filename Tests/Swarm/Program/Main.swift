import Foundation
import PipelineCore
import Swarm

/// Searches seeds, and writes and runs traces, in the repository's folder.
///
///     pipeline-swarm [--seeds N] [--from SEED] [--bug NAME] [--timeline]
///     pipeline-swarm --seed N --write FILE [--found TEXT] [--bug NAME]
///     pipeline-swarm --trace FILE [--timeline]
///     pipeline-swarm --shards [--seeds N] [--from SEED] [--bug NAME]
@main
struct Main {
  private var arguments = Array(CommandLine.arguments.dropFirst())
  private let library: PipelineLibrary

  static func main() async throws {
    var program = Main(
      library: try PipelineLibrary(
        root: URL(filePath: FileManager.default.currentDirectoryPath)))
    if program.arguments.contains("--shards") { await program.searchShards() }
    if let path = program.value("--trace") { try program.replay(path) }
    if let path = program.value("--write") { try program.write(path) }
    await program.search()
  }

  private init(library: PipelineLibrary) { self.library = library }

  private mutating func value(_ name: String) -> String? {
    guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else {
      return nil
    }
    defer { arguments.removeSubrange(index...(index + 1)) }
    return arguments[index + 1]
  }

  private mutating func bug() -> PlantedBug? {
    guard let name = value("--bug") else { return nil }
    guard let bug = PlantedBug(rawValue: name) else { usage("there is no bug '\(name)'") }
    return bug
  }

  private func usage(_ message: String) -> Never {
    FileHandle.standardError.write(Data("pipeline-swarm: \(message)\n".utf8))
    exit(2)
  }

  // MARK: Traces

  /// Runs a trace; ends with 1 if it finds something, or no longer fits the engine.
  private mutating func replay(_ path: String) throws -> Never {
    let trace = try SwarmTrace(contentsOf: URL(filePath: path))
    let result = try Swarm(library, bug: trace.bug).result(of: trace)
    report(result, path)
    for misfit in result.misfits { print("  the trace does not fit: \(misfit)") }
    if result.violations.isEmpty { print("\(path): nothing found (once: \(trace.found))") }
    exit(result.violations.isEmpty && result.misfits.isEmpty ? 0 : 1)
  }

  private mutating func write(_ path: String) throws -> Never {
    guard let seed = value("--seed").flatMap(UInt64.init) else { usage("--write needs --seed N") }
    let found = value("--found")
    let (trace, result) = try Swarm(library, bug: bug()).trace(of: seed) { violations in
      found ?? violations.first ?? "nothing"
    }
    try trace.json().write(to: URL(filePath: path))
    report(result, path)
    exit(0)
  }

  // MARK: Seeds

  private mutating func search() async {
    let count = value("--seeds").flatMap(UInt64.init) ?? 2000
    let first = value("--from").flatMap(UInt64.init) ?? 1
    let bug = bug()
    print("seeds \(first) to \(first + count - 1)\(bug.map { ", planted: \($0.rawValue)" } ?? "")")
    let figures = await Self.run(
      Swarm(library, bug: bug), first..<(first + count), stopsEarly: bug != nil)
    print(figures.text())
    for failure in figures.failures.sorted(by: { $0.seed < $1.seed }).prefix(100) {
      report(failure, "seed \(failure.seed)")
      let suffix = bug.map { " --bug \($0.rawValue)" } ?? ""
      print("  replay: pipeline-swarm --seeds 1 --from \(failure.seed) --timeline\(suffix)")
      print("  keep: pipeline-swarm --seed \(failure.seed) --write FILE\(suffix)")
    }
    // Few seeds need not meet everything.
    let unseen = count >= 500 && bug == nil ? figures.unseen : []
    for sighting in unseen { print("never happened: \(sighting.rawValue)") }
    exit(figures.failures.isEmpty && unseen.isEmpty ? 0 : 1)
  }

  /// Seeds of workers on shards.
  private mutating func searchShards() async -> Never {
    let count = value("--seeds").flatMap(UInt64.init) ?? 2000
    let first = value("--from").flatMap(UInt64.init) ?? 1
    let name = value("--bug")
    let bug = name.flatMap(ShardBug.init)
    if let name, bug == nil { usage("there is no bug '\(name)' of shards") }
    var (requests, seen, failures) = (0, [String: Int](), [ShardResult]())
    for seed in first..<(first + count) {
      let result = Swarm.shards(seed: seed, bug: bug)
      requests += result.requests
      seen.merge(result.seen) { $0 + $1 }
      guard !result.violations.isEmpty else { continue }
      failures.append(result)
      print(
        "seed \(seed):\n" + result.violations.prefix(3).map { "  \($0)" }.joined(separator: "\n"))
      if bug != nil { break }
    }
    print(
      "\(count) seeds of shards, \(requests) requests, \(failures.count) seeds with violations")
    for (what, times) in seen.sorted(by: { $0.key < $1.key }) { print("  \(times)  \(what)") }
    exit(failures.isEmpty ? 0 : 1)
  }

  private func report(_ result: SwarmResult, _ name: String) {
    guard !result.violations.isEmpty else { return }
    let isMadeUp = result.shape.contains("\n")
    print("\(name) (\(isMadeUp ? "made up" : result.shape)):")
    for violation in result.violations.prefix(5) { print("  \(violation)") }
    guard arguments.contains("--timeline") else { return }
    if isMadeUp { print(result.shape) }
    print(result.timeline)
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
