import Basics
public import PipelineDocument
import PipelineScenarios
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
  private let cache = AnalysisCache()

  /// Reads and checks the text of a pipeline or of definitions; `files` provides the files that it names with `use`.
  public init(text: String, file: String, files: DocumentFiles = .none) {
    (self.file, self.files) = (file, files)
    lines = LineTable(text)
  }

  /// Reads a text given as UTF-8; otherwise like ``init(text:file:files:)``.
  public init(bytes: [UInt8], file: String, files: DocumentFiles = .none) {
    (self.file, self.files) = (file, files)
    lines = LineTable(bytes: bytes)
  }

  /// The diagnostics of ``PipelineDocument`` for the text, in its order, without those for used files; the text is
  /// checked on first use.
  public var diagnostics: [Diagnostic] { cache.diagnostics { found } }

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
    cache.index {
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

private final class AnalysisCache: Sendable {
  private let madeIndex = Mutex<DocumentIndex?>(nil)
  private let madeDiagnostics = Mutex<[Diagnostic]?>(nil)

  func index(_ make: () -> DocumentIndex) -> DocumentIndex {
    madeIndex.withLock { Self.value(&$0, make) }
  }

  func diagnostics(_ make: () -> [Diagnostic]) -> [Diagnostic] {
    madeDiagnostics.withLock { Self.value(&$0, make) }
  }

  private static func value<Value>(_ value: inout Value?, _ make: () -> Value) -> Value {
    if let value { return value }
    let made = make()
    value = made
    return made
  }
}
