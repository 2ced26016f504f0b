import Foundation
import MachineSupport
import PipelineCore
import Testing

/// States that small pipelines reach, held to the laws.
///
/// `make test` visits the first states of each pipeline, `EXPLORE=wide` all, and `EXPLORE=full` (`make explore`) all within wider bounds.
struct ExplorationTests {
  private static let extent = ProcessInfo.processInfo.environment["EXPLORE"]
  static let isFull = extent == "full"
  static let isWide = extent == "wide"
  private static let limit = isFull || isWide ? Int.max : 80

  /// A pipeline, its files and how much may go wrong.
  struct Scope: Sendable, CustomTestStringConvertible {
    let name: String
    let pipeline: Pipeline
    let files: [Int64]
    let faults: Int
    var kinds: FaultKinds = .all
    /// Whether a later step may report that a result has expired, so that it is rightly created again.
    var tellsGenerations = false

    var testDescription: String { name }
  }

  static let scopes: [Scope] = [
    Scope(
      name: "a request and a mark", pipeline: SmallPipelines.single(), files: [1],
      faults: isFull ? 4 : 2),
    Scope(
      name: "creating with a key and undoing",
      pipeline: SmallPipelines.single(effect: .create, key: "Key", undo: true), files: [1],
      faults: isFull ? 4 : 3),
    Scope(
      name: "creating with a probe and undoing",
      pipeline: SmallPipelines.single(effect: .create, hasProbe: true, undo: true), files: [1],
      faults: isFull ? 4 : 3),
    Scope(
      name: "two items in one place",
      pipeline: SmallPipelines.single(concurrency: 1, effect: .create, hasProbe: true),
      files: [1, 1], faults: isFull ? 4 : 2),
    Scope(
      name: "two copies on a disk for one", pipeline: SmallPipelines.copies(disk: 10),
      files: [10, 10], faults: isFull ? 3 : 2),
    Scope(
      name: "two items that hold and want more",
      pipeline: SmallPipelines.copies(disk: 30, transfers: 1, second: true), files: [10, 10],
      faults: isFull ? 3 : 1),
    Scope(
      name: "a disk for one and a place for one",
      pipeline: SmallPipelines.copies(concurrency: 1, disk: 10), files: [10, 10],
      faults: isFull ? 3 : 2),
    Scope(
      name: "three copies on a disk for two", pipeline: SmallPipelines.copies(disk: 20),
      files: [10, 10, 10], faults: isFull ? 3 : 2),
    Scope(
      name: "a step that is skipped", pipeline: SmallPipelines.conditional(), files: [1],
      faults: isFull ? 4 : 2),
    Scope(
      name: "a session that is replaced and undone", pipeline: SmallPipelines.sessions(close: true),
      files: [1], faults: isFull ? 4 : 3),
    Scope(
      name: "two sessions, with a probe of what was sent",
      pipeline: SmallPipelines.sessions(hasProbe: true), files: [1, 1], faults: isFull ? 3 : 2,
      tellsGenerations: true),
    Scope(
      name: "a session, and what is sent into it under a key",
      pipeline: SmallPipelines.sessions(key: "Key"), files: [1], faults: isFull ? 4 : 3),
    Scope(
      name: "no pieces, and a step that waits for one",
      pipeline: SmallPipelines.pieces(hasResync: false, pieces: 0, waits: true), files: [1],
      faults: isFull ? 4 : 3),
    Scope(
      name: "pieces of which the server may have all, and a step that waits for one",
      pipeline: SmallPipelines.pieces(hasResync: true, waits: true), files: [1],
      faults: isFull ? 3 : 2),
    Scope(
      name: "pieces whose server says how far it is",
      pipeline: SmallPipelines.pieces(hasResync: true), files: [1], faults: isFull ? 4 : 3),
    Scope(
      name: "pieces that are repeated under a key",
      pipeline: SmallPipelines.pieces(hasResync: false, effect: .create, key: "Key"), files: [1],
      faults: isFull ? 4 : 2),
    Scope(
      name: "two parts of an upload", pipeline: SmallPipelines.parts(), files: [1],
      faults: isFull ? 3 : 2),
    Scope(
      name: "three parts in two places that are created under a key",
      pipeline: SmallPipelines.parts(effect: .create, key: "Key", list: "[1, 2, 3]"), files: [1],
      faults: isFull ? 2 : 1),
    Scope(
      name: "two parts that are undone", pipeline: SmallPipelines.parts(undo: true), files: [1],
      faults: isFull ? 3 : 1),
    Scope(
      name: "two parts that ask for a URL each", pipeline: SmallPipelines.parts(asks: true),
      files: [1], faults: isFull ? 3 : 1),
    Scope(
      name: "two parts on a disk for one", pipeline: SmallPipelines.parts(diskBytes: 10),
      files: [1], faults: isFull ? 3 : 1),
    Scope(
      name: "two files that stay, on a disk for one copy", pipeline: SmallPipelines.saves(disk: 10),
      files: [10, 10], faults: isFull ? 2 : 1),
    Scope(
      name: "digests, and a server that is asked until it is ready",
      pipeline: SmallPipelines.poll(hasDigest: true), files: [1], faults: isFull ? 3 : 2),
    Scope(
      name: "two items at a rate, with a key and undoing",
      pipeline: SmallPipelines.paced(
        [Rate(name: "init", requests: 2, period: .seconds(20))], effect: .create, undo: true),
      files: [1, 1], faults: isFull ? 2 : 1),
    Scope(
      name: "an item at a rate of its own and at that of all, with a probe",
      pipeline: SmallPipelines.paced(
        [
          Rate(name: Rate.ofAllRequests, requests: 1, period: .seconds(1)),
          Rate(name: "init", requests: 3, period: .seconds(20), burst: 2),
        ], effect: .create, hasProbe: true), files: [1], faults: isFull ? 3 : 2,
      tellsGenerations: true),
    Scope(
      name: "two batches at a rate",
      pipeline: SmallPipelines.pacedBatch(Rate(name: "init", requests: 2, period: .seconds(20))),
      files: [1, 1, 1], faults: 1),
    Scope(name: "a photo", pipeline: SmallPipelines.photos(), files: [10], faults: isFull ? 3 : 2),
    Scope(
      name: "two photos",
      pipeline: SmallPipelines.photos(budgets: Budgets(diskBytes: 1000, transfers: 1)),
      files: [10, 10], faults: isFull ? 2 : 1),
    Scope(
      name: "a batch of two, with a key",
      pipeline: SmallPipelines.batch(concurrency: 1, undo: true, mark: false, reissueLimit: 1),
      files: [1, 1], faults: isFull ? 3 : 2),
    Scope(
      name: "a batch of two and one left",
      pipeline: SmallPipelines.batch(mark: isFull, reissueLimit: 1), files: [1, 1, 1], faults: 1),
    Scope(
      name: "a batch with a probe",
      pipeline: SmallPipelines.batch(hasProbe: true, undo: isFull, mark: false, reissueLimit: 1),
      files: [1, 1], faults: isFull ? 2 : 1),
    Scope(
      name: "a batch of three on a disk for two",
      pipeline: SmallPipelines.batch(items: 3, disk: 20, mark: false, reissueLimit: 1),
      files: [10, 10, 10], faults: 1),
    Scope(
      name: "serial batches by key",
      pipeline: SmallPipelines.grouped(by: "item.size", isSerial: true),
      files: [1, 2, 1], faults: 1),
    Scope(
      name: "a serial batch and one more", pipeline: SmallPipelines.grouped(isSerial: true),
      files: [1, 1, 1], faults: isFull ? 2 : 1),
    Scope(
      name: "batches of a few bytes", pipeline: SmallPipelines.grouped(bytes: 10),
      files: [6, 6, 4],
      faults: 1),
    Scope(
      name: "two transfers that are challenged",
      pipeline: SmallPipelines.renewing([.challenge], reissueLimit: 1), files: [1, 1],
      faults: isFull ? 2 : 1),
    Scope(
      name: "a transfer that is challenged, with an ID",
      pipeline: SmallPipelines.renewing([.challenge], allocating: true, reissueLimit: 1),
      files: [1], faults: isFull ? 3 : 2),
    Scope(
      name: "a transfer that is renewed when it begins",
      pipeline: SmallPipelines.renewing(
        [.challenge, .begin], earliest: "duration('2h')", session: true, reissueLimit: 1),
      files: [1], faults: isFull ? 2 : 1),
    Scope(
      name: "a run-level transfer that is challenged",
      pipeline: SmallPipelines.renewing([.challenge], inRunScope: true, reissueLimit: 1),
      files: [], faults: isFull ? 3 : 2),
  ]

  /// The findings of the exploration of each scope, by its name; explored once for all tests,
  /// on all cores.
  static let explorations = Dictionary(
    uniqueKeysWithValues: scopes.map { scope in
      (scope.name, Task.detached { explore(scope) })
    })

  private static func explore(_ scope: Scope) -> Explorer.Report {
    var explorer = Explorer(scope.kinds, limit: limit)
    var node = Node(scope.pipeline, files: scope.files, faults: scope.faults)
    node.server.tellsGenerations = scope.tellsGenerations
    return explorer.explore(node)
  }

  private static func report(_ scope: Scope) async throws -> Explorer.Report {
    try await #require(explorations[scope.name]).value
  }

  @Test(.enabled(if: !isFull, "wider bounds may see more"))
  func `the documented diagram shows the transitions that exploration saw`() async throws {
    let file = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/state-machine.md")
    var reports: [Explorer.Report] = []
    for scope in Self.scopes { reports.append(try await Self.report(scope)) }
    let page = StateDiagram.page(reports)
    guard Self.isWide else {
      let kept = Set(try String(contentsOf: file, encoding: .utf8).split(separator: "\n"))
      let unknown = page.split(separator: "\n").filter { !kept.contains($0) }
      #expect(unknown == [], "`make generated` writes the page")
      #expect(reports.reduce(0) { $0 + $1.stepChanges.count } > 100)
      return
    }
    if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] == "1" {
      try Data(page.utf8).write(to: file)
    }
    let kept = try String(contentsOf: file, encoding: .utf8)
    #expect(kept == page, "run `make generated` and read the difference")
  }

  @Test(arguments: scopes)
  func `every reachable state keeps the laws`(scope: Scope) async throws {
    let report = try await Self.report(scope)
    for problem in report.problems { Issue.record("\(problem)") }
    #expect(report.states > 50)
    print("explored \(report.states) states, \(report.moves) moves: \(scope.name)")
  }
}
