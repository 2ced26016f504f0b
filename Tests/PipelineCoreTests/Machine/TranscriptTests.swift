import Foundation
import MachineSupport
import PipelineCore
import Testing

/// What the machine does and keeps, to the last field, over walks that meet every kind of fault.
///
/// One walk of each scope is kept as text, of the others a number. `UPDATE_FIXTURES=1` writes both anew; the
/// difference is for a reviewer to read.
struct TranscriptTests {
  private static let walks: UInt64 = 40
  /// What the laws of exploration do not speak of is looked at here alone: steps that no repeat is safe
  /// for, and definitions that fail on the values they meet.
  private static let scopes =
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

  private static func transcript(of scope: ExplorationTests.Scope, seed: UInt64) -> Transcript {
    var node = Node(scope.pipeline, files: scope.files, faults: seed == 0 ? 6 : 30)
    node.transcript = Transcript()
    var walk = RandomWalk(node, seed: seed)
    _ = walk.run()
    return walk.node.transcript ?? Transcript()
  }

  @Test(arguments: scopes)
  func `the machine does and keeps what it did when somebody last looked`(
    scope: ExplorationTests.Scope
  ) throws {
    let name = scope.name.replacing(",", with: "").replacing(" ", with: "-")
    let file = Self.folder.appending(path: "\(name).txt")
    let first = Self.transcript(of: scope, seed: 0)
    let digests = (1...Self.walks).map { "\($0) \(Self.transcript(of: scope, seed: $0).digest)" }
    let page = first.text + "\n" + digests.map { "walk \($0)\n" }.joined()
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
      "\(file.lastPathComponent); UPDATE_FIXTURES=1 writes it anew")
    #expect(first.lines.count > 10)
  }
}
