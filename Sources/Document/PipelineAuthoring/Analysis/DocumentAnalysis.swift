import Synchronization

/// Everything an editor asks about one text: diagnostics, completions and the meaning of names.
///
/// Works on unfinished texts: half an expression, a key without its colon, an unclosed bracket.
/// Positions outside the text are moved to the nearest one inside.
///
/// ```swift
/// let analysis = DocumentAnalysis(text: text, file: "photos.yaml")
/// analysis.completions(at: SourcePosition(line: 12, column: 9)).map(\.label)
/// ```
public struct DocumentAnalysis: Sendable {
  /// The name of the file in ranges and messages.
  public let file: String
  let lines: LineTable
  let files: DocumentFiles
  private let madeIndex = Cache<DocumentIndex>()
  private let madeDiagnostics = Cache<[Diagnostic]>()

  /// Reads and checks the text of a pipeline or of definitions; `files` provides the files that it names with `use`.
  public init(text: String, file: String, files: DocumentFiles = .none) {
    (self.file, self.files) = (file, files)
    lines = LineTable(text)
  }

  /// Reads a text in UTF-8; otherwise like ``init(text:file:files:)``.
  public init(bytes: [UInt8], file: String, files: DocumentFiles = .none) {
    (self.file, self.files) = (file, files)
    lines = LineTable(bytes: bytes)
  }

  /// The diagnostics of ``PipelineDocument`` for the text, without those of used files; computed on first use.
  public var diagnostics: [Diagnostic] { madeDiagnostics.value { found } }

  private var found: [Diagnostic] {
    guard isOurs else { return [] }
    let bytes = lines.bytes
    let found =
      if TestDocument.isNamed(file) {
        TestDocument.load(bytes: bytes, file: file, files: files).diagnostics
      } else if ScenarioDocument.isScenario(file: file, bytes: bytes) {
        ScenarioDocument.load(bytes: bytes, file: file).diagnostics
      } else { PipelineDocument.validate(bytes: bytes, file: file, files: files).diagnostics }
    return found.filter { $0.range.file == file }
  }

  var index: DocumentIndex {
    madeIndex.value {
      isForeign() ? DocumentIndex() : IndexBuilder.index(lines, file: file, files: files)
    }
  }

  func range(line: Int, _ columns: Range<Int>) -> TextRange {
    TextRange(
      file: file, start: SourcePosition(line: line, column: columns.lowerBound + 1),
      end: SourcePosition(line: line, column: columns.upperBound + 1))
  }

  /// The fixes of diagnostics that overlap a range of the text.
  public func fixes(in range: TextRange) -> [(diagnostic: Diagnostic, fix: Diagnostic.Fix)] {
    diagnostics.flatMap { diagnostic in
      guard diagnostic.range.start <= range.end, range.start <= diagnostic.range.end
      else { return [(Diagnostic, Diagnostic.Fix)]() }
      return diagnostic.fixes.map { (diagnostic, $0) }
    }
  }
}

/// A value that is created on first use.
private final class Cache<Value: Sendable>: Sendable {
  private let made = Mutex<Value?>(nil)

  func value(_ make: () -> Value) -> Value {
    made.withLock { made in
      let value = made ?? make()
      made = value
      return value
    }
  }
}

/// Which texts are in the language of pipelines: an editor may send a server every YAML file.
extension DocumentAnalysis {
  /// Whether the name of the file, a key or the schema indicates that the text is a pipeline, a test,
  /// a scenario, or definitions.
  var isOurs: Bool { hasOwnName || lines.topLines.contains { Self.isSign($0) } }

  /// Whether nothing indicates that the text is in our language, and it has other keys,
  /// except one half typed on `line`, from 1.
  func isForeign(except line: Int? = nil) -> Bool {
    guard !isOurs else { return false }
    let known = Set(
      [Construct.pipeline, .definitions, .test, .scenario].flatMap { $0.keys.map(\.name) })
    let typed = line.map { lines.topLine($0 - 1) } ?? nil
    return lines.topLines.contains { line in
      line != typed
        && OutlineLine(Array(line.unicodeScalars)).key.map { !known.contains($0) } ?? false
    }
  }

  private var hasOwnName: Bool {
    TestDocument.isNamed(file) || ScenarioDocument.isNamed(file)
      || file.hasSuffix(".pipeline.yaml") || file.hasSuffix(".pipeline.yml")
      || file.hasPrefix("Pipelines/") || file.contains("/Pipelines/")
  }

  private static let marks = ["pipeline", "test", "scenario", "definitions"]

  /// Whether a line that is not indented names the kind of its document; other languages have mappings below such keys.
  private static func isSign(_ line: Substring) -> Bool {
    if line.first == "#" {
      guard let schema = line.firstRange(of: "$schema=") else { return false }
      let name = DocumentPath.lastName(of: String(line[schema.upperBound...].prefix { $0 != " " }))
      return ["pipeline", "pipeline-test", "scenario"].contains {
        name.hasPrefix($0 + ".schema.json")
      }
    }
    if line.first == "{" {
      return marks.contains { line.contains("\($0):") || line.contains("\"\($0)\":") }
    }
    let outline = OutlineLine(Array(line.unicodeScalars))
    guard let key = outline.key, !outline.value.isEmpty else { return false }
    // A misspelled one is to be found. `test` is too short: other words are near it.
    return marks.contains(key) || nearestName(to: key, among: marks.filter { $0 != "test" }) != nil
  }
}

extension LineTable {
  var topLines: some Sequence<Substring> { (0..<count).lazy.compactMap(topLine) }

  func topLine(_ line: Int) -> Substring? {
    let range = byteRange(line)
    guard let first = bytes[range].first, ![0x20, 0x09, 0x2D].contains(first) else { return nil }
    return Substring(String(decoding: bytes[range], as: UTF8.self))
  }
}
