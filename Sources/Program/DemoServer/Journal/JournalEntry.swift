/// What the server did with one request: the ground truth for checking a client; it contains no token and no password.
public struct JournalEntry: Sendable, Hashable {
  /// The outcome of a request.
  public enum Event: String, Sendable, Hashable, CaseIterable {
    /// A token was issued.
    case login
    /// An upload was created.
    case allocate
    /// An allocation was repeated because its idempotency key was known.
    case allocateReplay = "allocate_replay"
    /// Content was received and stored.
    case content
    /// An upload was read.
    case inspect
    /// The content of an upload was sent.
    case download
    /// An upload became complete.
    case finalize
    /// Many uploads were finalized with one request; each has an entry of its own before this one.
    case finalizeAll = "finalize_all"
    /// A finalize was repeated because its idempotency key was known.
    case finalizeReplay = "finalize_replay"
    /// A complete upload was finalized again: the mistake that an upload client must not make.
    case duplicateFinalize = "duplicate_finalize"
    /// An upload was deleted.
    case delete
    /// A file was put by name.
    case storeFile = "store_file"
    /// A file was read by name.
    case inspectFile = "inspect_file"
    /// Nothing took effect; `status` says why.
    case refused
    /// The connection ended before the request did; nothing took effect.
    case interrupted
  }

  /// The position in the journal, from 1, in the order in which requests took effect.
  public internal(set) var sequence = 0
  /// The time by the server's clock in milliseconds since 1970, UTC.
  public let time: Int64
  /// The method.
  public let method: String
  /// The path without the query.
  public let path: String
  /// The status sent, or nil if the connection was reset instead.
  public var status: Int?
  /// The outcome.
  public var event: Event
  /// The upload concerned.
  public var uploadID: String?
  /// The name of the file concerned.
  public var fileName: String?
  /// The digest of the content, in lower-case hexadecimal.
  public var sha256: String?
  /// The size of the content in bytes.
  public var size: Int?
  /// What the client sent as `Idempotency-Key`.
  public var idempotencyKey: String?
  /// The fault of the request.
  public var fault: Fault?

  init(time: Timestamp, method: String, path: String) {
    self.time = time.milliseconds
    (self.method, self.path) = (method, path)
    event = .refused
  }

  /// The entry as a line of JSON with its line feed; members without a value are omitted, and `time` is as in RFC 3339.
  var line: [UInt8] {
    JSONWriter.bytes {
      $0.add("seq", sequence)
      $0.add("time", Timestamp(milliseconds: time).rfc3339)
      $0.add("method", method)
      $0.add("path", path)
      $0.add("status", status)
      $0.add("event", event.rawValue)
      $0.add("upload_id", uploadID)
      $0.add("name", fileName)
      $0.add("sha256", sha256)
      $0.add("size", size)
      $0.add("idempotency_key", idempotencyKey)
      $0.add("fault", fault?.rawValue)
    } + [UInt8(ascii: "\n")]
  }
}
