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
    let document = YAMLDocument.parse(bytes)
    for issue in document.issues { collector.report(issue) }
    let test = document.root.flatMap { root in
      check(root, DocumentReader(document: document, collector: collector), read)
    }
    return (collector.hasErrors ? nil : test, collector.diagnostics.sortedByPlace())
  }

  private static func check(
    _ root: YAMLNode, _ reader: DocumentReader, _ read: (String) throws(Unreadable) -> [UInt8]
  ) -> TestDocument? {
    let collector = reader.collector
    guard let fields = reader.fields(root, .test) else { return nil }
    let name = fields["test"].flatMap {
      reader.name($0, of: "the name of the test", allowsHyphen: true)
    }
    guard let path = fields["pipeline"].flatMap({ reader.text($0, expected: "a path") }),
      let pipeline = pipeline(path, collector, read)
    else { return nil }
    let cases = TestReader(reader, pipeline).cases(fields)
    guard let name else { return nil }
    return TestDocument(name: name.value, file: collector.file, pipeline: pipeline, cases: cases)
  }

  private static func pipeline(
    _ path: Located<String>, _ collector: DiagnosticCollector,
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
    for diagnostic in result.diagnostics where diagnostic.severity == .error {
      collector.report(diagnostic)
    }
    return result.pipeline
  }

  /// The path of a file that another one names.
  static func resolve(_ path: String, from file: String) -> String {
    guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
    return String(file[...slash]) + path
  }
}
