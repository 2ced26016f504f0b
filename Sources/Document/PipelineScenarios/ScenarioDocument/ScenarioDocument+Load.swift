public import PipelineDocument
import YAMLSyntax

extension ScenarioDocument {
  /// The result of loading a scenario.
  public struct Result: Sendable {
    /// The scenario; present if and only if no diagnostic is an error.
    public let document: ScenarioDocument?
    /// All diagnostics, in text order.
    public let diagnostics: [Diagnostic]
  }

  /// Whether a file is a scenario, according to its name.
  public static func isNamed(_ file: String) -> Bool {
    file.hasSuffix(".scenario.yaml") || file.hasSuffix(".scenario.yml")
  }

  /// Whether a file is a scenario: its name ends in `.scenario.yaml`, or its outermost mapping has the
  /// key `scenario` and no key `pipeline`.
  public static func isScenario(file: String, bytes: [UInt8]) -> Bool {
    if isNamed(file) { return true }
    var isScenario = false
    var rest = bytes[...]
    while !rest.isEmpty {
      isScenario = isScenario || rest.starts(with: "scenario:".utf8)
      if otherKinds.contains(where: { rest.starts(with: $0.utf8) }) { return false }
      guard let end = rest.firstIndex(where: { $0 == 10 || $0 == 13 }) else { break }
      rest = rest[(end + 1)...]
    }
    return isScenario
  }

  private static let otherKinds = ["pipeline:", "test:", "definitions:"]

  /// Reads and checks a scenario; `file` is its name in messages.
  public static func load(bytes: some Sequence<UInt8>, file: String) -> Result {
    let bytes = Array(bytes)
    let document = YAMLDocument.parse(bytes)
    let collector = DiagnosticCollector(file: file)
    let comments = IgnoreCommentReader(file: file, bytes: bytes, root: document.root)
    collector.ignores = IgnoreList(comments.comments())
    for issue in document.issues { collector.report(issue) }
    let reader = DocumentReader(
      document: document, collector: collector, used: UsedFiles(.none, root: file),
      path: DocumentPath.lastName(of: file))
    let scenario = document.root.flatMap { ScenarioReader(reader: reader).scenario($0) }
    for finding in collector.ignores.findings(isComplete: scenario != nil) {
      collector.report(finding)
    }
    let diagnostics = collector.diagnostics.sortedByPlace()
    return Result(
      document: diagnostics.contains { $0.severity == .error } ? nil : scenario,
      diagnostics: diagnostics)
  }
}
