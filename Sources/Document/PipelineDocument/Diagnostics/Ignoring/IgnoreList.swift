package struct IgnoreList {
  private let comments: [IgnoreComment]
  private var used: Set<TextRange> = []

  package init(_ comments: [IgnoreComment] = []) { self.comments = comments }
  package var isEmpty: Bool { comments.isEmpty }

  package mutating func silences(_ diagnostic: Diagnostic) -> Bool {
    guard diagnostic.canBeIgnored else { return false }
    var isSilenced = false
    for comment in comments where comment.line == diagnostic.range.start.line {
      for code in comment.codes where code.value == diagnostic.code.rawValue {
        used.insert(code.range)
        isSilenced = true
      }
    }
    return isSilenced
  }

  /// The errors in the comments themselves; `isComplete` if every check has run.
  package func findings(isComplete: Bool) -> [Diagnostic] {
    comments.flatMap { comment in findings(comment) + (isComplete ? unused(comment) : []) }
  }

  private func findings(_ comment: IgnoreComment) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    if let problem = comment.problem {
      findings.append(
        Diagnostic(
          .invalidIgnore, problem, at: comment.range,
          help: "write '# pipeline: ignore[CODE] REASON'"))
    }
    for code in comment.codes {
      guard let known = DiagnosticCode(rawValue: code.value) else {
        let nearest = DiagnosticCode.nearest(to: code.value)?.rawValue
        findings.append(
          Diagnostic(
            .invalidIgnore, "unknown check '\(code.value)'", at: code.range,
            help: nearest.map { "did you mean '\($0)'?" } ?? "`pipeline rule --all` lists them",
            fixes: nearest.map { [Diagnostic.Fix(range: code.range, replacement: $0)] } ?? []))
        continue
      }
      if known.isStructural {
        findings.append(
          Diagnostic(.invalidIgnore, "'\(code.value)' cannot be ignored", at: code.range))
      }
    }
    return findings
  }

  private func unused(_ comment: IgnoreComment) -> [Diagnostic] {
    let idle = comment.codes.filter { code in
      guard let known = DiagnosticCode(rawValue: code.value), !known.isStructural
      else { return false }
      return !used.contains(code.range)
    }
    // The fix removes the whole comment; for one code of several the author must decide.
    let fix = Diagnostic.Fix(range: comment.removal, replacement: "", isSafe: true)
    return idle.map { code in
      Diagnostic(
        .unusedIgnore, "line \(comment.line) has no finding '\(code.value)' to ignore",
        at: code.range, help: "remove it", fixes: comment.codes.count == 1 ? [fix] : [])
    }
  }
}

extension Diagnostic {
  /// Whether a comment may ignore it: a warning, or an error that still leaves a pipeline to run.
  var canBeIgnored: Bool { !code.isStructural }
}

extension DiagnosticCode {
  /// Whether a file with this finding has no usable pipeline: it cannot be read, or a secret would be stored.
  ///
  /// Semantic errors mean that a pipeline is unwise, but it can run.
  public var isStructural: Bool {
    switch severity {
    case .error: !Self.ofMeaning.contains(self)
    case .warning: self == .invalidIgnore || self == .unusedIgnore
    }
  }

  private static let ofMeaning: Set<DiagnosticCode> = [
    .unmarkedExpression, .unsafeCreate, .bodyNotAllowed, .unreachableMatcher, .uselessKey,
    .diskBudgetExceeded,
  ]
}

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
    (self.file, self.bytes, self.root) = (file, bytes, root)
  }

  package func comments() -> [IgnoreComment] {
    // Nearly every file has no such comments, and then the tree need not be walked.
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
        let name = piece.drop { $0 == " " }.prefix { $0 != " " }
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
    for (index, line) in lines.enumerated().reversed() {
      let first = line.first { $0 != " " && $0 != "\t" }
      if first == nil || first == "#" { solid[index] = solid[index + 1] }
    }
    return solid
  }
}
