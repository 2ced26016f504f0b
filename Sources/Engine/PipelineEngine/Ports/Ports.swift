/// Sends short requests.
///
/// Contract: one response per call. A failure to get a response is the ``Response/error``, never
/// thrown; cancelling the task ends the call soon, with ``TransportFailure/Kind/interrupted``. Bodies of
/// responses are bounded.
public protocol RequestTransport: Sendable {
  /// Sends `request` and waits for the whole response.
  func send(_ request: RenderedRequest) async -> Response
}

/// Carries files to servers.
///
/// Contract: as ``RequestTransport``. The body is streamed, from its start as often as it has to be sent; a file that is no
/// longer the one that the body describes (by size or modification time) ends the transfer with ``TransportFailure/Kind/fileChanged``, never
/// with success. ``RenderedRequest/timeout`` covers the whole transfer; after the time without progress that
/// ``RenderedRequest/transfer`` allows, it ends with ``TransportFailure/Kind/timeout``, as it does
/// at the end of the timeout. Priority, discretion and networks are for services that support them.
///
/// A transfer with ``/PipelineCore/TransferSettings/earliest`` does not start before. If it has
/// ``/PipelineCore/Renewal/begin`` among its renewals, it calls `renew` when it is about to start after
/// that; with ``/PipelineCore/Renewal/challenge`` it does so whenever the response is a
/// challenge. It continues with the reply, in the same call.
public protocol TransferService: Sendable {
  /// Whether a body may consist of several pieces, of texts and of parts of files, so that nothing is copied into one file first.
  ///
  /// A service that outlives the process, as on phones, accepts only files. A body that contains a secret comes in pieces
  /// in any case, because it must not be written.
  var sendsPieces: Bool { get }

  /// Sends `request` with `body`, whose files are at `paths`; reports the bytes sent so far to `progress`.
  func upload(
    _ request: RenderedRequest, body: Body, paths: @escaping @Sendable (FileValue) -> String,
    renew: @escaping Renew, progress: @escaping @Sendable (Int64) -> Void
  ) async -> Response

  /// Sends `request` and passes the body of a successful response (2xx) to `sink`; any other body belongs to the response.
  /// `progress` receives the bytes received so far, from time to time.
  ///
  /// If the sink has a ``PartialDownload`` with a strong validator, the service continues it (RFC 9110 §13.1.5, §14.2);
  /// the response is then the same as if the server had sent everything at once. It never repeats a request by itself:
  /// a connection that breaks, or a part that is not the whole rest, is a failure after which the engine decides.
  func download(
    _ request: RenderedRequest, into sink: any FileSink, renew: @escaping Renew,
    progress: @escaping @Sendable (Int64) -> Void
  ) async throws(FileFailure) -> Response

  /// Adopts a transfer of an earlier process by its id; `nil` if it or its outcome is unknown (FQ3).
  func adopt(
    _ transfer: TransferSettings, into sink: (any FileSink)?, renew: @escaping Renew,
    progress: @escaping @Sendable (Int64) -> Void
  ) async throws(FileFailure) -> Response?

  /// Asks the run for a transfer's new request; returns soon if the task is cancelled.
  typealias Renew = @Sendable (Renewal) async -> RenderedRenewal
}

/// How a transfer continues that asked for a new request.
public enum RenderedRenewal: Hashable, Sendable {
  /// With another value of `Authorization`.
  case authorization(String)
  /// With another request in place of the one that it was handed over with; the file stays.
  case request(RenderedRequest)
  /// Unchanged. A challenge is then the transfer's response.
  case unchanged

  /// The request that a transfer continues with.
  public func applied(to request: RenderedRequest) -> RenderedRequest {
    switch self {
    case .request(let replacement): return replacement
    case .unchanged: return request
    case .authorization(let value):
      var request = request
      request.headers.removeAll { $0.name.lowercased() == "authorization" }
      request.headers.append(.init(name: "Authorization", value: value))
      request.secretHeaders.insert("authorization")
      return request
    }
  }
}

extension Response {
  /// Whether the response is a challenge: 401 with `WWW-Authenticate` (RFC 9110 §11.6.1).
  public var isChallenge: Bool { status == 401 && header("www-authenticate") != nil }
}

extension TransferService {
  /// Only files.
  public var sendsPieces: Bool { false }

  /// A service that ends with its process has no earlier transfers.
  public func adopt(
    _ transfer: TransferSettings, into sink: (any FileSink)?, renew: @escaping Renew,
    progress: @escaping @Sendable (Int64) -> Void
  ) async throws(FileFailure) -> Response? { nil }

  /// Sends `request` without renewals.
  public func upload(
    _ request: RenderedRequest, body: Body,
    paths: @escaping @Sendable (FileValue) -> String = { $0.path },
    progress: @escaping @Sendable (Int64) -> Void
  ) async -> Response {
    await upload(request, body: body, paths: paths, renew: { _ in .unchanged }, progress: progress)
  }

  /// Sends `request` without renewals.
  public func download(
    _ request: RenderedRequest, into sink: any FileSink,
    progress: @escaping @Sendable (Int64) -> Void
  ) async throws(FileFailure) -> Response {
    try await download(request, into: sink, renew: { _ in .unchanged }, progress: progress)
  }
}

/// Creates and deletes the files of a run.
///
/// Contract: paths are relative to the run's folder and never leave it; a file appears complete, by
/// rename, or not at all.
public protocol FileWorkspace: Sendable {
  /// Writes the file that `plan` describes to `path`, and computes its digests in the same pass.
  ///
  /// Writes nothing if the plan is ``/PipelineCore/MaterializationPlan/unwritten``:
  /// its sources are compared and its digests computed.
  func materialize(_ plan: MaterializationPlan, at path: String) async throws(FileFailure)
    -> FileValue

  /// Opens a sink for the file that `plan` describes, which appears at `path`.
  ///
  /// A file that stays (``/PipelineCore/DownloadPlan/save``) appears in the place that its plan
  /// specifies, and `path` names its received part: it can be continued by a later process.
  func sink(for plan: DownloadPlan, at path: String) async throws(FileFailure) -> any FileSink

  /// The file that a plan finds in its place, as it must be; `nil` if it has to be downloaded.
  func present(_ plan: DownloadPlan, at path: String) async throws(FileFailure) -> FileValue?

  /// The paths under which something is noted about files that stay, of this process and of earlier ones.
  func partials() async -> [String]

  /// Deletes the received part, under `path`, of a file that stays, and the note about it; never a complete file.
  func discardPartial(_ path: String) async

  /// Deletes the file or folder `path`, if it exists.
  func discard(_ path: String) async

  /// Deletes all files except those at `kept`, before the process makes any; returns their number.
  func sweep(keeping kept: Set<String>) async -> Int

  /// The absolute path of `file`: unchanged for a user's file, otherwise in the run's folder.
  func absolutePath(of file: FileValue) -> String
}

/// Why a file could not be created.
public struct FileFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public enum Kind: Hashable, Sendable {
    /// The disk is full.
    case noSpace
    /// No file descriptor is left to open a file with.
    case tooManyOpenFiles
    /// A source file was deleted.
    case missing
    /// A source file cannot be read.
    case unreadable
    /// A source file is not the enumerated one, or changed while it was read.
    case changed
    /// The file would be larger than its reservation.
    case reservationExceeded
    /// The received file is not the expected one.
    case mismatch
    /// A file must not be put where it should go, or not as the server sends it.
    case refused
    /// The task was cancelled.
    case interrupted
    /// Any other error of the operating system.
    case system
  }

  /// The kind of failure.
  public let kind: Kind
  /// A description for the user, with the path.
  public let message: String
  /// The path of the file that cannot be read, as ``/PipelineCore/FileValue/path`` has it; `nil` for any other failure.
  public let source: String?

  /// Describes a failure.
  public init(_ kind: Kind, message: String, source: String? = nil) {
    (self.kind, self.message, self.source) = (kind, message, source)
  }

  public var description: String { message }
}

/// Provides the time of a run and waits for it.
///
/// Contract: the time runs evenly while the process runs, independent of the wall clock, and continues
/// in the next process according to ``/PipelineCore/TimeAnchor``. Scaled and virtual clocks use
/// the same port.
public protocol Clock: Sendable {
  func now() -> Instant
  /// Returns at `instant` or soon after, or when the task is cancelled.
  func sleep(until instant: Instant) async
}
