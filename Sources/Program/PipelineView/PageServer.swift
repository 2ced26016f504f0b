import Logging
import NIOPosix

/// Serves the live page of runs on one address: its files, the reports as JSON, and server-sent events for changes.
///
/// Every path starts with the token of ``address``; relative links of the page keep it.
package final class PageServer: Sendable {
  /// Where the page is, with its token.
  package let address: String
  private let server: Server<HTTP1Channel>
  private let run: Task<Void, any Error>

  private init(address: String, server: Server<HTTP1Channel>, run: Task<Void, any Error>) {
    (self.address, self.server, self.run) = (address, server, run)
  }

  /// Where a page is served.
  package struct Place: Sendable {
    package var host: String
    package var port: Int
    package var token: String

    package init(host: String, port: Int, token: String) {
      (self.host, self.port, self.token) = (host, port, token)
    }
  }

  /// Maximum number of connections, so that slow readers do not use up the descriptors of the process.
  private static let connections = 128
  /// How long a connection may be silent.
  private static let patience = TimeAmount.seconds(60)

  package static func start(_ source: any PageSource, at place: Place) async throws -> PageServer {
    let (ports, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
    let feed = ChangeFeed(source, interval: .milliseconds(500))
    let logger = Logger(label: "view", factory: { _ in SwiftLogNoOpLogHandler() })
    let server = Server(
      childChannelSetup: HTTP1Channel(
        responder: { request, writer, channel in
          let names = place.names(port: channel.localAddress?.port ?? place.port)
          try await PageResponder(
            source: source, feed: feed, access: PageGuard(token: place.token, hosts: names)
          ).respond(to: request, writer)
        }, configuration: .init(idleTimeout: patience)),
      configuration: ServerConfiguration(
        address: .hostname(place.host, port: place.port),
        availableConnectionsDelegate: MaximumAvailableConnections(connections, logger: logger)),
      onServerRunning: { continuation.yield($0.localAddress?.port ?? place.port) },
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger)
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
      let host = place.host.contains(":") ? "[\(place.host)]" : place.host
      return PageServer(address: "http://\(host):\(port)/\(place.token)/", server: server, run: run)
    }
    throw PageError(.serviceUnavailable, "the server stopped before it listened")
  }

  package func stop() async {
    run.cancel()
    _ = await run.result
  }
}

extension PageServer.Place {
  /// The values of `Host` with which the page is addressed.
  fileprivate func names(port: Int) -> Set<String> {
    let isLoopback = ["127.0.0.1", "::1", "localhost"].contains(host)
    let hosts = isLoopback ? ["127.0.0.1", "[::1]", "localhost"] : [host.lowercased()]
    return Set(hosts.flatMap { port == 80 ? [$0, "\($0):80"] : ["\($0):\(port)"] })
  }
}
