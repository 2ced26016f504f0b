import Foundation
import MachineSupport
import Synchronization
import Testing

/// The walks of the machine as they were when someone last read them.
///
/// `Transcripts/hashes.txt` has a line per scope and, for each of its walks, a hash of each step. About a dozen walks are also kept as
/// text, for developers to read. `UPDATE_FIXTURES=1` writes both. `TRANSCRIPTS=FOLDER` writes the text of all walks
/// to a folder; `make transcripts FROM=COMMIT` compares the folders of two commits.
enum KeptWalks {
  struct Walk {
    let seed: UInt64
    let transcript: Transcript
  }

  /// The walks that are kept as text, by scope.
  static let readable: [String: UInt64] = [
    "a batch of two, with a key": 64, "a photo": 0, "an album with a key": 12,
    "batches of a few bytes": 0, "creating with a key and undoing": 1,
    "pieces whose server says how far it is": 1, "three copies on a disk for two": 289,
    "two items at a rate, with a key and undoing": 0, "two parts that are undone": 1,
    "two photos": 0, "two sessions, with a probe of what was sent": 0,
    "two transfers that are challenged": 0,
  ]

  private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Transcripts")
  private static let file = folder.appending(path: "hashes.txt")
  private static let updates =
    ProcessInfo.processInfo.environment["UPDATE_FIXTURES"].map { !$0.isEmpty } ?? false
  private static let output = ProcessInfo.processInfo.environment["TRANSCRIPTS"]

  /// The lines of `hashes.txt`, by scope.
  ///
  /// Tests of several scopes update it at the same time.
  private static let lines = Mutex(
    Dictionary(
      uniqueKeysWithValues: ((try? String(contentsOf: file, encoding: .utf8)) ?? "")
        .split(separator: "\n").map { line in
          let parts = line.split(separator: ":", maxSplits: 1)
          return (String(parts[0]), String(parts[1].dropFirst()))
        }))

  /// The scopes that have a line.
  static var scopes: Set<String> { lines.withLock { Set($0.keys) } }

  /// Whether walks are written, and not only compared.
  static var writes: Bool { updates || output != nil }

  /// Compares the walks of a scope, or some of them, with the stored hashes.
  static func compare(_ walks: [Walk], of scope: String, isWhole: Bool = true) throws {
    let name = scope.replacing(",", with: "").replacing(" ", with: "-")
    if let output {
      let text = walks.map { "walk \($0.seed)\n\($0.transcript.text)" }.joined()
      try Data(text.utf8).write(to: URL(filePath: output).appending(path: "\(name).txt"))
    }
    if updates { try keep(walks, of: scope) }
    let line = lines.withLock { $0[scope] } ?? ""
    let kept = Dictionary(
      line.split(separator: " ").map { walk in
        let parts = walk.split(separator: "=", omittingEmptySubsequences: false)
        return (String(parts[0]), String(parts[1]))
      }, uniquingKeysWith: { first, _ in first })
    let missing = Set(kept.keys).symmetricDifference(walks.map { "\($0.seed)" })
    #expect(
      isWhole ? missing.isEmpty : walks.allSatisfy { kept["\($0.seed)"] != nil },
      "the walks of '\(scope)'")
    for walk in walks {
      if let difference = difference(of: walk, from: kept["\(walk.seed)"] ?? "") {
        Issue.record(
          """
          walk \(walk.seed) of '\(scope)', \(difference)
          `make transcripts FROM=COMMIT` shows what it was; UPDATE_FIXTURES=1 keeps it
          """)
      }
    }
    if let seed = readable[scope], let walk = walks.first(where: { $0.seed == seed }) {
      let kept = try String(contentsOf: text(name, seed), encoding: .utf8)
      #expect(kept == walk.transcript.text, "walk \(seed) of '\(scope)'")
    }
  }

  /// The first step that is not as it was, with its present content.
  static func difference(of walk: Walk, from kept: String) -> String? {
    let steps = walk.transcript.steps
    let hashes = hashes(of: walk)
    guard hashes != kept else { return nil }
    let same = zip(pieces(hashes), pieces(kept)).prefix { $0 == $1 }.count
    guard same < steps.count else {
      return "which had \(pieces(kept).count) steps, ends after step \(same)"
    }
    return "step \(same + 1) of \(steps.count), differs and is now:\n\(steps[same])"
  }

  private static func keep(_ walks: [Walk], of scope: String) throws {
    let line = walks.map { "\($0.seed)=\(hashes(of: $0))" }
      .joined(separator: " ")
    try lines.withLock { lines in
      lines[scope] = line
      let text = lines.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\n" }.joined()
      try Data(text.utf8).write(to: file)
    }
    if let seed = readable[scope], let walk = walks.first(where: { $0.seed == seed }) {
      let name = scope.replacing(",", with: "").replacing(" ", with: "-")
      try Data(walk.transcript.text.utf8).write(to: text(name, seed))
    }
  }

  /// The hashes of all steps of a walk, in order.
  static func hashes(of walk: Walk) -> String { walk.transcript.steps.map(hash).joined() }

  private static func text(_ name: String, _ seed: UInt64) -> URL {
    folder.appending(path: "\(name)-\(seed).txt")
  }

  /// The characters of a hash.
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
  private static let length = 4

  /// 24 bits of FNV-1a, which is the same in each process.
  private static func hash(_ step: String) -> String {
    var value: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in step.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    value ^= value >> 32
    return String((0..<length).map { digits[Int(truncatingIfNeeded: value >> ($0 * 6)) & 63] })
  }

  private static func pieces(_ hashes: String) -> [Substring] {
    var pieces: [Substring] = []
    var rest = hashes[...]
    while !rest.isEmpty {
      pieces.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return pieces
  }
}
