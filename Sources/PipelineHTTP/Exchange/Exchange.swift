import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import PipelineCore

/// One request and its answer, without redirects.
///
/// Everything of an exchange happens on one event loop, its connection's too. That costs some more connections and saves the
/// hops between threads, and it makes ``isHeadSent`` exact: no time-out on one thread can cross the sending on another.
final class Exchange: Sendable {
  let origin: Origin
  private let request: HTTPClient.Request
  private let collector: AnswerCollector
  private let upload: FileUpload?
  private let watch: StallWatch?
  private let clients: ClientSet

  /// Builds the request.
  ///
  /// - Throws: ``TransportFailure/Kind/badURL`` where it cannot be sent at all.
  init(
    _ rendered: RenderedRequest, file: BodyFile?, download: FileDownload?, pool: NIOThreadPool,
    clients: ClientSet,
    _ configuration: HTTPTransportConfiguration, _ progress: @escaping @Sendable (Int64) -> Void
  ) throws(TransportFailure) {
    guard !rendered.method.isEmpty, rendered.method.utf8.allSatisfy(Self.isTokenByte) else {
      throw TransportFailure(
        .badURL, message: "the method is not one that HTTP allows", mayHaveBeenSent: false)
    }
    let method = HTTPMethod(rawValue: rendered.method)
    let headers = try Self.headers(rendered, configuration)
    let watch = rendered.transfer.map { StallWatch($0.requestTimeout, loop: clients.loop) }
    self.watch = watch
    let hasStream = (file?.size ?? 0) > 0
    upload =
      hasStream
      ? file.map {
        FileUpload($0, pool: pool, loop: clients.loop, watch: watch, progress: progress)
      } : nil
    var body = upload?.body
    if upload == nil, !rendered.body.isEmpty { body = .bytes(rendered.body) }
    do {
      request = try HTTPClient.Request(
        url: rendered.url, method: method, headers: headers, body: body)
    } catch {
      throw TransportFailure(
        .badURL, message: "the URL is not one of http or https with a host", mayHaveBeenSent: false)
    }
    guard request.scheme.lowercased() == "http" || request.scheme.lowercased() == "https" else {
      throw TransportFailure(
        .badURL, message: "the URL is not one of http or https", mayHaveBeenSent: false)
    }
    origin = Origin(request)
    self.clients = clients
    collector = AnswerCollector(
      limit: configuration.maxAnswerBytes, method: method, upload: upload, download: download,
      watch: watch)
  }

  /// Whether the head of the request was sent; to be read after ``run(deadline:)``.
  var isHeadSent: Bool { collector.isHeadSent }
  /// The body of the answer; to be read after ``run(deadline:)``.
  var body: ByteBuffer { collector.body }

  /// Sends the request and takes the answer in; ends soon after the task is cancelled.
  func run(deadline: NIODeadline) async -> Result<HTTPResponseHead, any Error> {
    guard !Task.isCancelled else { return .failure(Stop.interrupted) }
    let task = clients.client(for: origin).execute(
      request: request, delegate: collector, eventLoop: .indifferent, deadline: deadline,
      logger: nil)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        task.futureResult.whenComplete { continuation.resume(returning: $0) }
      }
    } onCancel: {
      task.fail(reason: Stop.interrupted)
    }
    upload?.stop()
    watch?.stop()
    switch result {
    case .failure(let error):
      if case Stop.answeredEarly = error, let head = collector.head { return .success(head) }
      return .failure(error)
    case .success:
      guard let head = collector.head else {
        return .failure(HTTPClientError.remoteConnectionClosed)
      }
      return .success(head)
    }
  }

  private static func headers(
    _ rendered: RenderedRequest, _ configuration: HTTPTransportConfiguration
  ) throws(TransportFailure) -> HTTPHeaders {
    var headers = HTTPHeaders()
    headers.reserveCapacity(rendered.headers.count + 3)
    for header in rendered.headers {
      // A line break in a value would begin a header, or a request, of its own.
      guard !header.name.isEmpty, header.name.utf8.allSatisfy(isTokenByte),
        header.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
      else {
        throw TransportFailure(
          .badURL, message: "a header has a name or a value that HTTP does not allow",
          mayHaveBeenSent: false)
      }
      headers.add(name: header.name, value: header.value)
    }
    if let agent = configuration.userAgent, !headers.contains(name: "user-agent") {
      headers.add(name: "user-agent", value: agent)
    }
    return headers
  }

  /// A byte of a token (RFC 9110 §5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
