import Foundation
import Testing

@testable import Swarm

/// Runs that found something are stored with all that was drawn in them, so that they stay the
/// same when the meaning of seeds changes.
struct TraceTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let folder = root.appending(path: "Tests/Swarm/Traces")

  private static func names(_ prefix: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).filter { $0.hasPrefix(prefix) }.sorted()
  }

  private func trace(_ name: String) throws -> SwarmTrace {
    try SwarmTrace(contentsOf: Self.folder.appending(path: name))
  }

  private func swarm(_ bug: PlantedBug? = nil) throws -> Swarm {
    Swarm(try PipelineLibrary(root: Self.root), bug: bug)
  }

  // MARK: Stored traces

  @Test func `the traces exist`() {
    #expect(Self.names("seed-").count >= 21)
    let bugs = PlantedBug.allCases.map { "bug-\($0.rawValue).json" }.sorted()
    #expect(Self.names("bug-") == bugs)
  }

  /// If the engine asks for other draws than it did, the trace no longer shows its original finding: look why, and
  /// write it again or remove it.
  @Test(arguments: Self.names("seed-"))
  func `a bug that was once found stays fixed`(name: String) throws {
    let trace = try trace(name)
    let result = try swarm().result(of: trace)
    #expect(result.violations == [], "\(trace.found)")
    #expect(result.misfits == [])
    #expect(!trace.found.isEmpty)
  }

  @Test(arguments: PlantedBug.allCases)
  func `a stored trace finds the bug that was planted`(bug: PlantedBug) throws {
    let trace = try trace("bug-\(bug.rawValue).json")
    #expect(trace.bug == bug)
    let result = try swarm(bug).result(of: trace)
    #expect(result.violations.first == trace.found)
    #expect(result.misfits == [])
    // Without the bug the run goes another way, and finds nothing.
    #expect(try swarm().result(of: trace).violations == [])
  }

  /// `Tests/Swarm/planted` runs these with their bugs in the engine.
  @Test(arguments: Self.names("engine-"))
  func `the trace of a bug in the engine finds nothing without it`(name: String) throws {
    #expect(try swarm().result(of: trace(name)).violations == [])
  }

  @Test(arguments: PlantedBug.allCases)
  func `the documentation names the seed of the trace`(bug: PlantedBug) throws {
    let page = try String(
      contentsOf: Self.root.appending(path: "docs/proofs/swarm.md"), encoding: .utf8)
    let row = try #require(
      page.split(separator: "\n").first { $0.hasPrefix("| `\(bug.rawValue)` |") })
    let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(cells.compactMap { UInt64($0) }.first == (try trace("bug-\(bug.rawValue).json").seed))
  }

  // MARK: Writing and reading

  @Test func `a trace is the run of its seed`() throws {
    let swarm = try swarm()
    for seed in UInt64(1)...12 {
      let (trace, _) = try swarm.trace(of: seed) { _ in "nothing" }
      let file = FileManager.default.temporaryDirectory
        .appending(path: "trace-\(UUID().uuidString).json")
      defer { try? FileManager.default.removeItem(at: file) }
      try trace.json().write(to: file)
      let result = try swarm.result(of: SwarmTrace(contentsOf: file))
      #expect(result.hash == swarm.result(of: seed).hash, "seed \(seed)")
      #expect(result.violations == [] && result.misfits == [])
    }
  }

  @Test func `the faults of a run are those of the trace`() throws {
    var trace = try trace("seed-8701.json")
    let swarm = try swarm()
    let before = try swarm.result(of: trace).faults["503"] ?? 0
    #expect(before > 1)
    let list = try #require(try trace.lists["503"])
    let first = try #require(list.firstIndex(of: "true"))
    trace.draws["503"] = SwarmTrace.shortened(
      list.enumerated().map { $0.offset == first ? "true" : "false" })
    #expect(try swarm.result(of: trace).faults["503"] == 1)
  }

  @Test func `draws that are missing or left over are reported`() throws {
    let swarm = try swarm()
    var trace = try trace("seed-187.json")
    let complete = try trace.lists
    let requests = try #require(complete["request lost"])
    trace.draws["request lost"] = SwarmTrace.shortened(requests + ["false", "false"])
    #expect(try swarm.result(of: trace).misfits == ["2 draws of 'request lost' are left over"])

    // The last one is not a fault, and the generator's draw in its place is not a fault either.
    #expect(requests.last == "false")
    trace.draws["request lost"] = SwarmTrace.shortened(requests.dropLast())
    let misfits = try swarm.result(of: trace).misfits
    #expect(
      misfits.first { $0.hasSuffix("are missing") } == "1 draws of 'request lost' are missing")

    trace.draws["request lost"] = ["no*\(requests.count)"]
    #expect(try swarm.result(of: trace).misfits.contains("'request lost' cannot be 'no'"))
  }

  @Test(arguments: ["false*", "false*-1", "false*x", "*3*4"])
  func `a draw that cannot be read is refused`(word: String) throws {
    var trace = try trace("seed-187.json")
    trace.draws["crash"] = [word]
    #expect(throws: PipelineLibrary.Problem.self) { try swarm().result(of: trace) }
  }

  @Test func `equal draws are written once`() {
    #expect(SwarmTrace.shortened(["1", "1", "1", "2", "1"]) == ["1*3 2 1"])
    let long = (0..<200).map(String.init)
    #expect(SwarmTrace.shortened(long).allSatisfy { $0.count <= 95 })
    #expect(SwarmTrace.shortened(long).joined(separator: " ") == long.joined(separator: " "))
  }
}
