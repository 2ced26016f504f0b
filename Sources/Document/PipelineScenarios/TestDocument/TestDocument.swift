/// A checked `*.test.yaml` file: runs of one pipeline in virtual time, the responses, and the expected outcome.
public struct TestDocument: Sendable {
  /// The name, from the key `test`, and the file as the user named it.
  public let name, file: String
  /// The pipeline that is tested.
  public let pipeline: Pipeline
  /// Its cases, in the order of the file.
  public let cases: [TestCase]
}

/// One run and its expected outcome.
public struct TestCase: Sendable {
  /// The tested behavior, as a statement.
  public let name: String
  /// The range of the name.
  public let range: TextRange
  /// Values of inputs that are not files: of those that are not secret, and of secret ones.
  public let values, secrets: [String: Value]
  /// Files of `file` and `files` inputs.
  public let files: [String: [TestFile]]
  /// Files that are in folders of the user, with absolute paths.
  public let saved: [TestFile]
  /// The start of virtual time.
  public let start: Instant
  /// Seeds the jitter of back-offs.
  public let seed: UInt64
  /// Virtual time after which the run ends.
  public let limit: Duration
  /// Free disk space; `nil` is unlimited.
  public let freeSpace: Int64?
  /// Times after the start at which the process is killed and restarted.
  public let restarts: [Duration]
  /// Server responses to steps and to their probes, by the index in ``/PipelineCore/Pipeline/steps``.
  public let answers, probes: [Int: [ScriptedReply]]
  /// Server responses to compensations; empty if the file specifies none.
  public let abandonments: [ScriptedReply]
  /// The expectations, in file order.
  public let expectations: [TestExpectation]
}

/// A file that exists only in a test.
public struct TestFile: Hashable, Sendable {
  /// The file as expressions see it.
  public let file: FileValue
  /// Its bytes, if the test specifies them.
  public let content: [UInt8]?
}

/// A response that a test specifies; its expressions see the names of the requesting step, and the request.
public struct ScriptedReply: Sendable {
  /// The entry only applies to requests for which this is true; `nil` applies to all.
  public let condition: Expression?
  /// How often it is used before the next one.
  public let times: Int
  public let reply: ResponseTemplate
  /// Why there is no response; `nil` if there is one.
  public let failure: TransportFailure?
  /// The range of the entry.
  public let range: TextRange
}

/// The ends of a run in expectations.
public enum TestRunStatus: String, Hashable, Sendable, CaseIterable {
  /// Every item is done or skipped.
  case done
  /// Finished, but some items failed or are paused.
  case incomplete
  /// A run-level step cannot continue.
  case paused
  /// Nothing more can ever happen.
  case stuck
  /// The time limit came first.
  case unfinished
}

/// The purpose of a request in expectations.
public enum TestPurpose: String, Hashable, Sendable, CaseIterable { case attempt, probe, abandon }

/// One expectation, with its range.
public struct TestExpectation: Sendable {
  /// What is compared with the result of a test.
  public enum Kind: Sendable {
    case status(TestRunStatus)
    /// Text contained in the reason why the run is paused.
    case reason(String)
    case items(Item.Status, Int)
    case item(ItemExpectation)
    /// Requests sent in this order; if `isComplete`, all requests sent.
    case requests([RequestExpectation], isComplete: Bool)
    case attempts(step: Int, Int)
    case probes(step: Int, Int)
    case reissues(step: Int, Int)
    /// The last value of a step's output.
    case output(step: Int, output: Int, JSONTemplate)
    case timeAtLeast(Duration)
    case timeAtMost(Duration)
    /// Maximum bytes of materialized files at any time.
    case diskAtMost(Int64)
    /// The absolute paths of all files that stay after downloads, in order.
    case saved([String])
  }

  /// The expectation.
  public let kind: Kind
  /// Its range in the file.
  public let range: TextRange
}

/// How one item must end.
public struct ItemExpectation: Sendable {
  /// Name of its file, or its value as text.
  public let name: String
  /// How it must end; `nil` accepts anything.
  public let status: Item.Status?
  /// Text contained in the reason for its status.
  public let reason: String?
  /// Final outputs of its steps.
  public let outputs: [(step: Int, output: Int, value: JSONTemplate)]
}

/// A request that must be sent; `nil` accepts anything.
public struct RequestExpectation: Sendable {
  /// Index of the step in ``/PipelineCore/Pipeline/steps``.
  public let step: Int?
  public let purpose: TestPurpose?
  /// The item, by the name of its file or its value as text, and the method.
  public let item, method: String?
  /// The whole URL.
  public let url: Template?
  /// Headers that it has.
  public let headers: [RequestTemplate.Field]
  /// The body; for an object, some of its members.
  public let json: JSONTemplate?
  /// The body as text.
  public let text: Template?
  /// True for the request.
  public let condition: Expression?
  /// The range of the entry.
  public let range: TextRange
}

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
  public static func load(bytes: some Sequence<UInt8>, file: String, files: DocumentFiles) -> Result
  {
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
