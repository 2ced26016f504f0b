import NIOCore
import PipelineCore
import PipelineEngine

/// Passes the body of a successful response to a sink as it arrives, and can continue after an interruption.
///
/// `@unchecked`: all mutable state is used on the loop of the request's connection, or between two requests.
final class FileDownload: @unchecked Sendable {
  private let sink: any FileSink
  private let progress: @Sendable (Int64) -> Void

  /// Bytes passed to the sink.
  private(set) var received: Int64 = 0
  /// The head of the response whose body began the file.
  private(set) var head: ResponseHead?
  /// Why the sink accepts no more.
  private(set) var failure: FileFailure?
  /// Whether the current body is the file, or part of it.
  private var isFile = false
  /// Whether the next request asks only for the rest.
  private var isResuming = false
  /// The sink's pending work; a connection may break before it is done.
  private var pending: EventLoopFuture<Void>?

  init(into sink: any FileSink, progress: @escaping @Sendable (Int64) -> Void) {
    self.sink = sink
    self.progress = progress
  }

  /// The entity tag by which a server knows whether the rest matches what was received: a strong one (RFC 9110 §8.8.1).
  private var entityTag: String? {
    guard let tag = head?.first("etag"), tag.hasPrefix("\"") else { return nil }
    return tag
  }

  /// The request for the rest (RFC 9110 §13.1.5, §14.2); `nil` if the file must be sent from its start.
  func continuation(of request: RenderedRequest) -> RenderedRequest? {
    let names = request.headers.map { $0.name.lowercased() }
    guard received > 0, let entityTag, request.method == "GET",
      !names.contains("range"), !names.contains("if-range")
    else { return nil }
    isResuming = true
    var request = request
    request.headers += [
      .init(name: "Range", value: "bytes=\(received)-"), .init(name: "If-Range", value: entityTag),
    ]
    return request
  }

  /// Handles the head of a response.
  ///
  /// - Returns: Whether its body goes to the sink, and when the sink is ready for it; `nil` if it does not.
  func begin(_ head: ResponseHead, _ loop: any EventLoop) -> EventLoopFuture<Void>? {
    isFile = (200..<300).contains(head.status)
    guard isFile else { return nil }
    if isResuming, head.status == 206 {
      guard continues(head) else {
        return fail(
          FileFailure(.mismatch, message: "the server sends a different part than requested"), loop)
      }
      return loop.makeSucceededVoidFuture()
    }
    isResuming = false
    self.head = head
    received = 0
    let size = head.first("content-length").flatMap { Int64($0) }
    pending = perform(on: loop) { [sink] () throws(FileFailure) in
      try await sink.begin(expecting: size)
    }
    // Later data waits for the sink piece by piece.
    return loop.makeSucceededVoidFuture()
  }

  /// Waits until the sink has everything received; must be called between two requests.
  func settle() async { try? await pending?.get() }

  /// Whether a partial response starts where the file was interrupted, and is of the same representation.
  private func continues(_ head: ResponseHead) -> Bool {
    if let tag = head.first("etag"), tag != entityTag { return false }
    let range = head.first("content-range") ?? ""
    return range.lowercased().hasPrefix("bytes \(received)-")
  }

  /// Handles a piece of a body; returns `nil` if it does not belong to the file.
  func append(_ part: ByteBuffer, _ loop: any EventLoop) -> EventLoopFuture<Void>? {
    guard isFile else { return nil }
    let bytes = Array(part.readableBytesView)
    let taken = (pending ?? loop.makeSucceededVoidFuture()).flatMap {
      self.perform(on: loop) { [sink = self.sink] () throws(FileFailure) in
        try await sink.append(bytes)
      }
    }.map {
      self.received += Int64(bytes.count)
      self.progress(self.received)
    }
    pending = taken
    return taken
  }

  private func perform(
    on loop: any EventLoop, _ body: @escaping @Sendable () async throws(FileFailure) -> Void
  ) -> EventLoopFuture<Void> {
    loop.makeFutureWithTask { () -> FileFailure? in
      do throws(FileFailure) {
        try await body()
        return nil
      } catch {
        return error
      }
    }.hop(to: loop).flatMap { failure in
      failure.map { self.fail($0, loop) } ?? loop.makeSucceededVoidFuture()
    }
  }

  private func fail(_ failure: FileFailure, _ loop: any EventLoop) -> EventLoopFuture<Void> {
    self.failure = failure
    return loop.makeFailedFuture(ExchangeFailure.sinkFailed)
  }
}
