import Foundation
import NIOCore
import PipelineCore
import PipelineEngine
import Testing

@testable import PipelineHTTP

/// Where requests may go: hosts that are allowed, what answers may lead to, and secrets without encryption.
struct PassageTests {
  /// Names of the tests' own world.
  private static let names: [String: String] = [
    "open.example": "93.184.216.34", "inside.example": "127.0.0.1", "far.example": "192.0.2.1",
  ]

  private static let lookUp:
    @Sendable (String, Int) -> Result<NameResolver.Addresses, NameResolver.Failure> = {
      host, port in
      guard let address = names[host],
        let socket = try? SocketAddress(ipAddress: address, port: port)
      else { return NameResolver.system(host, port) }
      return .success(NameResolver.Addresses(v4: [socket]))
    }

  private func send(
    _ request: RenderedRequest, _ change: (inout HTTPTransportConfiguration) -> Void = { _ in }
  ) async throws -> Response {
    var configuration = HTTPTransportConfiguration()
    change(&configuration)
    let transport = try HTTPTransport(
      configuration: configuration, clock: StoppedClock(), names: NameResolver(lookUp: Self.lookUp))
    let response = await transport.send(request)
    await transport.shutdown()
    return response
  }

  private static let ok: @Sendable (RawConnection) async throws -> Void = { connection in
    while true {
      _ = try await connection.readRequest()
      try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }
  }

  // MARK: Addresses

  @Test(arguments: [
    "127.0.0.1", "127.255.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "::1",
    "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::",
  ])
  func `this machine is known in every notation`(_ host: String) {
    #expect(AddressKind(literal: host) == .loopback)
  }

  @Test(arguments: [
    "0.0.0.0", "0", "10.1.2.3", "100.64.0.1", "100.127.255.255", "169.254.169.254", "2852039166",
    "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.168.1.1", "198.18.0.1", "224.0.0.1",
    "255.255.255.255", "::", "fe80::1", "fc00::1", "fd12::1", "fec0::1", "ff02::1",
    "::ffff:10.0.0.1", "::ffff:169.254.169.254", "64:ff9b::a00:1", "2002:a00:1::", "2001:db8::1",
  ])
  func `private, link-local, shared and unspecified addresses are not the Internet`(_ host: String)
  {
    #expect(AddressKind(literal: host) == .local)
  }

  @Test(arguments: [
    "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.0.1",
    "172.32.0.1", "192.169.0.1", "2606:4700::1111", "::ffff:1.1.1.1", "2002:101:101::",
  ])
  func `all other addresses are`(_ host: String) {
    #expect(AddressKind(literal: host) == .open)
  }

  @Test func `a name is not an address`() { #expect(AddressKind(literal: "a.example") == nil) }

  // MARK: Responses

  @Test(arguments: [
    "127.0.0.1", "inside.example", "2130706433", "0x7f000001", "[::ffff:127.0.0.1]", "localhost",
  ])
  func `a response from the Internet never leads to a private address`(
    _ host: String
  ) async throws {
    try await RawServer.run(Self.ok) { server in
      var request = RenderedRequest(method: "GET", url: "http://\(host):\(server.port)/")
      request.hostNamedBy = ["open.example"]
      let response = try await send(request)
      #expect(response.error?.kind == .notAllowed)
      #expect(response.error?.mayHaveBeenSent == false)
      #expect(response.error?.message.contains("a response from the Internet leads to") == true)
      #expect(server.heads.isEmpty)
    }
  }

  @Test func `a response from a private address may lead to one, and the user anywhere`()
    async throws
  {
    try await RawServer.run(Self.ok) { server in
      for namers in [["inside.example"], nil] {
        var request = RenderedRequest(
          method: "GET", url: "http://inside.example:\(server.port)/")
        request.hostNamedBy = namers
        let response = try await send(request)
        #expect(response.status == 200)
      }
    }
  }

  @Test func `a host that can no longer be resolved counts as one of the Internet`() async throws {
    try await RawServer.run(Self.ok) { server in
      for namers in [[], ["gone.invalid"]] {
        var request = RenderedRequest(method: "GET", url: "http://127.0.0.1:\(server.port)/")
        request.hostNamedBy = namers
        let response = try await send(request)
        #expect(response.error?.kind == .notAllowed)
      }
    }
  }

  @Test func `a host that was on the Internet once counts as such, even if its name changes`() {
    let places = KnownHosts()
    #expect(places.isOpen("a") == nil)
    places.note("a", .loopback)
    #expect(places.isOpen("a") == false)
    places.note("a", .open)
    places.note("a", .loopback)
    #expect(places.isOpen("a") == true)
  }

  @Test func `a kept connection is not used for a forbidden request`() async throws {
    try await RawServer.run(Self.ok) { server in
      let answers = try await withTransport { transport in
        var request = RenderedRequest(method: "GET", url: "http://127.0.0.1:\(server.port)/")
        let first = await transport.send(request)
        request.hostNamedBy = []
        let second = await transport.send(request)
        request.hostNamedBy = nil
        return [first, second, await transport.send(request)]
      }
      #expect(answers.map(\.status) == [200, 0, 200])
      #expect(server.heads.count == 2)
    }
  }

  @Test func `a literal address is refused even with a proxy`() {
    let passage = DestinationPolicy(isOpenOnly: true)
    for host in ["10.0.0.1", "2130706433", "localhost", "a.localhost"] {
      #expect(passage.refusal(behindProxy: host) != nil, "\(host)")
    }
    #expect(passage.refusal(behindProxy: "a.example") == nil)
    #expect(DestinationPolicy(isLoopbackOnly: true).refusal(behindProxy: "a.example") != nil)
  }

  // MARK: Secrets

  @Test func `a secret over plain http stays on this machine`() async throws {
    try await RawServer.run(Self.ok) { server in
      var request = RenderedRequest(method: "GET", url: "http://inside.example:\(server.port)/")
      request.carriesSecret = true
      let near = try await send(request)
      #expect(near.status == 200)
      request.url = "http://far.example/"
      let response = try await send(request)
      #expect(response.error?.kind == .notAllowed)
      #expect(
        response.error?.message
          == "far.example:80: a secret would be sent to another machine without encryption; use https, or allow it with --insecure"
      )
    }
  }

  @Test func `--insecure lets it go`() throws {
    #expect(DestinationPolicy().refusal(.open, at: "") == nil)
    #expect(DestinationPolicy(isLoopbackOnly: true).refusal(.open, at: "") != nil)
    #expect(DestinationPolicy(isLoopbackOnly: true).refusal(.local, at: "") != nil)
    #expect(DestinationPolicy(isLoopbackOnly: true).refusal(.loopback, at: "") == nil)
  }

  // MARK: Hosts

  @Test(arguments: [
    ("a.example", "a.example", true), ("A.example", "a.EXAMPLE", true),
    ("a.example", "b.a.example", false), ("*.a.example", "b.a.example", true),
    ("*.a.example", "a.example", false), ("*.a.example", "ba.example", false),
    ("a.example:8080", "a.example:8080", true), ("a.example:8080", "a.example", false),
    ("[::1]:80", "[::1]", true), ("::1", "[::1]:99", true),
  ])
  func `a pattern covers a host, the hosts below one, or one port`(
    _ pattern: String, _ host: String, _ isCovered: Bool
  ) throws {
    let origin = try Address("http://\(host)/").origin
    #expect(try #require(HostPattern(pattern)).covers(origin) == isCovered)
  }

  @Test(arguments: [
    "", "*", "*.", "http://a.example", "a.example/", "a.example:", "a.example:0", "a.example:65536",
    "a b", "[::1", "*.*.example", "*.0.0.1", "*.1", "*.0x1", "*.1:80",
  ])
  func `an invalid pattern is refused`(_ text: String) { #expect(HostPattern(text) == nil) }

  @Test func `a host that is not allowed gets nothing, redirects included`() async throws {
    try await RawServer.run(Self.ok) { second in
      try await RawServer.run({ connection in
        _ = try await connection.readRequest()
        try await connection.write(
          "HTTP/1.1 302 X\r\nLocation: http://localhost:\(second.port)/\r\nContent-Length: 0\r\n\r\n"
        )
        _ = await connection.readToEnd()
      }) { first in
        let allowed = [HostPattern("127.0.0.1")].compactMap { $0 }
        let redirected = try await send(
          RenderedRequest(method: "GET", url: "http://127.0.0.1:\(first.port)/")
        ) { $0.allowedHosts = allowed }
        #expect(
          redirected.error
            == TransportFailure(
              .notAllowed,
              message:
                "localhost:\(second.port): not one of the hosts that this run may send to (--allow-host)",
              mayHaveBeenSent: true, circumstance: .hostNotListed))
        #expect(second.heads.isEmpty)
        let direct = try await send(
          RenderedRequest(method: "GET", url: "http://localhost:\(second.port)/")
        ) { $0.allowedHosts = allowed }
        #expect(direct.error?.kind == .notAllowed)
        #expect(direct.error?.mayHaveBeenSent == false)
      }
    }
  }
}
