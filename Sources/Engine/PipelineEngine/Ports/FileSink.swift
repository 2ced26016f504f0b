/// Receives a file piece by piece, at a place that others cannot see.
public protocol FileSink: Sendable {
  /// Appends bytes; fails if there are more than planned.
  func append(_ bytes: [UInt8]) async throws(FileFailure)

  /// Announces the content, and discards the bytes received so far; fails if it cannot be the file.
  func begin(_ representation: Representation) async throws(FileFailure)

  /// What earlier attempts have left, if a request for the rest may continue it.
  func received() async throws(FileFailure) -> PartialDownload?

  /// Compares the file with its plan and makes it appear, complete, by rename; otherwise deletes it.
  func publish(contentType: String?) async throws(FileFailure) -> FileValue

  /// Ends the attempt. The received bytes stay for a later attempt if that can continue them;
  /// otherwise it is deleted.
  func suspend() async

  /// Deletes the received bytes.
  func discard() async
}

extension FileSink {
  /// A sink that ends with its process has nothing of earlier attempts.
  public func received() async throws(FileFailure) -> PartialDownload? { nil }
  /// A sink that ends with its process keeps nothing.
  public func suspend() async { await discard() }
}

extension FileWorkspace {
  /// A workspace that notes nothing finds nothing in its place.
  public func present(
    _ plan: DownloadPlan, at path: String
  ) async throws(FileFailure) -> FileValue? { nil }

  /// A workspace that notes nothing has no notes.
  public func partials() async -> [String] { [] }
  /// A workspace that notes nothing has nothing to delete.
  public func discardPartial(_ path: String) async {}
}

/// A file as a server sends it (RFC 9110 §3.2).
public struct Representation: Hashable, Sendable {
  /// Bytes of the whole, if the server reports them.
  public let size: Int64?
  /// The value of `If-Range`: a strong entity tag or a date (RFC 9110 §13.1.5); `nil` if there is neither.
  public let validator: String?
  /// Media type, if known.
  public let contentType: String?
  /// The content coding, such as `gzip`, in which it arrives although no one asked for it; `nil` if it is sent as it is.
  public let coding: String?

  /// Describes the content that a server sends.
  public init(
    size: Int64? = nil, validator: String? = nil, contentType: String? = nil, coding: String? = nil
  ) {
    (self.size, self.validator, self.contentType) = (size, validator, contentType)
    self.coding = coding
  }
}

/// The start of a file, from an earlier attempt.
public struct PartialDownload: Hashable, Sendable {
  /// The content that it is the start of; it has a validator.
  public let representation: Representation
  /// Bytes received.
  public let received: Int64

  /// Describes the start of a file.
  public init(_ representation: Representation, received: Int64) {
    (self.representation, self.received) = (representation, received)
  }
}
