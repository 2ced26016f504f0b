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
  /// The response.
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
  /// The kinds of expectations.
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
  /// The purpose of the request.
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
