/// The server's handling of one request: the ground truth for checking a client; it contains no token and no password.
package struct JournalEntry: Sendable, Hashable {
  package enum Event: String, Sendable, Hashable, CaseIterable {
    case login, allocate
    /// An allocation was repeated because its idempotency key was known.
    case allocateReplay = "allocate_replay"
    case content, inspect, download, finalize
    /// Many uploads were finalized with one request; each has an entry of its own before this one.
    case finalizeAll = "finalize_all"
    /// A finalize was repeated because its idempotency key was known.
    case finalizeReplay = "finalize_replay"
    /// A complete upload was finalized again: the mistake that an upload client must not make.
    case duplicateFinalize = "duplicate_finalize"
    case delete
    case storeFile = "store_file"
    case inspectFile = "inspect_file"
    /// Nothing took effect; `status` shows why.
    case refused
    /// The connection ended before the request did; nothing took effect.
    case interrupted
  }

  /// The position in the journal, from 1, in the order in which requests took effect.
  package internal(set) var sequence = 0
  /// The time by the server's clock in milliseconds since 1970, UTC.
  package let time: Int64
  package let method: String
  package let path: String
  /// The status sent, or nil if the connection was reset instead.
  package var status: Int?
  package var event: Event
  package var uploadID: String?
  package var fileName: String?
  /// The digest of the content, in lower-case hexadecimal.
  package var sha256: String?
  package var size: Int?
  package var idempotencyKey: String?
  package var fault: Fault?

  init(time: Timestamp, method: String, path: String) {
    self.time = time.milliseconds
    (self.method, self.path) = (method, path)
    event = .refused
  }

  /// The entry as a line of JSON with its line feed; members without a value are omitted, and `time` is as in RFC 3339.
  var line: [UInt8] {
    JSONWriter.bytes { for field in Self.fields { field.write(self, &$0) } } + [UInt8(ascii: "\n")]
  }

  /// The schema's descriptions of the members of a line.
  package static let members = fields.map(\.member)

  private typealias Field = (
    member: OutputMember, write: @Sendable (JournalEntry, inout JSONWriter) -> Void
  )

  private static func text(
    _ member: OutputMember, _ value: @escaping @Sendable (JournalEntry) -> String?
  ) -> Field { (member, { $1.add(member.name, value($0)) }) }

  private static func number(
    _ member: OutputMember, _ value: @escaping @Sendable (JournalEntry) -> Int?
  ) -> Field { (member, { $1.add(member.name, value($0)) }) }

  private static let fields = [
    number(
      .always("seq", .count, "Its number, from 1, in the order in which requests took effect.")
    ) { $0.sequence },
    text(.always("time", .time, "When it took effect.")) {
      Timestamp(milliseconds: $0.time).rfc3339
    },
    text(.always("method", .text, "Its method.")) { $0.method },
    text(.always("path", .text, "Its path, without a query.")) { $0.path },
    number(
      .maybe("status", .count, "The HTTP status; absent if the connection was reset instead.")
    ) { $0.status },
    text(.always("event", .text, "Its effect, such as `allocate`; `refused` if it had none.")) {
      $0.event.rawValue
    },
    text(.maybe("upload_id", .text, "The upload.")) { $0.uploadID },
    text(.maybe("name", .text, "The file's name.")) { $0.fileName },
    text(.maybe("sha256", .text, "SHA-256 of the content, in hexadecimal.")) { $0.sha256 },
    number(.maybe("size", .count, "Bytes of the content.")) { $0.size },
    text(.maybe("idempotency_key", .text, "The value of `Idempotency-Key`.")) {
      $0.idempotencyKey
    },
    text(.maybe("fault", .text, "The injected fault.")) { $0.fault?.rawValue },
  ]
}
