import ArgumentParser
import Foundation
import PipelineCore
import Swarm

/// Searches seeds, and writes and runs traces, in the repository's folder.
@main
struct SwarmCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pipeline-swarm",
    abstract: "Search seeds of faults for violations, or write and replay a trace of one.",
    usage: """
      pipeline-swarm [--seeds N] [--from SEED] [--bug NAME] [--timeline]
      pipeline-swarm --seed N --write FILE [--found TEXT] [--bug NAME]
      pipeline-swarm --trace FILE [--timeline]
      pipeline-swarm --shards [--seeds N] [--from SEED] [--bug NAME]
      """)

  @Option(help: "How many seeds to search.") var seeds: UInt64 = 2000
  @Option(name: .customLong("from"), help: "The first seed.") var first: UInt64 = 1
  @Option(name: .customLong("bug"), help: "Plant a bug, which a seed should find.")
  var bugName: String?
  @Flag(help: "Search seeds of workers on shards.") var shards = false
  @Flag(name: .customLong("timeline"), help: "Print what happened before a violation.")
  var showsTimeline = false
  @Option(help: "Replay the trace in this file.") var trace: String?
  @Option(help: "Write the trace of the seed --seed to this file.") var write: String?
  @Option(help: "The seed to write.") var seed: UInt64?
  @Option(help: "What the written trace once found.") var found: String?

  func validate() throws {
    if write != nil, seed == nil { throw ValidationError("--write needs --seed N") }
    guard let bugName else { return }
    let known = shards ? ShardBug.allCases.map(\.rawValue) : PlantedBug.allCases.map(\.rawValue)
    guard known.contains(bugName) else {
      throw ValidationError(
        "There is no bug '\(bugName)'; known are \(known.joined(separator: ", ")).")
    }
  }

  func run() async throws {
    guard !shards else { return try searchShards() }
    let library = try PipelineLibrary(
      root: URL(filePath: FileManager.default.currentDirectoryPath))
    if let trace { return try replay(trace, library) }
    if let write { return try self.write(write, library) }
    try await search(library)
  }

  private var bug: PlantedBug? { bugName.flatMap(PlantedBug.init) }

  // MARK: Traces

  /// Runs a trace; ends with 1 if it finds something, or no longer fits the engine.
  private func replay(_ path: String, _ library: PipelineLibrary) throws {
    let trace = try SwarmTrace(contentsOf: URL(filePath: path))
    let result = try Swarm(library, bug: trace.bug).result(of: trace)
    report(result, path)
    for misfit in result.misfits { print("  the trace does not fit: \(misfit)") }
    if result.violations.isEmpty { print("\(path): nothing found (once: \(trace.found))") }
    guard result.violations.isEmpty, result.misfits.isEmpty else { throw ExitCode.failure }
  }

  private func write(_ path: String, _ library: PipelineLibrary) throws {
    let (trace, result) = try Swarm(library, bug: bug).trace(of: seed ?? 1) { violations in
      found ?? violations.first ?? "nothing"
    }
    try trace.json().write(to: URL(filePath: path))
    report(result, path)
  }

  // MARK: Seeds

  private func search(_ library: PipelineLibrary) async throws {
    print("seeds \(first) to \(first + seeds - 1)\(bug.map { ", planted: \($0.rawValue)" } ?? "")")
    let figures = await Self.run(
      Swarm(library, bug: bug), first..<(first + seeds), stopsEarly: bug != nil)
    print(figures.text())
    for failure in figures.failures.sorted(by: { $0.seed < $1.seed }).prefix(100) {
      report(failure, "seed \(failure.seed)")
      let suffix = bug.map { " --bug \($0.rawValue)" } ?? ""
      print("  replay: pipeline-swarm --seeds 1 --from \(failure.seed) --timeline\(suffix)")
      print("  keep: pipeline-swarm --seed \(failure.seed) --write FILE\(suffix)")
    }
    // Few seeds need not meet everything.
    let unseen = seeds >= 500 && bug == nil ? figures.unseen : []
    for sighting in unseen { print("never happened: \(sighting.rawValue)") }
    guard figures.failures.isEmpty, unseen.isEmpty else { throw ExitCode.failure }
  }

  /// Seeds of workers on shards.
  private func searchShards() throws {
    let bug = bugName.flatMap(ShardBug.init)
    var (requests, seen, failures) = (0, [String: Int](), [ShardResult]())
    for seed in first..<(first + seeds) {
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
      "\(seeds) seeds of shards, \(requests) requests, \(failures.count) seeds with violations")
    for (what, times) in seen.sorted(by: { $0.key < $1.key }) { print("  \(times)  \(what)") }
    guard failures.isEmpty else { throw ExitCode.failure }
  }

  private func report(_ result: SwarmResult, _ name: String) {
    guard !result.violations.isEmpty else { return }
    let isMadeUp = result.shape.contains("\n")
    print("\(name) (\(isMadeUp ? "made up" : result.shape)):")
    for violation in result.violations.prefix(5) { print("  \(violation)") }
    guard showsTimeline else { return }
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
