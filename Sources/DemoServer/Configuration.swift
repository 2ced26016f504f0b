public import Logging

extension DemoServer {
  /// How a server behaves; every value has a default that suits a test.
  public struct Configuration: Sendable {
    /// The address to listen on.
    public var host = "127.0.0.1"
    /// The port to listen on; 0 takes a free one, which ``DemoServer/port`` then tells.
    public var port = 0
    /// The name that `POST /v1/login` accepts.
    public var user = "demo"
    /// The password that `POST /v1/login` accepts.
    public var password = "demo"
    /// How long a token is good for.
    public var tokenLifetime: Duration = .seconds(3600)
    /// How long an upload may wait for its content and its finalizing.
    public var uploadLifetime: Duration = .seconds(3600)
    /// How far the server's clock is ahead of the machine's; it moves `Date`, lifetimes and the journal.
    public var clockOffset: Duration = .zero
    /// How a repeated finalize without the key of the first is answered.
    ///
    /// It is counted either way.
    public var repeatedFinalize: RepeatedFinalize = .succeeds
    /// What becomes of the bytes of a body.
    public var storage: Storage = .discard
    /// A file in which uploads and files are remembered from one start to the next, or nil.
    public var registryFile: String?
    /// What goes wrong.
    public var faults = FaultPlan()
    /// How many journal entries stay in memory.
    public var journalRetention: JournalRetention = .all
    /// A file to which each journal entry is appended as a line of JSON, or nil.
    public var journalFile: String?
    /// Takes the server's own messages; nil keeps it silent.
    ///
    /// Requests are never logged.
    public var logger: Logger?

    /// Makes the default configuration.
    public init() {}
  }

  /// The answer to a second finalize of a complete upload.
  public enum RepeatedFinalize: Sendable {
    /// 200 with the upload, as S3 answers a repeated completion.
    case succeeds
    /// 409 with the upload's state.
    case conflicts
  }

  /// What becomes of the bytes of a body.
  public enum Storage: Sendable {
    /// They are hashed and forgotten.
    case discard
    /// They are kept under this folder: `uploads/<id>` and `files/<percent-encoded name>`.
    case folder(String)
  }

  /// How many journal entries stay in memory.
  public enum JournalRetention: Sendable {
    /// All of them.
    case all
    /// The latest ones, up to this number; counts go on.
    case latest(Int)
    /// None, and no counts by file name: flat memory for any number of requests.
    case countersOnly
  }
}
