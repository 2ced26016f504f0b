public import PipelineCore
import YAMLSyntax

/// Reads pipelines from YAML.
///
/// ```swift
/// let result = PipelineDocument.load(text: text, file: "photos.yaml")
/// guard let pipeline = result.pipeline else {
///   print(DiagnosticText(sources: ["photos.yaml": text]).render(result.diagnostics))
///   return
/// }
/// ```
public enum PipelineDocument {
  /// Reads and checks the text of a file; `file` is its name in messages.
  ///
  /// Never throws: everything found is in `diagnostics`, in the order of the text. The pipeline is there if and only if
  /// none of them is an error.
  public static func load(
    text: String, file: String
  ) -> (pipeline: Pipeline?, diagnostics: [Diagnostic]) {
    load(bytes: text.utf8, file: file)
  }

  /// Reads and checks the bytes of a file, which are to be UTF-8; otherwise as ``load(text:file:)``.
  public static func load(
    bytes: some Sequence<UInt8>, file: String
  ) -> (pipeline: Pipeline?, diagnostics: [Diagnostic]) {
    let collector = DiagnosticCollector(file: file)
    let bytes = Array(bytes)
    let document = YAMLDocument.parse(bytes)
    collector.ignores = IgnoreList(
      IgnoreCommentReader(
        file: file, text: String(decoding: bytes, as: UTF8.self), root: document.root
      ).comments())
    for issue in document.issues { collector.report(issue) }
    let pipeline = document.root.flatMap { check($0, in: document, collector) }
    for finding in collector.ignores.findings(isComplete: pipeline != nil) {
      collector.report(finding)
    }
    return (pipeline, collector.diagnostics.sortedByPlace())
  }

  private static func check(
    _ root: YAMLNode, in document: YAMLDocument, _ collector: DiagnosticCollector
  ) -> Pipeline? {
    let reader = DocumentReader(document: document, collector: collector)
    guard let draft = reader.pipeline(root) else { return nil }
    for rule in Rules.all { rule.check(draft, collector) }
    var checker = PipelineChecker(draft, reader: reader)
    guard let pipeline = checker.check() else { return nil }
    TimeAndBytes.check(pipeline, draft, reader)
    return collector.hasErrors ? nil : pipeline
  }
}
