extension TestDocument {
  /// The result of loading a test.
  public struct Result: Sendable {
    /// The test; present if and only if no diagnostic is an error.
    public let document: TestDocument?
    /// All diagnostics for the test and its pipeline, in the order of files and positions.
    public let diagnostics: [Diagnostic]
    /// The texts of the pipeline and of the files it uses, by their names in diagnostics.
    public let sources: [String: String]
  }

  /// Whether a file is a test, according to its name.
  public static func isNamed(_ file: String) -> Bool {
    file.hasSuffix(".test.yaml") || file.hasSuffix(".test.yml")
  }

  /// Reads and checks a test and the pipeline that it names, whose path is relative to `file`.
  public static func load(
    bytes: some Sequence<UInt8>, file: String, files: DocumentFiles
  ) -> Result {
    var tested = Tested()
    let (document, diagnostics) = DocumentReader.load(
      bytes, file: file, others: { tested.diagnostics }
    ) { check($0, $1, files, &tested) }
    return Result(document: document, diagnostics: diagnostics, sources: tested.sources)
  }

  private struct Tested {
    package var diagnostics: [Diagnostic] = []
    var sources: [String: String] = [:]
  }

  private static func check(
    _ root: YAMLNode, _ reader: DocumentReader, _ files: DocumentFiles, _ tested: inout Tested
  ) -> TestDocument? {
    let collector = reader.collector
    guard let fields = reader.fields(root, .test) else { return nil }
    let name = fields["test"].flatMap { reader.name($0, of: "a test name", allowsHyphen: true) }
    guard let path = fields["pipeline"].flatMap({ reader.text($0, expected: "a path") }),
      let pipeline = pipeline(path, reader, files, &tested)
    else { return nil }
    let cases = TestReader(reader, pipeline).cases(fields)
    guard let name else { return nil }
    return TestDocument(name: name.value, file: collector.file, pipeline: pipeline, cases: cases)
  }

  private static func pipeline(
    _ name: Located<String>, _ reader: DocumentReader, _ files: DocumentFiles,
    _ tested: inout Tested
  ) -> Pipeline? {
    let path = DocumentPath.resolve(name.value, from: reader.path)
    let file = DocumentPath.resolve(name.value, from: reader.collector.file)
    let bytes: [UInt8]
    do throws(DocumentFiles.Refusal) { bytes = try files.read(path) } catch {
      let reason = error.reason.isEmpty ? "" : ": \(error.reason)"
      reader.collector.report(
        .unknownFile, "the pipeline '\(file)' cannot be read\(reason)", at: name.range,
        help: error.help)
      return nil
    }
    tested.sources[file] = String(decoding: bytes, as: UTF8.self)
    let result = PipelineDocument.load(
      bytes: bytes, file: file,
      files: DocumentFiles(reading: { (used: String) throws(DocumentFiles.Refusal) -> [UInt8] in
        try files.read(DocumentPath.resolve(used, from: path))
      }))
    tested.sources.merge(result.usedSources) { first, _ in first }
    // Its warnings do not concern the test.
    tested.diagnostics = result.diagnostics.filter { $0.severity == .error }
    return result.pipeline
  }
}
