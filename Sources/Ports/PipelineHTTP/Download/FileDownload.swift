import NIOCore

/// Passes the body of a successful response to a sink as it arrives, and can continue after an interruption.
///
/// `@unchecked`: all mutable state is used on the loop of the request's connection, or between two requests.
final class FileDownload: @unchecked Sendable {
  private let sink: any FileSink
  private let progress: @Sendable (Int64) -> Void

  private(set) var received: Int64 = 0
  /// The head of the response whose body started the file, in this process.
  private(set) var head: ResponseHead?
  private(set) var failure: FileFailure?
  /// The file's description; `nil` before its first byte is expected.
  private var representation: Representation?
  /// Whether the author asks for a range or a coding: the response is then the file, regardless of its form.
  private let isRangeOfAuthor: Bool
  private let mayBeCoded: Bool
  /// Whether the current body is the file, or part of it.
  private var isFile = false
  /// The first byte that the request asks for; `nil` if it asks for the whole file.
  private var offset: Int64?
  /// Where the current part ends, exclusive; `nil` if the body's own length determines it.
  private var end: Int64?
  /// Bytes of the current body that the sink has already.
  private var known: Int64 = 0
  private var pending: EventLoopFuture<Void>?

  init(
    _ request: RenderedRequest, into sink: any FileSink,
    progress: @escaping @Sendable (Int64) -> Void
  ) {
    (self.sink, self.progress) = (sink, progress)
    let names = request.headers.map { $0.name.lowercased() }
    isRangeOfAuthor = names.contains("range") || names.contains("if-range")
    mayBeCoded = names.contains("accept-encoding")
  }

  func begin() async throws(FileFailure) {
    guard let partial = try await sink.received() else { return }
    representation = partial.representation
    received = partial.received
    progress(received)
  }

  /// The request for the rest (RFC 9110 §13.1.5, §14.2), at least the last byte; `nil` if the file must be sent from its start.
  func continuation(of request: RenderedRequest) -> RenderedRequest? {
    guard received > 0, let representation, let validator = representation.validator,
      request.method == "GET", !isRangeOfAuthor
    else { return nil }
    let first = min(received, (representation.size ?? .max) - 1)
    guard first >= 0 else { return nil }
    offset = first
    var request = request
    request.headers += [
      .init(name: "Range", value: "bytes=\(first)-"), .init(name: "If-Range", value: validator),
    ]
    return request
  }

  func begin(_ head: ResponseHead, _ loop: any EventLoop) -> EventLoopFuture<Void>? {
    isFile = (200..<300).contains(head.status)
    end = nil
    known = 0
    guard isFile else { return nil }
    if head.status == 206, !isRangeOfAuthor {
      guard let offset, let representation, case .bytes(let bytes, let total)? = range(of: head),
        bytes.lowerBound == offset, representation.isSame(in: head),
        total == nil || representation.size == nil || total == representation.size
      else { return fail(mismatch(head), loop) }
      end = bytes.upperBound + 1
      known = received - offset
      if representation.size == nil, let total {
        self.representation = Representation(
          size: total, validator: representation.validator, contentType: representation.contentType)
      }
      return loop.makeSucceededVoidFuture()
    }
    offset = nil
    self.head = head
    received = 0
    let representation = Representation(head, mayBeCoded: mayBeCoded)
    self.representation = representation
    pending = perform(on: loop) { [sink] () throws(FileFailure) in
      try await sink.begin(representation)
    }
    // Later data waits for the sink piece by piece.
    return loop.makeSucceededVoidFuture()
  }

  /// Waits until the sink has everything received; must be called between two requests.
  func settle() async { try? await pending?.get() }

  /// A body of several parts has the ranges inside (RFC 9110 §14.6).
  private func range(of head: ResponseHead) -> ContentRange? {
    let type = head.first("content-type")?.lowercased() ?? ""
    return type.hasPrefix("multipart/byteranges") ? nil : ContentRange(head.first("content-range"))
  }

  private func mismatch(_ head: ResponseHead) -> FileFailure {
    let found = head.first("content-range") ?? head.first("content-type") ?? "no range"
    let asked = offset.map { "'bytes=\($0)-'" } ?? "the whole file"
    return FileFailure(
      .mismatch,
      message: "the server sends a different part than requested: \(found) (206) for \(asked)")
  }

  func append(_ part: ByteBuffer, _ loop: any EventLoop) -> EventLoopFuture<Void>? {
    guard isFile else { return nil }
    var bytes = Array(part.readableBytesView)
    if known > 0 {
      let skipped = Int(min(known, Int64(bytes.count)))
      bytes.removeFirst(skipped)
      known -= Int64(skipped)
    }
    let count = Int64(bytes.count)
    if let end, received + count > end {
      return fail(
        FileFailure(.mismatch, message: "the server sends more bytes than its range has"), loop)
    }
    let isEmpty = bytes.isEmpty
    let taken = (pending ?? loop.makeSucceededVoidFuture()).flatMap { [bytes] in
      guard !isEmpty else { return loop.makeSucceededVoidFuture() }
      return self.perform(on: loop) { [sink = self.sink] () throws(FileFailure) in
        try await sink.append(bytes)
      }
    }.map {
      self.received += count
      self.progress(self.received)
    }
    pending = taken
    return taken
  }

  /// The missing part of the file that the next attempt continues; `nil` if it is complete, or the response is not of it.
  func missing(after response: Response) throws(FileFailure) -> String? {
    if response.status == 416, offset != nil, !isComplete(response) {
      throw FileFailure(
        .mismatch, message: "the server does not continue the file after \(received) bytes (416)")
    }
    guard isFile, let end else { return nil }
    guard received == end, known == 0 else {
      throw FileFailure(.mismatch, message: "the server sends fewer bytes than its range has")
    }
    guard let size = representation?.size, received < size else { return nil }
    return "the server sent a part of the file, which has \(received) of \(size) bytes now"
  }

  /// Whether a server reports that there is nothing after the received part of this very file (416).
  func isComplete(_ response: Response) -> Bool {
    guard response.status == 416, offset == received,
      case .unsatisfied(total: received)? = ContentRange(response.header("content-range")),
      let validator = representation?.validator
    else { return false }
    return response.header("etag") == validator
  }

  /// The response of a server that sends everything at once.
  func whole(_ response: Response) -> Response {
    guard !isRangeOfAuthor, response.status == 206 || isComplete(response) else { return response }
    var headers =
      head?.headers
      ?? response.headers.filter {
        !["content-range", "content-length"].contains($0.name.lowercased())
      }
    if head == nil {
      headers.append(.init(name: "Content-Length", value: "\(received)"))
      if let type = representation?.contentType, response.header("content-type") == nil {
        headers.append(.init(name: "Content-Type", value: type))
      }
    }
    return Response(
      status: 200, headers: headers, url: response.url, hops: response.hops, sent: response.sent,
      received: response.received)
  }

  private func perform(
    on loop: any EventLoop, _ body: @escaping @Sendable () async throws(FileFailure) -> Void
  ) -> EventLoopFuture<Void> {
    loop.makeFutureWithTask { () -> FileFailure? in
      do throws(FileFailure) {
        try await body()
        return nil
      } catch { return error }
    }.hop(to: loop).flatMap { failure in
      failure.map { self.fail($0, loop) } ?? loop.makeSucceededVoidFuture()
    }
  }

  private func fail(_ failure: FileFailure, _ loop: any EventLoop) -> EventLoopFuture<Void> {
    self.failure = self.failure ?? failure
    return loop.makeFailedFuture(ExchangeFailure.sinkFailed)
  }
}
