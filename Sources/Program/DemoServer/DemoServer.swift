import Logging
import NIOPosix

/// A reference upload server: sign in, allocate, send content, finalize; with configurable faults.
///
/// Its `README.md` describes its requests.
package final class DemoServer: Sendable {
  package let port: Int
  package let journal: RequestJournal
  private let host: String
  private let responder: RequestResponder
  private let server: Server<EventLoopBoundChannel>
  private let run: Task<Void, any Error>

  private init(
    port: Int, host: String, responder: RequestResponder, server: Server<EventLoopBoundChannel>,
    run: Task<Void, any Error>
  ) {
    (self.port, self.host, self.responder, self.server) = (port, host, responder, server)
    self.run = run
    journal = responder.journal
  }
  package static func start(
    _ configuration: Configuration = Configuration()
  ) async throws -> DemoServer {
    let responder = try makeResponder(configuration)
    let (ports, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
    let server = Server(
      childChannelSetup: EventLoopBoundChannel(
        base: HTTP1Channel { request, writer, channel in
          try await responder.respond(to: request, writer: writer, channel: channel)
        }),
      configuration: ServerConfiguration(
        address: .hostname(configuration.host, port: configuration.port), backlog: 1024),
      onServerRunning: { continuation.yield($0.localAddress?.port ?? configuration.port) },
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: responder.logger)
    let run = Task {
      do {
        try await server.run()
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
        throw error
      }
    }
    for try await port in ports {
      return DemoServer(
        port: port, host: configuration.host, responder: responder, server: server, run: run)
    }
    throw DemoServerError("the server stopped before it listened")
  }

  private static func makeResponder(_ configuration: Configuration) throws -> RequestResponder {
    let file = try configuration.journalFile.map { path throws(DemoServerError) in
      try JournalFile(path: path)
    }
    return RequestResponder(
      configuration: configuration, clock: ServerClock(offset: configuration.clockOffset),
      tokens: TokenRegistry(lifetime: configuration.tokenLifetime),
      uploads: try UploadRegistry(
        lifetime: configuration.uploadLifetime, logPath: configuration.registryFile),
      store: try BodyStore(configuration.storage), injector: FaultInjector(configuration.faults),
      journal: RequestJournal(retention: configuration.journalRetention, file: file),
      logger: configuration.logger
        ?? Logger(label: "demo-server", factory: { _ in SwiftLogNoOpLogHandler() }))
  }

  /// `http://host:port`, without a trailing slash.
  package var baseURL: String {
    host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
  }

  /// Stops listening, waits up to a second for requests to end, then closes every connection.
  package func stop() async {
    let graceful = Task { try? await server.shutdownGracefully() }
    let deadline = Task {
      try await Task.sleep(for: .seconds(1))
      run.cancel()
    }
    _ = await run.result
    deadline.cancel()
    _ = await graceful.value
  }

  /// Expires every token issued so far: the next request with one gets 401.
  package func revokeTokens() { responder.tokens.revoke() }
  /// Expires every upload that is not complete: requests for them get 410.
  package func expireUploads() { responder.uploads.expire(now: responder.clock.now) }
  /// Replaces the fault plan and restarts its generator; ordered faults stay.
  package func setFaults(_ plan: FaultPlan) { responder.injector.replace(plan) }
  package func inject(_ fault: Fault, on route: RouteKind? = nil, times: Int = 1) {
    responder.injector.order(fault, on: route, times: times)
  }
}
