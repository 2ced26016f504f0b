import Foundation
import NIOCore
import NIOPosix
import PipelineCore
import PipelineEngine
import Synchronization
import Testing

@testable import PipelineHTTP

/// Names and networks: the failures that concern a server, and those that do not.
struct NetworkTests {
  private func send(
    _ url: String, timeout: Duration = .seconds(30),
    _ lookUp:
      @escaping @Sendable (String, Int) -> Result<NameResolver.Addresses, NameResolver.Failure>
  ) async throws -> Response {
    let transport = try HTTPTransport(
      configuration: HTTPTransportConfiguration(), clock: StoppedClock(),
      names: NameResolver(lookUp: lookUp))
    let response = await transport.send(RenderedRequest(method: "GET", url: url, timeout: timeout))
    await transport.shutdown()
    return response
  }

  @Test(arguments: [
    (EAI_NONAME, CInt(0), TransportFailure.Kind.nameNotResolved),
    (EAI_AGAIN, 0, .networkUnavailable), (EAI_FAIL, 0, .networkUnavailable),
    (EAI_SYSTEM, EIO, .networkUnavailable), (EAI_SYSTEM, EMFILE, .tooManyOpenFiles),
    (EAI_NONAME, ENFILE, .tooManyOpenFiles),
  ])
  func `a name that does not exist differs from a resolver that fails`(
    _ code: CInt, _ system: CInt, _ kind: TransportFailure.Kind
  ) async throws {
    let response = try await send("http://a.example/") { _, _ in
      .failure(NameResolver.Failure(code: code, system: system))
    }
    #expect(response.error?.kind == kind)
    #expect(response.error?.mayHaveBeenSent == false)
  }

  @Test func `a resolver that does not answer counts as no network`() async throws {
    let end = DispatchSemaphore(value: 0)
    let response = try await send("http://a.example/", timeout: .milliseconds(200)) { _, _ in
      end.wait()
      return .failure(NameResolver.Failure(code: EAI_AGAIN, system: 0))
    }
    #expect(response.error?.kind == .networkUnavailable)
    #expect(response.error?.mayHaveBeenSent == false)
    end.signal()
  }

  @Test func `an address that refuses counts before one that cannot be reached`() async throws {
    let port = try await RawServer.run({ _ in }) { $0.port }
    let response = try await send("http://a.example:\(port)/") { _, port in
      // Documentation addresses (RFC 3849) have no route on a machine without IPv6, and no host on one with it.
      .success(
        NameResolver.Addresses(
          v4: (try? [SocketAddress(ipAddress: "127.0.0.1", port: port)]) ?? [],
          v6: (try? [SocketAddress(ipAddress: "::1", port: port)]) ?? []))
    }
    #expect(response.error?.kind == .connectionRefused)
  }

  @Test(arguments: [
    (ECONNREFUSED, TransportFailure.Kind.connectionRefused), (EPERM, .connectionRefused),
    (ENETUNREACH, .networkUnavailable), (EHOSTUNREACH, .networkUnavailable),
    (ENETDOWN, .networkUnavailable), (ETIMEDOUT, .timeout), (EMFILE, .tooManyOpenFiles),
    (ENFILE, .tooManyOpenFiles), (EADDRNOTAVAIL, .tooManyOpenFiles),
    (ECONNRESET, .connectionLost),
  ])
  func `an error of connecting is the server's, the network's or our own`(
    _ code: CInt, _ kind: TransportFailure.Kind
  ) {
    let failure = TransportFailure(
      IOError(errnoCode: code, reason: "connect"),
      origin: Origin(isTLS: false, host: "a.example", port: 80), isSent: false,
      limits: .init(timeout: .seconds(1), connectTimeout: .seconds(1), maxResponseBytes: 1))
    #expect(failure.kind == kind)
    #expect(!failure.mayHaveBeenSent)
  }

  @Test func `of several addresses, the most informative decides`() {
    let kinds: [TransportFailure.Kind] = [
      .connectionLost, .networkUnavailable, .timeout, .connectionRefused, .tooManyOpenFiles,
    ]
    for (index, kind) in kinds.enumerated() {
      let attempts = kinds.prefix(index + 1).map { ($0, "") }
      #expect(TransportFailure.decisive(attempts)?.0 == kind)
      #expect(TransportFailure.decisive(attempts.reversed())?.0 == kind)
    }
    #expect(TransportFailure.decisive([]) == nil)
  }

  @Test func `simultaneous lookups of one name share one query`() async throws {
    let questions = Counter()
    let asked = DispatchSemaphore(value: 0)
    let resolver = NameResolver { _, port in
      questions.add(1)
      asked.wait()
      return .success(
        NameResolver.Addresses(v4: (try? [SocketAddress(ipAddress: "127.0.0.1", port: port)]) ?? [])
      )
    }
    defer { resolver.shutdown() }
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let futures = (0..<50).map { _ in resolver.addresses(of: "a.example", port: 80, on: loop) }
    asked.signal()
    for future in futures {
      let addresses = try await future.get()
      #expect(addresses.v4.count == 1)
    }
    #expect(questions.value == 1)
  }

  @Test func `the limit of open files leaves room for a run's needs`() {
    #expect(OpenFileLimit(count: 64).exchanges(loops: 2) == 9)
    #expect(OpenFileLimit(count: 1024).exchanges(loops: 4) == 486)
    #expect(OpenFileLimit(count: 10).exchanges(loops: 4) == 2)
    #expect(OpenFileLimit.raise().count >= OpenFileLimit.current.count)
  }
}
