import Foundation

/// A fenced block of a page.
public struct FencedBlock: Sendable {
  /// The words after the fence, such as `yaml title="Rejected"`.
  public let kind: String
  /// Its lines.
  public let text: String

  /// The first line of a block with a pipeline that the checker rejects.
  public static let rejected = #"yaml title="Rejected""#

  /// Whether it is a complete pipeline, perhaps after a comment.
  public var isPipeline: Bool { kind.hasPrefix("yaml") && begins("pipeline:") }

  /// Whether the first line that is not a comment begins with `key`.
  public func begins(_ key: String) -> Bool {
    text.split(separator: "\n").first { !$0.hasPrefix("#") }?.hasPrefix(key) == true
  }

  /// The blocks of a page of the repository.
  public static func all(of page: String) throws -> [FencedBlock] {
    let text = try String(
      contentsOf: TestFiles.repository.appending(path: page), encoding: .utf8)
    var blocks: [FencedBlock] = []
    var kind: String?
    var lines: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("```") else {
        lines.append(line)
        continue
      }
      if let open = kind {
        blocks.append(FencedBlock(kind: open, text: lines.map { $0 + "\n" }.joined()))
        kind = nil
      } else {
        kind = String(line.dropFirst(3))
      }
      lines = []
    }
    return blocks
  }
}
