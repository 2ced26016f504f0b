public import PipelineDocument
public import CEL
public import PipelineCore

/// A checked `*.test.yaml` file: runs of one pipeline in virtual time, what servers answer in them,
/// and what must happen.
public struct TestDocument: Sendable {
  /// The name, from the key `test`.
  public let name: String
  /// The file as the user named it.
  public let file: String
  /// The pipeline that is tested.
  public let pipeline: Pipeline
  /// Its cases, in the order of the file.
  public let cases: [TestCase]
}

/// One run and what must happen in it.
public struct TestCase: Sendable {
  /// What is tested, as a statement.
  public let name: String
  /// Where the name stands.
  public let range: TextRange
  /// Values of inputs that are neither secret nor files.
  public let values: [String: Value]
  /// Values of secret inputs.
  public let secrets: [String: Value]
  /// Files of `file` and `files` inputs.
  public let files: [String: [TestFile]]
  /// When virtual time begins.
  public let start: Instant
  /// Seeds the jitter of back-offs.
  public let seed: UInt64
  /// Virtual time after which the run is ended.
  public let limit: Duration
  /// Free disk space; `nil` is without limit.
  public let freeSpace: Int64?
  /// Times after the start at which the process is killed and begins again.
  public let restarts: [Duration]
  /// What servers answer to steps, by their index in ``/PipelineCore/Pipeline/steps``.
  public let answers: [Int: [ScriptedReply]]
  /// What servers answer to probes, by the step's index.
  public let probes: [Int: [ScriptedReply]]
  /// What servers answer to compensations; none where the file says nothing.
  public let abandonments: [ScriptedReply]
  /// What must happen, in the order of the file.
  public let expectations: [TestExpectation]
}

/// A file that exists only in a test.
public struct TestFile: Hashable, Sendable {
  /// The file as expressions see it.
  public let file: FileValue
  /// Its bytes, where the test gives them.
  public let content: [UInt8]?
}

/// An answer that a test scripts.
///
/// Its expressions see what the asking step sees, and the request: see ``/PipelineDocument/Variables/ofRequest``.
public struct ScriptedReply: Sendable {
  /// The entry is only for requests for which this is true; `nil` is for all.
  public let condition: Expression?
  /// How often it is given before the next one.
  public let times: Int
  /// The answer.
  public let reply: ResponseTemplate
  /// Why there is no answer; `nil` where there is one.
  public let failure: TransportFailure?
  /// Where the entry stands.
  public let range: TextRange
}

/// How a run can end, as expectations write it.
public enum TestRunStatus: String, Hashable, Sendable, CaseIterable {
  /// Every item is done or skipped.
  case done
  /// Finished, and some items failed or are paused.
  case incomplete
  /// A step of run scope cannot go on.
  case paused
  /// Nothing can ever happen any more.
  case stuck
  /// The limit came first.
  case unfinished
}

/// What a request is for, as expectations write it.
public enum TestPurpose: String, Hashable, Sendable, CaseIterable {
  /// An attempt at the step.
  case attempt
  /// Its probe.
  case probe
  /// A compensation.
  case abandon
}

/// One thing that must be so, and where the file says it.
public struct TestExpectation: Sendable {
  /// What can be expected.
  public enum Kind: Sendable {
    /// How the run ends.
    case status(TestRunStatus)
    /// Text that stands in the reason why the run is paused.
    case reason(String)
    /// How many items stand so.
    case items(Item.Status, Int)
    /// How one item ends.
    case item(ItemExpectation)
    /// Requests that are sent in this order; all that are sent where `isComplete`.
    case requests([RequestExpectation], isComplete: Bool)
    /// How often the step is attempted.
    case attempts(step: Int, Int)
    /// How often the step is probed.
    case probes(step: Int, Int)
    /// How often the step is done anew.
    case reissues(step: Int, Int)
    /// The last value of a step's output.
    case output(step: Int, output: Int, JSONTemplate)
    /// Least virtual time.
    case timeAtLeast(Duration)
    /// Most virtual time.
    case timeAtMost(Duration)
    /// Most bytes of materialized files at any moment.
    case diskAtMost(Int64)
  }

  /// What is expected.
  public let kind: Kind
  /// Where the file says so.
  public let range: TextRange
}

/// How one item must end.
public struct ItemExpectation: Sendable {
  /// Name of its file, or its value as text.
  public let name: String
  /// How it must end; `nil` is as it likes.
  public let status: Item.Status?
  /// Text that stands in the reason of its end.
  public let reason: String?
  /// Outputs that its steps had at last.
  public let outputs: [(step: Int, output: Int, value: JSONTemplate)]
}

/// A request that must be sent; what is `nil` may be as it likes.
public struct RequestExpectation: Sendable {
  /// Index of the step in ``/PipelineCore/Pipeline/steps``.
  public let step: Int?
  /// What the request is for.
  public let purpose: TestPurpose?
  /// Name of the item's file, or its value as text.
  public let item: String?
  /// The method.
  public let method: String?
  /// The whole URL.
  public let url: Template?
  /// Headers that it has.
  public let headers: [RequestTemplate.Field]
  /// The body; of an object, members that it has.
  public let json: JSONTemplate?
  /// The body as text.
  public let text: Template?
  /// True on the request.
  public let condition: Expression?
  /// Where the entry stands.
  public let range: TextRange
}
