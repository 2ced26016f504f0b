struct Upload: Codable, Sendable {
  enum State: String, Codable, Sendable {
    case allocated
    case uploaded
    case complete
  }

  let id: String
  let name: String
  let size: Int
  /// The digest that the client announced when it allocated, in lower case.
  let announcedSHA256: String?
  let createdAt: Timestamp
  var expiresAt: Timestamp
  var state: State = .allocated
  var sha256: String?
  var finalizedAt: Timestamp?
  var finalizeCount = 0
  var finalizeKeys: Set<String> = []

  /// A complete upload is the user's file and does not expire.
  func isExpired(at now: Timestamp) -> Bool { state != .complete && expiresAt <= now }
}

/// A file put without an upload.
struct StoredFile: Codable, Sendable {
  let name: String
  let size: Int
  let sha256: String
  let storedAt: Timestamp
}
