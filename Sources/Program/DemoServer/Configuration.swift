package import Logging

extension DemoServer {
  /// How a server behaves; every value has a default that suits a test.
  package struct Configuration: Sendable {
    package var host = "127.0.0.1"
    /// The port to listen on; 0 picks a free one, which ``DemoServer/port`` returns.
    package var port = 0
    package var user = "demo"
    package var password = "demo"
    package var tokenLifetime: Duration = .seconds(3600)
    /// How long an upload may wait for its content and its finalizing.
    package var uploadLifetime: Duration = .seconds(3600)
    /// How far the server's clock is ahead of the machine's; it affects `Date`, lifetimes and the journal.
    package var clockOffset: Duration = .zero
    /// The response to a repeated finalize without the key of the first; it is counted either way.
    package var repeatedFinalize: RepeatedFinalize = .succeeds
    /// What happens to the bytes of a body.
    package var storage: Storage = .discard
    /// A file in which uploads and files are stored across restarts, or nil.
    package var registryFile: String?
    package var faults = FaultPlan()
    /// How many journal entries stay in memory.
    package var journalRetention: JournalRetention = .all
    /// A file to which each journal entry is appended as a line of JSON, or nil.
    package var journalFile: String?
    /// The logger for the server's own messages, never for requests; nil keeps it silent.
    package var logger: Logger?
    package init() {}
  }

  /// The response to a second finalize of a complete upload.
  package enum RepeatedFinalize: Sendable {
    /// 200 with the upload, like S3's response to a repeated completion.
    case succeeds
    /// 409 with the upload's state.
    case conflicts
  }

  /// What happens to the bytes of a body.
  package enum Storage: Sendable {
    /// They are hashed and discarded.
    case discard
    /// They are stored in this folder: `uploads/<id>` and `files/<percent-encoded name>`.
    case folder(String)
  }

  /// How many journal entries stay in memory.
  package enum JournalRetention: Sendable {
    case all
    /// The latest ones, up to this number; counting continues.
    case latest(Int)
    /// None, and no counts by file name: constant memory for any number of requests.
    case countersOnly
  }
}
