public import NIOCore
public import NIOPosix
import Synchronization

/// Requests and transfers over HTTP/1.1 in the process.
///
/// A transfer starts at once, or at its earliest time, and uses any network: discretion, priority and ``/PipelineCore/NetworkUse`` are for devices
/// that support them. Here, the engine's own budget orders transfers.
///
/// HTTP/2 is not used: its streams share a connection, so one lost connection would make the outcome of all requests on
/// it unknown. The client never repeats a request by itself, not even if a kept connection turns out to be
/// closed: that is ``TransportFailure/Circumstance/connectionWasStale``, and the machine decides.
public final class HTTPTransport: RequestTransport, TransferService {
  /// It reads each piece where it is.
  public let sendsPieces = true
  private let configuration: HTTPTransportConfiguration
  let clock: any PipelineEngine.Clock
  private let pool: ConnectionPool
  private let connector: Connector
  private let knownHosts = KnownHosts()
  private let underWay = Atomic<Int>(0)
  private let cookies = CookieJar()
  private let files: NIOThreadPool
  private let pacer: Pacer?

  /// Maximum number of event loops of a transport: more do not make the network faster.
  private static let loopLimit = 4

  /// Event loops of a process that called ``prepareProcess()``.
  public static let loopCount = min(loopLimit, System.coreCount)

  /// Prepares the process to use as many resources as the system allows.
  ///
  /// Raises the limit of open files, and opens none for unused event loops. A program calls it once, before it uses the network in any other way.
  public static func prepareProcess() {
    OpenFileLimit.raise()
    NIOSingletons.groupLoopCountSuggestion = loopCount
  }

  /// Creates a transport; ``shutdown()`` must be called at the end.
  public convenience init(
    configuration: HTTPTransportConfiguration = HTTPTransportConfiguration(),
    clock: any PipelineEngine.Clock,
    group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
  ) throws(HTTPConfigurationError) {
    try self.init(configuration: configuration, clock: clock, group: group, names: NameResolver())
  }

  init(
    configuration: HTTPTransportConfiguration, clock: any PipelineEngine.Clock,
    group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, names: NameResolver
  ) throws(HTTPConfigurationError) {
    (self.configuration, self.clock) = (configuration, clock)
    let loops = group.makeIterator().prefix(Self.loopLimit).map { $0 }
    connector = try Connector(configuration, names: names)
    pool = ConnectionPool(
      configuration, loops: loops.isEmpty ? [group.next()] : loops, connector: connector)
    files = NIOThreadPool(numberOfThreads: 4)
    files.start()
    pacer = configuration.bytesPerSecond.map { Pacer(bytesPerSecond: max($0, 1)) }
  }

  /// Closes all connections; running requests end with ``TransportFailure/Kind/interrupted`` or as lost.
  public func shutdown() async {
    await pool.shutdown()
    try? await files.shutdownGracefully()
  }

  /// Sends `request`; see ``RequestTransport``.
  public func send(_ request: RenderedRequest) async -> Response {
    guard enter() else { return full(request) }
    defer { leave() }
    return await follow(request, source: nil, progress: { _ in })
  }

  /// Why no connection to the host of a URL can be established from this machine, or may be; `nil` if one can be, which the first request then uses, or if the host refuses it.
  public func lackOfRoute(to url: String) async -> TransportFailure? {
    guard let origin = (try? Address(url))?.origin else { return nil }
    if let refusal = refusal(of: origin) { return refusal }
    let route = pool.route(to: origin)
    let limit = min(configuration.connectTimeout, .seconds(10))
    do {
      pool.keep(
        try await pool.connect(
          route, on: pool.take(route).loop, by: Self.deadline(limit), DestinationPolicy()
        ).get())
      return nil
    } catch {
      let failure = TransportFailure(
        error, origin: origin, isSent: false,
        limits: TransportFailure.Limits(
          timeout: limit, connectTimeout: limit, maxResponseBytes: 0, proxy: route.proxy?.title))
      let kinds: [TransportFailure.Kind] = [.networkUnavailable, .nameNotResolved, .timeout]
      return kinds.contains(failure.kind) ? failure : nil
    }
  }

  /// Sends `request` with `body`; see ``TransferService``.
  public func upload(
    _ request: RenderedRequest, body: Body, paths: @escaping @Sendable (FileValue) -> String,
    renew: @escaping Renew, progress: @escaping @Sendable (Int64) -> Void
  ) async -> Response {
    let sent = clock.now()
    let wholeLife = Self.deadline(request.timeout)
    var next: RenderedRequest
    switch await begin(request, renew) {
    case .success(let begun): next = begun
    case .failure(let failure): return failed(request, failure, since: sent)
    }
    guard enter() else { return full(request) }
    defer { leave() }
    do {
      let source = try await openBody(body, of: request, paths)
      // The time to open the file counts only if the transfer has waited before.
      let isDelayed = request.transfer?.earliest != nil
      let deadline = isDelayed ? wholeLife : Self.deadline(request.timeout)
      while true {
        let response = await follow(next, source: source, deadline: deadline, progress: progress)
        guard let renewed = await renewed(next, challengedBy: response, renew)
        else { return response }
        next = renewed
      }
    } catch {
      let failure =
        switch error {
        case ExchangeFailure.fileChanged(let message):
          TransportFailure(.fileChanged, message: message)
        case ExchangeFailure.fileUnreadable(let message):
          TransportFailure(.fileUnreadable, message: message)
        case ExchangeFailure.noDescriptor:
          TransportFailure(
            .tooManyOpenFiles, message: "the body cannot be opened: too many files are open")
        default: TransportFailure(.interrupted, message: "interrupted")
        }
      return failed(request, failure, since: sent)
    }
  }

  /// Opens the files of a body, and reads it if it is small.
  private func openBody(
    _ body: Body, of request: RenderedRequest, _ paths: @escaping @Sendable (FileValue) -> String
  ) async throws -> OpenBody {
    let isReadAtOnce = pacer == nil && request.trailers.isEmpty
    return try await files.runIfActive { [configuration] in
      let source = try BodySource(body, paths: paths)
      guard isReadAtOnce, (1...OpenBody.limit).contains(source.size)
      else { return OpenBody(source: source) }
      let whole = try source.read(at: 0, count: Int(source.size), ByteBufferAllocator())
      try DigestCheck(of: source, configuration.digester)?.add(whole, isLast: true)
      return OpenBody(source: source, whole: whole)
    }
  }

  /// Whether another exchange fits, so that ``leave()`` must be called: a full descriptor table would end the process.
  func enter() -> Bool {
    let count = underWay.add(1, ordering: .relaxed).newValue
    if count > configuration.exchanges { leave() }
    return count <= configuration.exchanges
  }

  func leave() { underWay.subtract(1, ordering: .relaxed) }

  func full(_ request: RenderedRequest) -> Response {
    let message = "all \(configuration.exchanges) exchanges are in use"
    let failure = TransportFailure(.tooManyOpenFiles, message: message)
    return failed(request, failure, since: clock.now())
  }

  func failed(
    _ request: RenderedRequest, _ failure: TransportFailure, since sent: Instant
  ) -> Response {
    Response(status: 0, url: request.url, error: failure, sent: sent, received: clock.now())
  }

  static func deadline(_ timeout: Duration) -> NIODeadline {
    .now() + .milliseconds(min(timeout.milliseconds, Int64.max / 2_000_000))
  }

  /// Why nothing may be sent to a host.
  private func refusal(of origin: Origin) -> TransportFailure? {
    guard let allowed = configuration.allowedHosts, !allowed.contains(where: { $0.covers(origin) })
    else { return nil }
    return TransportFailure(
      .notAllowed,
      message: "\(origin): not one of the hosts that this run may send to (--allow-host)",
      circumstance: .hostNotListed)
  }

  /// Which addresses a request may be sent to.
  private func destinationPolicy(
    of request: RenderedRequest, to origin: Origin
  ) async throws(TransportFailure) -> DestinationPolicy {
    if let refusal = refusal(of: origin) { throw refusal }
    var passage = DestinationPolicy()
    passage.isLoopbackOnly = request.carriesSecret && !origin.isTLS && !configuration.isInsecure
    guard let namers = request.hostNamedBy else { return passage }
    passage.isOpenOnly = namers.isEmpty
    for host in namers where !passage.isOpenOnly { passage.isOpenOnly = await isOpen(host) }
    return passage
  }

  private func isOpen(_ host: String) async -> Bool {
    if let known = knownHosts.isOpen(host) { return known }
    let found = try? await connector.names.addresses(
      of: host, port: 0, on: MultiThreadedEventLoopGroup.singleton.any()
    ).get()
    guard let addresses = found.map({ $0.v4 + $0.v6 }), !addresses.isEmpty else { return true }
    return addresses.contains { AddressKind($0) == .open }
  }

  func follow(
    _ first: RenderedRequest, source: OpenBody?, download: FileDownload? = nil,
    deadline: NIODeadline? = nil, progress: @escaping @Sendable (Int64) -> Void
  ) async -> Response {
    let begun = clock.now()
    let deadline = deadline ?? Self.deadline(first.timeout)
    var request = first
    var isSent = false
    var hops: [Response.Hop] = []
    while true {
      let exchange: HTTPExchange
      do throws(TransportFailure) {
        let address = try Address(request.url)
        exchange = try HTTPExchange(
          cookies.added(to: request, for: address.origin), to: address, source: source,
          download: download, passage: await destinationPolicy(of: request, to: address.origin),
          files: files, pool: pool, pacer: pacer, configuration, progress)
      } catch {
        let failure = TransportFailure(
          error.kind, message: error.message, mayHaveBeenSent: isSent,
          circumstance: error.circumstance)
        return failed(request, failure, since: begun)
      }
      let started = clock.now()
      var result = await exchange.run(deadline: deadline)
      isSent = isSent || exchange.isHeadSent
      if let refusal = exchange.refusalByProxy(result, pool) {
        (result, isSent) = (.failure(refusal), false)
      }
      if let peer = exchange.peer { knownHosts.note(exchange.address.origin.host, peer) }
      switch result {
      case .failure(let error):
        let failure = TransportFailure(
          error, origin: exchange.address.origin, isSent: isSent,
          limits: TransportFailure.Limits(
            timeout: first.timeout, connectTimeout: configuration.connectTimeout,
            maxResponseBytes: request.responseLimit(configuration),
            proxy: configuration.proxies.proxy(to: exchange.address.origin)?.title))
        return exchange.told(failed(request, failure, since: begun), began: started)
      case .success(let head):
        cookies.keep(head.headers, of: request.cookies, from: exchange.address.origin)
        let response = exchange.told(
          decoded(exchange, head, request, hops: hops, sent: begun), began: started)
        guard hops.count < Redirection.limit,
          let next = Redirection.next(after: response, to: request, hasFile: source != nil)
        else { return response }
        hops.append(Response.Hop(status: head.status, url: request.url))
        request = next
      }
    }
  }

  /// The response with its body as it was before the server coded it,
  /// and without the headers that describe the codings.
  private func decoded(
    _ exchange: HTTPExchange, _ head: ResponseHead, _ request: RenderedRequest,
    hops: [Response.Hop], sent: Instant
  ) -> Response {
    func response(
      _ headers: [Response.Header], _ body: [UInt8], damage: String? = nil,
      error: TransportFailure? = nil
    ) -> Response {
      Response(
        status: error == nil ? head.status : 0, headers: headers, body: body, url: request.url,
        damage: damage, error: error, hops: hops, sent: sent, received: clock.now())
    }
    let asSent = Array(exchange.body.readableBytesView)
    guard head.first("content-encoding") != nil, !asSent.isEmpty
    else { return response(head.headers, asSent) }
    let limit = request.responseLimit(configuration)
    do {
      let body = try ContentCoding.decoded(exchange.body, head, limit: limit)
      let coded: Set = ["content-encoding", "content-length"]
      return response(head.headers.filter { !coded.contains($0.name.lowercased()) }, body)
    } catch let damage as ContentCoding.Damaged {
      return response(head.headers, asSent, damage: damage.reason)
    } catch {
      let limits = TransportFailure.Limits(
        timeout: request.timeout, connectTimeout: configuration.connectTimeout,
        maxResponseBytes: limit)
      let origin = exchange.address.origin
      let failure = TransportFailure(error, origin: origin, isSent: true, limits: limits)
      return response([], [], error: failure)
    }
  }

  /// Sends `request` and passes the file to `sink`; see ``TransferService``.
  ///
  /// If the sink has a part of it and the server sent a strong validator, the rest is requested. Nothing is requested twice:
  /// whether a file is continued, or sent from its start, is the engine's next attempt.
  public func download(
    _ first: RenderedRequest, into sink: any FileSink, renew: @escaping Renew,
    progress: @escaping @Sendable (Int64) -> Void
  ) async throws(FileFailure) -> Response {
    let sent = clock.now()
    let deadline = Self.deadline(first.timeout)
    var request: RenderedRequest
    switch await begin(first, renew) {
    case .success(let begun): request = begun
    case .failure(let failure): return failed(first, failure, since: sent)
    }
    guard enter() else { return full(request) }
    defer { leave() }
    let download = FileDownload(request, into: sink, progress: progress)
    try await download.begin()
    while true {
      let response = await follow(
        download.continuation(of: request) ?? request, source: nil, download: download,
        deadline: deadline, progress: { _ in })
      await download.settle()
      if let failure = download.failure { throw failure }
      guard response.error == nil else { return response }
      if let renewed = await renewed(request, challengedBy: response, renew) {
        request = renewed
        continue
      }
      guard let missing = try download.missing(after: response)
      else { return download.whole(response) }
      let failure = TransportFailure(.connectionLost, message: missing, mayHaveBeenSent: true)
      return Response(
        status: 0, url: response.url, error: failure, hops: response.hops, sent: response.sent,
        received: response.received)
    }
  }

  /// Waits until the transfer may start, and returns the request with which it does.
  func begin(
    _ request: RenderedRequest, _ renew: Renew
  ) async -> Result<RenderedRequest, TransportFailure> {
    guard let settings = request.transfer, let earliest = settings.earliest
    else { return .success(request) }
    let end = clock.now() + request.timeout
    await clock.sleep(until: min(earliest, end))
    if Task.isCancelled { return .failure(Self.interrupted) }
    guard clock.now() >= earliest, earliest < end else {
      let message = "the transfer timed out before it could start"
      return .failure(TransportFailure(.timeout, message: message))
    }
    guard settings.renewals.contains(.begin) else { return .success(request) }
    let renewal = await renew(.begin)
    return Task.isCancelled ? .failure(Self.interrupted) : .success(renewal.applied(to: request))
  }

  /// The request with which a challenged transfer continues; `nil` if it has no other one.
  func renewed(
    _ request: RenderedRequest, challengedBy response: Response, _ renew: Renew
  ) async -> RenderedRequest? {
    guard response.isChallenge, request.transfer?.renewals.contains(.challenge) == true,
      !Task.isCancelled
    else { return nil }
    let renewal = await renew(.challenge)
    return renewal == .unchanged || Task.isCancelled ? nil : renewal.applied(to: request)
  }

  private static var interrupted: TransportFailure {
    TransportFailure(.interrupted, message: "interrupted")
  }
}
