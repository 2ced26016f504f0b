import Basics
package import YAMLSyntax

/// A comment that silences checks: `# pipeline: ignore[code, code] reason`.
///
/// At the end of a line it applies to that line; on its own line, to the next line that is not a comment.
package struct IgnoreComment {
  package let codes: [Located<String>]
  package let range: TextRange
  /// The range to delete with it: the white space before it, or its whole line.
  let removal: TextRange
  package let line: Int
  let problem: String?
}

package struct IgnoreCommentReader {
  private static let marker = "pipeline: ignore"

  package let file: String
  package let bytes: [UInt8]
  package let root: YAMLNode?

  package init(file: String, bytes: [UInt8], root: YAMLNode?) {
    self.file = file
    self.bytes = bytes
    self.root = root
  }

  package func comments() -> [IgnoreComment] {
    // Nearly every file has none, and then the tree need not be walked.
    guard bytes.withUnsafeBufferPointer({ $0.holds("pipeline: ignore") }) else { return [] }
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = SourceLines.split(text).map { Array($0.unicodeScalars) }
    var scalars: [Range<SourcePosition>] = []
    if let root { collect(root, into: &scalars) }
    let solid = Self.solidLines(lines)
    return lines.indices.compactMap { index in
      guard let start = commentStart(lines[index], line: index + 1, scalars) else { return nil }
      return comment(lines[index], at: index, from: start, next: solid[index + 1])
    }
  }

  private func collect(_ node: YAMLNode, into ranges: inout [Range<SourcePosition>]) {
    switch node.content {
    case .scalar: ranges.append(node.range.start..<node.range.end)
    case .sequence(let elements): for element in elements { collect(element, into: &ranges) }
    case .mapping(let entries):
      for entry in entries {
        collect(entry.key, into: &ranges)
        collect(entry.value, into: &ranges)
      }
    case .alias: break
    }
  }

  /// The 0-based index of such a comment's `#` in `line`.
  private func commentStart(
    _ line: [Unicode.Scalar], line number: Int, _ scalars: [Range<SourcePosition>]
  ) -> Int? {
    for index in line.indices where line[index] == "#" {
      guard index == 0 || line[index - 1] == " " || line[index - 1] == "\t" else { continue }
      let rest = line[(index + 1)...].drop { $0 == " " || $0 == "\t" }
      guard rest.starts(with: Self.marker.unicodeScalars) else { continue }
      let place = SourcePosition(line: number, column: index + 1)
      if !scalars.contains(where: { $0.contains(place) }) { return index }
    }
    return nil
  }

  /// The comment in a line; `next` is the 0-based next line that is neither blank nor a comment.
  private func comment(
    _ line: [Unicode.Scalar], at index: Int, from start: Int, next: Int
  ) -> IgnoreComment {
    let isAlone = line[..<start].allSatisfy { $0 == " " || $0 == "\t" }
    let target = isAlone ? next : index
    func range(_ columns: Range<Int>) -> TextRange {
      TextRange(
        file: file, start: SourcePosition(line: index + 1, column: columns.lowerBound + 1),
        end: SourcePosition(line: index + 1, column: columns.upperBound + 1))
    }
    var codes: [Located<String>] = []
    var problem: String?
    let tail = line[start...]
    if let open = tail.firstIndex(of: "["), let close = tail[open...].firstIndex(of: "]"),
      tail[..<open].last == "e"
    {
      for piece in line[(open + 1)..<close].split(separator: ",") {
        let leading = piece.drop { $0 == " " }
        let name = leading.prefix { $0 != " " }
        codes.append(
          Located(
            String(String.UnicodeScalarView(name)),
            at: range(name.startIndex..<max(name.endIndex, name.startIndex + 1))))
      }
      if codes.isEmpty { problem = "the brackets are empty, expected the code of a check" }
      if !line[(close + 1)...].contains(where: { $0 != " " }) {
        problem = problem ?? "the ignore comment has no reason"
      }
    } else {
      problem = "the ignore comment has no code"
    }
    let content = line[..<start].reversed().drop { $0 == " " || $0 == "\t" }.count
    let whole = TextRange(
      file: file, start: SourcePosition(line: index + 1, column: 1),
      end: SourcePosition(line: index + 2, column: 1))
    return IgnoreComment(
      codes: codes, range: range(start..<line.count),
      removal: isAlone ? whole : range(content..<line.count), line: target + 1, problem: problem)
  }

  /// For each line, and the end, the first line from there that is neither blank nor a comment.
  private static func solidLines(_ lines: [[Unicode.Scalar]]) -> [Int] {
    var solid = Array(0...lines.count)
    for index in lines.indices.reversed() where isBlankOrComment(lines[index]) {
      solid[index] = solid[index + 1]
    }
    return solid
  }

  private static func isBlankOrComment(_ line: [Unicode.Scalar]) -> Bool {
    let solid = line.drop { $0 == " " || $0 == "\t" }
    return solid.first == nil || solid.first == "#"
  }
}
