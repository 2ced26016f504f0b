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
/// analysis.completions(at: TextPosition(line: 12, column: 9)).map(\.label)
/// ```
public struct DocumentAnalysis: Sendable {
  /// The name of the file in ranges and messages.
  public let file: String
  /// The diagnostics of ``PipelineDocument`` for the text, in its order, without those for used files.
  public let diagnostics: [Diagnostic]
  let lines: LineTable
  private let files: DocumentFiles
  private let cache: IndexCache

  /// Reads and checks the text of a pipeline or of definitions; `files` provides the files that it names with `use`.
  public init(text: String, file: String, files: DocumentFiles = .none) {
    self.file = file
    self.files = files
    lines = LineTable(text)
    let found =
      if TestDocument.isNamed(file) {
        TestDocument.load(bytes: text.utf8, file: file, files: files).diagnostics
      } else if ScenarioDocument.isScenario(file: file, bytes: Array(text.utf8)) {
        ScenarioDocument.load(bytes: text.utf8, file: file).diagnostics
      } else {
        PipelineDocument.validate(bytes: text.utf8, file: file, files: files).diagnostics
      }
    diagnostics = found.filter { $0.range.file == file }
    cache = IndexCache()
  }

  /// The index of declarations and references, built on first use.
  var index: DocumentIndex { cache.index { IndexBuilder.index(lines, file: file, files: files) } }

  func range(line: Int, _ columns: Range<Int>) -> TextRange {
    TextRange(
      file: file, start: TextPosition(line: line, column: columns.lowerBound + 1),
      end: TextPosition(line: line, column: columns.upperBound + 1))
  }

  /// The fixes of diagnostics that overlap a range of the text.
  public func fixes(in range: TextRange) -> [(diagnostic: Diagnostic, fix: Diagnostic.Fix)] {
    diagnostics.flatMap { diagnostic in
      guard diagnostic.range.start <= range.end, range.start <= diagnostic.range.end else {
        return [(Diagnostic, Diagnostic.Fix)]()
      }
      return diagnostic.fixes.map { (diagnostic, $0) }
    }
  }
}

/// An index that is built once, on first use.
private final class IndexCache: Sendable {
  private let value = Mutex<DocumentIndex?>(nil)

  func index(_ make: () -> DocumentIndex) -> DocumentIndex {
    value.withLock { value in
      if let value { return value }
      let made = make()
      value = made
      return made
    }
  }
}
