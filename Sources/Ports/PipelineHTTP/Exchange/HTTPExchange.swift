import NIOCore
import NIOPosix

/// One request and its response, without redirects.
///
/// The whole exchange, including its connection, runs on one event loop, which makes ``isHeadSent`` exact: no timeout on one
/// thread can race with sending on another.
///
/// `@unchecked`: all mutable state is used on the attempt's loop only; the transport reads the results after ``run(deadline:)``.
final class HTTPExchange: @unchecked Sendable {
  /// The time limit of a server that rejects a body for the next bytes of a response that ends with its connection.
  private static let graceTime: TimeAmount = .seconds(1)

  let address: Address
  let method: String
  let request: RenderedRequest
  let headers: [Response.Header]
  let source: BodySource?
  /// The whole body of a transfer, if it is small.
  private let whole: ByteBuffer?
  private let chunked: ChunkedBody?
  private let check: DigestCheck?
  private let destinationPolicy: DestinationPolicy
  let download: FileDownload?
  private let files: NIOThreadPool
  private let pool: ConnectionPool
  private let pacer: Pacer?
  private let maxResponseBytes: Int
  private let maySend: @Sendable () -> Bool
  private let progress: @Sendable (Int64) -> Void

  private var promise: EventLoopPromise<ResponseHead>?
  private var deadline = NIODeadline.distantFuture
  private var timer, grace: Scheduled<Void>?
  private var connection: HTTPConnection?
  private var upload: BodyUpload?
  private var watch: StallWatch?

  /// The address of the peer; read after ``run(deadline:)``, `nil` behind a proxy.
  private(set) var peer: AddressKind?
  /// Whether a byte of the request may have reached the server; read after ``run(deadline:)``.
  private(set) var isHeadSent = false
  private(set) var head: ResponseHead?
  private(set) var body = ByteBuffer()
  private(set) var isBodySent = false
  private(set) var moments = ExchangeMoments()
  /// Whether the server has rejected the rest of the body, which is no longer sent.
  private(set) var isRefused = false

  init(
    _ request: RenderedRequest, to address: Address, source body: OpenBody?,
    download: FileDownload?,
    passage: DestinationPolicy = DestinationPolicy(), files: NIOThreadPool, pool: ConnectionPool,
    pacer: Pacer? = nil, _ configuration: HTTPTransportConfiguration,
    _ progress: @escaping @Sendable (Int64) -> Void
  ) throws(TransportFailure) {
    guard !request.method.isEmpty, request.method.utf8.allSatisfy(\.isTokenPart)
    else { throw TransportFailure(.badURL, message: "the method is not one that HTTP allows") }
    self.address = address
    method = request.method
    // Without the second, a server may choose any content coding (RFC 9110 §12.5.3).
    headers = try RequestHead.checked(
      request.headers,
      defaults: ["User-Agent": configuration.userAgent, "Accept-Encoding": "identity"]
    ).filter { !request.omittedHeaders.contains($0.name.lowercased()) }
    self.request = request
    source = body?.source
    whole = body?.whole
    chunked = try source == nil ? nil : ChunkedBody.of(request, configuration)
    // A small body was compared when it was read.
    check = whole == nil ? source.flatMap { DigestCheck(of: $0, configuration.digester) } : nil
    self.destinationPolicy = passage
    (self.download, self.files, self.pool, self.pacer) = (download, files, pool, pacer)
    maxResponseBytes = request.responseLimit(configuration)
    maySend = configuration.maySend
    self.progress = progress
  }

  func run(deadline: NIODeadline) async -> Result<ResponseHead, any Error> {
    self.deadline = deadline
    let route = pool.route(to: address.origin)
    if route.proxy != nil, let refusal = destinationPolicy.refusal(behindProxy: address.origin.host)
    {
      return .failure(refusal)
    }
    while true {
      guard !Task.isCancelled else { return .failure(ExchangeFailure.interrupted) }
      let (kept, loop) = pool.take(route)
      let promise = loop.makePromise(of: ResponseHead.self)
      loop.execute { self.start(promise, kept, route, loop) }
      let result = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          promise.futureResult.whenComplete { continuation.resume(returning: $0) }
        }
      } onCancel: {
        loop.execute { self.fail(ExchangeFailure.interrupted) }
      }
      if case .failure(ExchangeFailure.connectionNotUsed) = result { continue }
      return result
    }
  }

  func start(
    _ promise: EventLoopPromise<ResponseHead>, _ kept: HTTPConnection?, _ route: Route,
    _ loop: any EventLoop
  ) {
    self.promise = promise
    if let kept {
      // It may have been created for another request.
      guard
        let refusal = kept.peer.flatMap({ destinationPolicy.refusal($0, at: "a private address") })
      else { return kept.carry(self) }
      pool.keep(kept)
      return fail(refusal)
    }
    pool.connect(route, on: loop, by: deadline, destinationPolicy).whenComplete { result in
      switch result {
      case .success(let connection):
        if self.promise == nil { self.pool.keep(connection) } else { connection.carry(self) }
      case .failure(let error): self.fail(error)
      }
    }
  }

  /// The connection was unusable before a byte was sent; this is normal for a kept one, and another is tried.
  func refused(isKept: Bool) {
    end(.failure(isKept ? ExchangeFailure.connectionNotUsed : ExchangeFailure.connectionLost))
  }

  func begin(on connection: HTTPConnection, isKept: Bool, isLast: Bool) {
    self.connection = connection
    peer = connection.peer
    let loop = connection.loop
    guard maySend() else { return fail(ExchangeFailure.interrupted) }
    timer = loop.scheduleTask(deadline: deadline) { self.fail(ExchangeFailure.deadlineExceeded) }
    watch = request.transfer.map { StallWatch($0.requestTimeout, loop: loop) }
    let length = source?.size ?? Int64(request.body.count)
    var bytes = RequestHead.encode(
      method: method, address: address, headers: headers, length: length,
      trailers: chunked?.names, proxy: connection.route.forwarder, isLast: isLast)
    if source == nil {
      bytes.writeBytes(request.body)
      _ = pacer?.moment(for: request.body.count)
    }
    // The fields were checked before.
    if length == 0, let chunked, var end = try? chunked.end() { bytes.writeBuffer(&end) }
    isHeadSent = true
    isBodySent = length == 0 || source == nil
    moments.headSent = .now()
    if isBodySent { moments.bodySent = moments.headSent }
    let isUntouched = !connection.writeHead(bytes, body: whole) { self.didSendBody(on: connection) }
    guard !isUntouched else {
      isHeadSent = false
      self.connection = nil
      connection.abandon(self)
      return refused(isKept: isKept)
    }
    // The connection may have ended within the call.
    guard promise != nil else { return }
    watch?.begin { self.fail($0) }
    if isBodySent { expectResponse() }
    if let source, length > 0, whole == nil { send(source, on: connection) }
  }

  private func didSendBody(on connection: HTTPConnection) {
    guard promise != nil else { return }
    isBodySent = true
    moments.bodySent = .now()
    if let whole { progress(Int64(whole.readableBytes)) }
    expectResponse()
    connection.bodySent()
  }

  private func expectResponse() {
    guard let transfer = request.transfer, head == nil, download == nil else { return }
    watch?.expect(response: true, within: transfer.responseTimeout)
  }

  private func send(_ source: BodySource, on connection: HTTPConnection) {
    let upload = BodyUpload(
      source, files: files, loop: connection.loop, watch: watch, pacer: pacer, check: check,
      chunked: chunked, maySend: maySend, progress: progress)
    self.upload = upload
    upload.start(on: connection) { result in
      switch result {
      case .success: self.didSendBody(on: connection)
      case .failure(let stop as ExchangeFailure): self.fail(stop)
      // The connection's end follows, after any data that the server may have sent before it.
      case .failure: connection.close()
      }
    }
  }

  /// The response of a proxy that forwards plain requests, instead of forwarding this one:
  /// only proxies respond with 407 (RFC 9110 §15.5.8).
  func refusalByProxy(
    _ result: Result<ResponseHead, any Error>, _ pool: ConnectionPool
  ) -> ProxyTunnel.Refusal? {
    guard case .success(let head) = result, head.status == 407,
      pool.route(to: address.origin).forwarder != nil
    else { return nil }
    return .authentication(ProxyTunnel.words(of: head, body))
  }

  /// Whether so little was sent that the server may have closed the connection before it saw the request.
  var hasBarelyBegun: Bool { (upload?.sent ?? 0) <= 4 << 20 }

  var isSuccess: Bool { head.map { (200..<300).contains($0.status) } ?? false }

  func noteProgress() { watch?.note() }

  func receive(_ head: ResponseHead) throws -> EventLoopFuture<Void>? {
    self.head = head
    moments.answered = .now()
    watch?.note()
    if let transfer = request.transfer {
      watch?.expect(response: false, within: transfer.requestTimeout)
    }
    if let connection, let ready = download?.begin(head, connection.loop) { return ready }
    if Response.hasBody(head.status, to: method), head.first("transfer-encoding") == nil,
      let length = head.first("content-length").flatMap({ Int64($0) }),
      length > Int64(maxResponseBytes)
    {
      throw ExchangeFailure.responseTooLarge(length)
    }
    if !isBodySent, head.status >= 300 {
      isRefused = true
      upload?.stop()
    }
    extendGrace()
    return nil
  }

  func receive(_ part: ByteBuffer) throws -> EventLoopFuture<Void>? {
    watch?.note()
    let moment = pacer?.moment(for: part.readableBytes)
    if let connection, let taken = download?.append(part, connection.loop) {
      watch?.pause()
      // The disk may have been slow, too.
      return taken.flatMap { connection.loop.wait(until: moment) }.map { self.watch?.resume() }
    }
    let count = body.readableBytes + part.readableBytes
    guard count <= maxResponseBytes else { throw ExchangeFailure.responseTooLarge(Int64(count)) }
    if body.readableBytes == 0 { body = part } else { body.writeImmutableBuffer(part) }
    extendGrace()
    return nil
  }

  /// A server that rejects a body may keep the connection open while it waits for the rest.
  private func extendGrace() {
    grace?.cancel()
    guard isRefused, let connection else { return }
    grace = connection.loop.scheduleTask(in: Self.graceTime) {
      guard connection.endsAtClose else { return }
      let promise = self.promise
      if promise != nil { self.succeed() }
      connection.abandon(self)
    }
  }

  func succeed() { end(head.map { .success($0) } ?? .failure(ExchangeFailure.connectionLost)) }

  func end(_ result: Result<ResponseHead, any Error>) {
    guard let promise else { return }
    self.promise = nil
    moments.ended = .now()
    connection = nil
    timer?.cancel()
    grace?.cancel()
    upload?.stop()
    watch?.stop()
    promise.completeWith(result)
  }

  private func fail(_ error: any Error) {
    guard promise != nil else { return }
    let connection = connection
    end(.failure(error))
    if case ExchangeFailure.interrupted = error {
      connection?.abandon(self, drops: true)
    } else {
      connection?.abandon(self)
    }
  }

  /// The response of this exchange, or the failure to get one, after the observers have been notified.
  func told(_ response: Response, began: Instant) -> Response {
    guard let context = ExchangeContext.current else { return response }
    let length = source?.size ?? Int64(request.body.count)
    var sent = [Response.Header(name: "Host", value: address.authority)] + headers
    if length > 0 { sent.append(Response.Header(name: "Content-Length", value: String(length))) }
    let answered = Response(
      status: head?.status ?? 0, headers: head?.headers ?? [], body: response.body,
      url: response.url, error: response.error, sent: began, received: response.received)
    context.record(
      WireExchange(
        request: request, headers: sent, requestBytes: length, response: answered,
        responseBytes: response.body.isEmpty && isSuccess
          ? download?.received ?? 0 : Int64(response.body.count), timings: moments.timings))
    return response
  }
}

struct ExchangeMoments {
  let began = NIODeadline.now()
  var headSent, bodySent, answered, ended: NIODeadline?

  /// The time of each phase; a phase that did not occur is missing.
  var timings: Exchange.Timings {
    let ended = ended ?? .now()
    // A server may respond before it has the whole body.
    let answered = min(answered ?? ended, ended)
    let bodySent = min(bodySent ?? answered, answered)
    let headSent = min(headSent ?? bodySent, bodySent)
    func time(_ from: NIODeadline, _ to: NIODeadline) -> Duration {
      .nanoseconds(max((to - from).nanoseconds, 0))
    }
    return Exchange.Timings(
      connect: time(began, headSent), send: time(headSent, bodySent),
      wait: time(bodySent, answered), receive: time(answered, ended))
  }
}

extension EventLoop {
  /// Completes at `moment`; at once if there is none, or it has come.
  func wait(until moment: NIODeadline?) -> EventLoopFuture<Void> {
    guard let moment, moment > .now() else { return makeSucceededVoidFuture() }
    return scheduleTask(deadline: moment) {}.futureResult
  }
}
