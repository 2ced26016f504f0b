import PipelineCore
import YAMLSyntax

extension TestDocument {
  /// Why a file cannot be read, as the end of a sentence.
  public struct Unreadable: Error, Hashable, Sendable {
    /// Such as `no such file or folder`.
    public let reason: String

    /// Says why.
    public init(reason: String) { self.reason = reason }
  }

  /// Whether the name of a file says that it holds a test.
  public static func isNamed(_ file: String) -> Bool {
    file.hasSuffix(".test.yaml") || file.hasSuffix(".test.yml")
  }

  /// Reads and checks a test and the pipeline that it names.
  ///
  /// - Parameters:
  ///   - bytes: The test's text, UTF-8.
  ///   - file: Its name in messages, and where the pipeline's path begins.
  ///   - read: Gives the bytes of a file by its path.
  /// - Returns: The test, if and only if none of the diagnostics is an error. They are in the order of
  ///   the texts, those of the pipeline among them.
  public static func load(
    bytes: some Sequence<UInt8>, file: String,
    read: (String) throws(Unreadable) -> [UInt8]
  ) -> (document: TestDocument?, diagnostics: [Diagnostic]) {
    let collector = DiagnosticCollector(file: file)
    let bytes = Array(bytes)
    let document = YAMLDocument.parse(bytes)
    let comments = IgnoreCommentReader(
      file: file, text: String(decoding: bytes, as: UTF8.self), root: document.root)
    collector.ignores = IgnoreList(comments.comments())
    for issue in document.issues { collector.report(issue) }
    var ofPipeline: [Diagnostic] = []
    let test = document.root.flatMap { root in
      check(root, DocumentReader(document: document, collector: collector), &ofPipeline, read)
    }
    for finding in collector.ignores.findings(isComplete: test != nil) { collector.report(finding) }
    let diagnostics = (collector.diagnostics + ofPipeline).sortedByPlace()
    return (collector.hasErrors || !ofPipeline.isEmpty ? nil : test, diagnostics)
  }

  private static func check(
    _ root: YAMLNode, _ reader: DocumentReader, _ ofPipeline: inout [Diagnostic],
    _ read: (String) throws(Unreadable) -> [UInt8]
  ) -> TestDocument? {
    let collector = reader.collector
    guard let fields = reader.fields(root, .test) else { return nil }
    let name = fields["test"].flatMap {
      reader.name($0, of: "the name of the test", allowsHyphen: true)
    }
    guard let path = fields["pipeline"].flatMap({ reader.text($0, expected: "a path") }),
      let pipeline = pipeline(path, collector, &ofPipeline, read)
    else { return nil }
    let cases = TestReader(reader, pipeline).cases(fields)
    guard let name else { return nil }
    return TestDocument(name: name.value, file: collector.file, pipeline: pipeline, cases: cases)
  }

  private static func pipeline(
    _ path: Located<String>, _ collector: DiagnosticCollector, _ found: inout [Diagnostic],
    _ read: (String) throws(Unreadable) -> [UInt8]
  ) -> Pipeline? {
    let file = resolve(path.value, from: collector.file)
    let bytes: [UInt8]
    do throws(Unreadable) {
      bytes = try read(file)
    } catch {
      collector.error(
        .unknownFile, "the pipeline '\(file)' cannot be read: \(error.reason)", at: path.range)
      return nil
    }
    let result = PipelineDocument.load(bytes: bytes, file: file)
    // What it only warns of is not the test's business.
    found = result.diagnostics.filter { $0.severity == .error }
    return result.pipeline
  }

  /// The path of a file that another one names.
  static func resolve(_ path: String, from file: String) -> String {
    guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
    return String(file[...slash]) + path
  }
}
