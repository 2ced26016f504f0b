import Foundation
import MachineSupport
import PipelineCore
import Testing

/// What the machine does and keeps, to the last field, over walks that meet every kind of fault.
///
/// One walk of each scope is kept as it went. Of the others each move is kept once, with all that came of it, under the
/// name of its first place, and each walk as the names of its moves. `UPDATE_FIXTURES=1` writes them again; the
/// difference is for a reviewer to read.
struct TranscriptTests {
  private static let walks: UInt64 = 40
  /// Walks beyond the first, by scope; each alone sees some mutant of the machine.
  private static let further: [String: [UInt64]] = [
    "a batch of three on a disk for two": [47, 93], "a batch of two and one left": [94, 121, 161],
    "a batch of two, with a key": [64], "a photo": [177], "three copies on a disk for two": [289],
    "a transfer that is renewed when it begins": [108], "two copies on a disk for one": [103],
    "two photos": [232], "two transfers that are challenged": [80],
  ]
  /// What the laws of exploration do not speak of is looked at here alone: steps that no repeat is safe
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
  private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Transcripts")
  private static let updates =
    ProcessInfo.processInfo.environment["UPDATE_FIXTURES"].map { !$0.isEmpty } ?? false

  static func transcript(of scope: ExplorationTests.Scope, seed: UInt64) -> Transcript {
    var node = Node(scope.pipeline, files: scope.files, faults: seed == 0 ? 6 : 30)
    node.transcript = Transcript()
    var walk = RandomWalk(node, seed: seed)
    _ = walk.run()
    return walk.node.transcript ?? Transcript()
  }

  /// All further walks, each with the moves that none before it has made.
  private static func moves(of scope: ExplorationTests.Scope) -> String {
    var names: [String: String] = [:]
    var page = ""
    for seed in Array(1...Self.walks) + further[scope.name, default: []] {
      var moves = ""
      let walk = transcript(of: scope, seed: seed).moves.enumerated().map { place, move in
        if let known = names[move] { return known }
        // By the walk and the place in it, so that a move that is added leaves the names of others alone.
        let name = "\(seed).\(place + 1)"
        names[move] = name
        moves += "[\(name)] \(move)"
        return name
      }
      page += "walk \(seed): \(walk.joined(separator: " "))\n\(moves)"
    }
    return page
  }

  @Test func `each further walk is of a scope that there is`() {
    #expect(Set(Self.further.keys).isSubset(of: Self.scopes.map(\.name)))
  }

  @Test(arguments: scopes)
  func `effects and stored state match the reviewed transcript`(
    scope: ExplorationTests.Scope
  ) throws {
    let name = scope.name.replacing(",", with: "").replacing(" ", with: "-")
    let first = Self.transcript(of: scope, seed: 0)
    try Self.compare(first.text + "\n" + Self.moves(of: scope), with: name)
    #expect(first.lines.count > 10)
  }

  /// Compares a page with the one that is kept under a name, or writes it.
  static func compare(_ page: String, with name: String) throws {
    let file = Self.folder.appending(path: "\(name).txt")
    if Self.updates {
      try FileManager.default.createDirectory(
        at: Self.folder, withIntermediateDirectories: true)
      try Data(page.utf8).write(to: file)
    }
    let kept = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let now = page.split(separator: "\n")
    let difference = zip(kept, now).first { $0 != $1 }
    #expect(
      difference == nil && kept.count == now.count,
      """
      \(file.lastPathComponent): '\(difference?.1 ?? "")' and not '\(difference?.0 ?? "")'; UPDATE_FIXTURES=1 writes it
      """)
  }
}
