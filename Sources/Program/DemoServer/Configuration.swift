public import Logging

extension DemoServer {
  /// How a server behaves; every value has a default that suits a test.
  public struct Configuration: Sendable {
    /// The address to listen on.
    public var host = "127.0.0.1"
    /// The port to listen on; 0 picks a free one, which ``DemoServer/port`` returns.
    public var port = 0
    /// The name that `POST /v1/login` accepts.
    public var user = "demo"
    /// The password that `POST /v1/login` accepts.
    public var password = "demo"
    /// How long a token is valid.
    public var tokenLifetime: Duration = .seconds(3600)
    /// How long an upload may wait for its content and its finalizing.
    public var uploadLifetime: Duration = .seconds(3600)
    /// How far the server's clock is ahead of the machine's; it affects `Date`, lifetimes and the journal.
    public var clockOffset: Duration = .zero
    /// The response to a repeated finalize without the key of the first; it is counted either way.
    public var repeatedFinalize: RepeatedFinalize = .succeeds
    /// What happens to the bytes of a body.
    public var storage: Storage = .discard
    /// A file in which uploads and files are stored across restarts, or nil.
    public var registryFile: String?
    /// The faults.
    public var faults = FaultPlan()
    /// How many journal entries stay in memory.
    public var journalRetention: JournalRetention = .all
    /// A file to which each journal entry is appended as a line of JSON, or nil.
    public var journalFile: String?
    /// The logger for the server's own messages, never for requests; nil keeps it silent.
    public var logger: Logger?

    /// Creates the default configuration.
    public init() {}
  }

  /// The response to a second finalize of a complete upload.
  public enum RepeatedFinalize: Sendable {
    /// 200 with the upload, like S3's response to a repeated completion.
    case succeeds
    /// 409 with the upload's state.
    case conflicts
  }

  /// What happens to the bytes of a body.
  public enum Storage: Sendable {
    /// They are hashed and discarded.
    case discard
    /// They are stored in this folder: `uploads/<id>` and `files/<percent-encoded name>`.
    case folder(String)
  }

  /// How many journal entries stay in memory.
  public enum JournalRetention: Sendable {
    case all
    /// The latest ones, up to this number; counting continues.
    case latest(Int)
    /// None, and no counts by file name: constant memory for any number of requests.
    case countersOnly
  }
}
