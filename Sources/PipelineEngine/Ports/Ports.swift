public import PipelineCore

/// Sends short requests.
///
/// Contract: one answer per call. A failure to get an answer is the ``Response/error``, never
/// thrown; cancelling the task ends
/// the call soon, with ``TransportFailure/Kind/interrupted``. Bodies of answers are bounded.
public protocol RequestTransport: Sendable {
  /// Sends `request` and waits for the whole answer.
  func send(_ request: RenderedRequest) async -> Response
}

/// Carries files to servers.
///
/// Contract: as ``RequestTransport``; the body is streamed, from its start as often as it has to be sent, and a file that is no
/// longer the one that the body describes (size or modification time) ends the transfer with ``TransportFailure/Kind/fileChanged`` and never as a
/// success. ``RenderedRequest/timeout`` is the transfer's whole life; without progress for the time
/// that ``RenderedRequest/transfer`` tells it ends as ``TransportFailure/Kind/timeout``, as it does
/// at the end of its life. Priority, discretion and networks are for services that know them.
///
/// A transfer with ``/PipelineCore/TransferSettings/earliest`` does not begin before. One that has
/// ``/PipelineCore/Renewal/begin`` among its renewals calls `renew` when it is about to begin after
/// that, and one with ``/PipelineCore/Renewal/challenge`` does whenever it is answered with a
/// challenge. It goes on with the reply, in the same call.
public protocol TransferService: Sendable {
  /// Sends `request` with `body`, whose files lie where `paths` says. `progress` is told the bytes sent so
  /// far, seldom.
  func upload(
    _ request: RenderedRequest, body: Body, paths: @escaping @Sendable (FileValue) -> String,
    renew: @escaping Renew,
    progress: @escaping @Sendable (Int64) -> Void
  ) async -> Response

  /// Sends `request` and hands the body of a successful answer (2xx) to `sink`; any other body is the answer's.
  /// `progress` is told the bytes received so far, seldom.
  ///
  /// Where the connection breaks on the way and the server gave a strong entity tag, the service may go on
  /// from where it was (RFC 9110 §13.1.5, §14.2); the answer is then the first one.
  ///
  /// - Throws: what `sink` throws.
  func download(
    _ request: RenderedRequest, into sink: any FileSink, renew: @escaping Renew,
    progress: @escaping @Sendable (Int64) -> Void
  ) async throws(FileFailure) -> Response

  /// Takes up the transfer that an earlier process handed over as
  /// ``/PipelineCore/TransferSettings/id``, and waits for its answer; a download goes to `sink`.
  ///
  /// - Returns: `nil` where the service does not know the transfer, or nobody can tell what became
  ///   of it (FQ3).
  func adopt(
    _ transfer: TransferSettings, into sink: (any FileSink)?, renew: @escaping Renew,
    progress: @escaping @Sendable (Int64) -> Void
  ) async throws(FileFailure) -> Response?

  /// Asks the run for the request of a transfer anew; returns soon where the task is cancelled.
  typealias Renew = @Sendable (Renewal) async -> RenderedRenewal
}

/// What a transfer that asked for its request anew goes on with.
public enum RenderedRenewal: Hashable, Sendable {
  /// Another value of its `Authorization`.
  case authorization(String)
  /// Another request in place of the one that it was handed over with; the file stays.
  case request(RenderedRequest)
  /// What it was handed over with. Then a challenge is the transfer's answer.
  case unchanged

  /// The request that a transfer goes on with.
  public func applied(to request: RenderedRequest) -> RenderedRequest {
    switch self {
    case .request(let anew): return anew
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
  /// Whether the answer is a challenge: 401 with `WWW-Authenticate` (RFC 9110 §11.6.1).
  public var isChallenge: Bool { status == 401 && header("www-authenticate") != nil }
}

extension TransferService {
  /// A service that ends with its process knows no earlier transfers.
  public func adopt(
    _ transfer: TransferSettings, into sink: (any FileSink)?, renew: @escaping Renew,
    progress: @escaping @Sendable (Int64) -> Void
  ) async throws(FileFailure) -> Response? { nil }

  /// Sends `request` as it is, whatever happens to it.
  public func upload(
    _ request: RenderedRequest, body: Body,
    paths: @escaping @Sendable (FileValue) -> String = { $0.path },
    progress: @escaping @Sendable (Int64) -> Void
  ) async -> Response {
    await upload(
      request, body: body, paths: paths, renew: { _ in .unchanged }, progress: progress)
  }

  /// Sends `request` as it is, whatever happens to it.
  public func download(
    _ request: RenderedRequest, into sink: any FileSink,
    progress: @escaping @Sendable (Int64) -> Void
  ) async throws(FileFailure) -> Response {
    try await download(request, into: sink, renew: { _ in .unchanged }, progress: progress)
  }
}

/// Takes a file in as it comes, outside of the paths that others can see.
public protocol FileSink: Sendable {
  /// Appends bytes.
  ///
  /// - Throws: ``FileFailure/Kind/reservationExceeded`` where there are more than planned.
  func append(_ bytes: [UInt8]) async throws(FileFailure)

  /// Says how many bytes are to come, where that is known, and forgets those that have come.
  ///
  /// - Throws: ``FileFailure/Kind/reservationExceeded`` or ``FileFailure/Kind/mismatch`` where that cannot be.
  func begin(expecting size: Int64?) async throws(FileFailure)

  /// Compares the file with its plan and lets it appear, whole, by rename.
  ///
  /// - Throws: ``FileFailure/Kind/mismatch`` where it is not the planned one; nothing is left of it.
  func publish(contentType: String?) async throws(FileFailure) -> FileValue

  /// Deletes what has come.
  func discard() async
}

/// Makes and removes the files of a run.
///
/// Contract: paths are relative to the run's folder and never leave it; a file appears whole, by
/// rename, or not at all.
public protocol FileWorkspace: Sendable {
  /// Writes the file that `plan` describes to `path`, taking its digests in the same pass.
  ///
  /// Nothing is written where the plan is ``/PipelineCore/MaterializationPlan/unwritten``: its sources are compared and its digests taken.
  ///
  /// - Throws: ``FileFailure``; nothing of the file is left behind.
  func materialize(_ plan: MaterializationPlan, at path: String) async throws(FileFailure)
    -> FileValue

  /// Opens the way in for the file that `plan` describes, which appears at `path`.
  func sink(for plan: DownloadPlan, at path: String) async throws(FileFailure) -> any FileSink

  /// Deletes the file or folder `path`; nothing happens where there is none.
  func discard(_ path: String) async

  /// Deletes all files of the run but those at `kept`, and gives the number of deleted ones.
  ///
  /// Comes before the first ``materialize(_:at:)`` of a process.
  func sweep(keeping kept: Set<String>) async -> Int

  /// The absolute path of `file`: of the user's file as it stands, of a materialized one under the
  /// run's folder.
  func absolutePath(of file: FileValue) -> String
}

/// Why a file could not be made.
public struct FileFailure: Error, Hashable, Sendable {
  /// What went wrong.
  public enum Kind: Hashable, Sendable {
    /// The disk is full.
    case noSpace
    /// No descriptor is left to open a file with.
    case tooManyOpenFiles
    /// A source file is gone.
    case missing
    /// A source file may not be read.
    case unreadable
    /// A source file is not the one that was enumerated, or changed while it was read.
    case changed
    /// The file would be larger than what is reserved.
    case reservationExceeded
    /// What has come is not the file that was expected.
    case mismatch
    /// The task was cancelled.
    case interrupted
    /// Anything else the operating system said.
    case system
  }

  /// What went wrong.
  public let kind: Kind
  /// The same for people, with the path.
  public let message: String

  /// Describes a failure.
  public init(_ kind: Kind, message: String) {
    self.kind = kind
    self.message = message
  }
}

/// Gives the time of a run and waits for it.
///
/// Contract: the time runs evenly while the process lives, whatever becomes of the wall clock, and goes on
/// in the next process where ``/PipelineCore/TimeAnchor`` says so. Scaled or virtual clocks stand
/// behind the same port.
public protocol Clock: Sendable {
  /// Now.
  func now() -> Instant
  /// Returns at `instant` or soon after, or when the task is cancelled.
  func sleep(until instant: Instant) async
}
