import Basics
import Foundation
import PipelineDocument
import TestSupport
import Testing

@testable import PipelineAuthoring

/// Mistakes in each key of the language; they follow from the grammar, so that no new key is forgotten.
struct KeyMistakeTests {
  /// A key in a document without mistakes.
  struct Use: CustomTestStringConvertible, Sendable {
    let construct: Construct
    let key: Key
    let file: String
    let lines: [String]
    let range: TextRange
    var testDescription: String { "\(construct.name).\(key.name)" }

    /// Scalars of the line of the key.
    private var line: [Unicode.Scalar] { Array(lines[range.start.line - 1].unicodeScalars) }

    /// The document with another name in the key's place.
    func renamed(_ name: String) -> String {
      let line = line
      return with(
        text(line[..<(range.start.column - 1)]) + name + text(line[(range.end.column - 1)...]),
        untilLine: range.start.line)
    }

    /// The document with another value of the key; `nil` if the value is an alias or has an anchor.
    func valued(_ value: String) -> String? {
      let line = line
      let head = text(line[..<(range.end.column - 1)])
      let rest = text(line[(range.end.column - 1)...])
      guard let colon = rest.firstIndex(of: ":") else { return nil }
      let written = rest[rest.index(after: colon)...].drop { $0 == " " }
      switch written.first {
      case "*", "&": return nil
      case "[", "{", "\"", "'":
        guard let end = Self.end(of: written) else { return nil }
        return with("\(head): \(value)\(written[end...])", untilLine: range.start.line)
      default:
        // In a flow collection, a plain scalar ends before its next sign.
        let isInFlow = head.contains("{") || head.contains("[")
        guard isInFlow else { return with("\(head): \(value)", untilLine: lastLine) }
        let end = written.firstIndex { ",]}".contains($0) } ?? written.endIndex
        return with("\(head): \(value)\(written[end...])", untilLine: range.start.line)
      }
    }

    /// The last line of a block value.
    private var lastLine: Int {
      let indent = range.start.column - 1
      var last = range.start.line
      for (number, line) in lines.enumerated().dropFirst(range.start.line) {
        let text = line.drop { $0 == " " }
        guard !text.isEmpty else { continue }
        let own = line.count - text.count
        guard own > indent || own == indent && text.hasPrefix("- ") else { break }
        last = number + 1
      }
      return last
    }

    private func with(_ line: String, untilLine last: Int) -> String {
      (lines[..<(range.start.line - 1)] + [line] + lines[last...]).joined(separator: "\n")
    }

    private func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars)
      return String(view)
    }

    /// Where a quoted text or a flow collection ends; `nil` if that is on another line.
    private static func end(of text: Substring) -> String.Index? {
      var depth = 0
      var quote: Character?
      var index = text.startIndex
      while index < text.endIndex {
        let character = text[index]
        if let open = quote {
          if character == "\\", open == "\"" {
            index = text.index(after: index)
          } else if character == open {
            quote = nil
          }
        } else if character == "\"" || character == "'" {
          quote = character
        } else if "[{".contains(character) {
          depth += 1
        } else if "]}".contains(character) {
          depth -= 1
        }
        index = text.index(after: index)
        if depth == 0, quote == nil { return index }
      }
      return nil
    }
  }

  /// The keys of pipelines, each with places where it is used without a mistake, in the shortest documents first.
  private static let uses: [String: [Use]] = {
    var found: [String: [Use]] = [:]
    let base = TestFiles.repository
    let folders = [
      "Tests/Document/PipelineDocumentTests/Fixtures/ok", "Pipelines", "Pipelines/catalogue",
    ]
    var texts: [(name: String, text: String)] = []
    for folder in folders {
      let folder = base.appending(path: folder)
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      where name.hasSuffix(".yaml") {
        guard let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
        else { continue }
        texts.append((name, text))
      }
    }
    for (name, text) in texts.sorted(by: { $0.text.utf8.count < $1.text.utf8.count })
    where !keys.allSatisfy({ found[$0] != nil || isElsewhere($0) }) && !name.hasSuffix(".test.yaml")
      && !text.contains(/(^|[\s{,])use:/)
    {
      let analysis = DocumentAnalysis(text: text, file: name)
      guard !analysis.diagnostics.contains(where: { $0.severity == .error }) else { continue }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      for use in analysis.index.keys {
        let construct = use.construct
        guard let key = construct.key(use.key) else { continue }
        let one = Use(construct: construct, key: key, file: name, lines: lines, range: use.range)
        found[one.testDescription, default: []].append(one)
      }
    }
    return found
  }()

  static let keys: [String] = Construct.ofPipelines
    .flatMap { construct in construct.keys.map { "\(construct.name).\($0.name)" } }

  /// Errors of a changed document at the place of the key.
  private static func errors(_ text: String, of use: Use) -> [Diagnostic] {
    DocumentAnalysis(text: text, file: use.file).diagnostics.filter {
      $0.severity == .error && $0.range.start.line == use.range.start.line
        && $0.range.start >= use.range.start
    }
  }

  /// Whether a key has to do with further files; it is tested with files that use each other.
  private static func isElsewhere(_ key: String) -> Bool {
    key.hasPrefix("definitions.")
      || ["pipeline.use", "pipeline.outputs", "step.use", "step.with"].contains(key)
  }

  @Test func `each key of the language is used in a document without mistakes`() {
    #expect(Self.keys.count > 200)
    let missing = Self.keys.filter { Self.uses[$0] == nil && !Self.isElsewhere($0) }
    #expect(missing == [])
  }

  @Test(arguments: keys)
  func `a key that is misspelled by one letter is reported, with the right one`(
    name: String
  ) throws {
    for use in (Self.uses[name] ?? []).prefix(1) {
      let wrong = use.key.name + "z"
      let found = Self.errors(use.renamed(wrong), of: use).filter {
        $0.message.contains("'\(wrong)'")
      }
      #expect(!found.isEmpty, "\(use.file):\(use.range.start)")
      let text = found.map { "\($0.message) \($0.help ?? "")" }.joined()
      #expect(text.contains("'\(use.key.name)'"), "\(use.file):\(use.range.start) \(text)")
    }
  }

  @Test(arguments: keys)
  func `a value of another shape is reported at its place`(name: String) throws {
    for use in (Self.uses[name] ?? []).prefix(1) {
      for value in Self.wrong(use.key.shape) {
        guard let text = use.valued(value) else { continue }
        #expect(
          !Self.errors(text, of: use).isEmpty, "\(use.file):\(use.range.start) \(value)")
      }
    }
  }

  /// Values that are wrong for a shape, the last almost right.
  private static func wrong(_ shape: ValueShape) -> [String] {
    switch shape {
    case .text, .template, .optionalTemplate: ["[wrong]", "\"${{ }}\""]
    case .pattern: ["[wrong]", "\"not a name\""]
    case .expression: ["[wrong]", "\"response.status == 200\""]
    case .duration, .durationOrExpression: ["[1s]", "\"1 parsec\"", "1"]
    case .size: ["[1 KB]", "\"1 KX\"", "-1"]
    case .rate: ["[1 KB/s]", "\"1 KB\""]
    case .requestRate: ["[1/s]", "\"1/s/s\""]
    case .integer(let minimum): ["many", "1.5", "\(minimum - 1)"]
    case .number(let minimum): ["many", "\(minimum - 0.5)"]
    case .fraction: ["half", "1.01"]
    case .flag: ["perhaps", "1"]
    case .choice(let words): ["[\(words[0])]", words[0] + "x"]
    case .scalar: ["[wrong]"]
    case .json: ["\"${{ }}\""]
    case .map(let inner, _): ["wrong"] + wrong(inner).map { "{ a: \($0) }" }
    case .list(let inner): ["wrong"] + wrong(inner).map { "[\($0)]" }
    case .filledList(let inner): ["wrong", "[]"] + wrong(inner).map { "[\($0)]" }
    case .construct: ["wrong", "[wrong]", "{ wrong: 1 }"]
    case .either: ["[[wrong]]"]
    }
  }
}
