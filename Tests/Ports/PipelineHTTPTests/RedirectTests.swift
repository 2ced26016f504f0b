import PipelineCore
import Testing

@testable import PipelineHTTP

struct RedirectTests {
  private static let authorization = Response.Header(name: "Authorization", value: "Bearer s3cret")
  private static let key = Response.Header(name: "X-Key", value: "s3cret")
  private static let plain = Response.Header(name: "X-Plain", value: "1")
  private static let type = Response.Header(name: "Content-Type", value: "text/plain")

  private func request(_ method: String, _ url: String) -> RenderedRequest {
    RenderedRequest(
      method: method, url: url,
      headers: [Self.authorization, Self.key, Self.plain, Self.type],
      body: method == "GET" ? [] : [1, 2, 3], secretHeaders: ["x-key"])
  }

  /// A server that answers `/to/…` with a redirect and everything else with the request's head.
  private static let serve: @Sendable (RawConnection) async throws -> Void = { connection in
    while true {
      let request = try await connection.readRequest()
      let path = request.head.split(separator: " ")[1]
      if path.hasPrefix("/to/") {
        let parts = path.dropFirst(4).split(separator: "/", maxSplits: 1)
        let target = parts[1].replacing("@", with: ":")
        try await connection.write(
          "HTTP/1.1 \(parts[0]) X\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n")
      } else {
        let text = request.head + "\r\n\r\n" + String(decoding: request.body, as: UTF8.self)
        try await connection.write(
          "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
      }
    }
  }

  @Test func `secrets are never sent to another host or port, nor returned`() async throws {
    try await RawServer.run(Self.serve) { first in
      try await RawServer.run(Self.serve) { second in
        let targets = [
          "http@//127.0.0.1@\(second.port)/x", "http@//localhost@\(first.port)/x",
          "http@//127.0.0.1@\(second.port)/to/307/http@//127.0.0.1@\(first.port)/x",
        ]
        for target in targets {
          let response = try await withTransport {
            await $0.send(request("GET", "http://127.0.0.1:\(first.port)/to/302/\(target)"))
          }
          let head = String(decoding: response.body, as: UTF8.self)
          #expect(response.status == 200)
          #expect(!head.contains("s3cret"))
          #expect(head.header("x-plain") == "1")
        }
        #expect(!second.heads.isEmpty)
        #expect(second.heads.allSatisfy { !$0.contains("s3cret") })
      }
    }
  }

  @Test func `a signed request is never redirected`() async throws {
    try await RawServer.run(Self.serve) { server in
      var signed = request("GET", "http://127.0.0.1:\(server.port)/to/307/x")
      signed.signing = RenderedSigning(
        scheme: .oauth1, values: [:], location: SourceLocation(file: "a.yaml", line: 1, column: 1))
      let first = signed
      let response = try await withTransport { await $0.send(first) }
      #expect(response.status == 307)
      #expect(server.heads.count == 1)
    }
  }

  @Test func `secrets stay within the origin`() async throws {
    try await RawServer.run(Self.serve) { server in
      let response = try await withTransport {
        await $0.send(request("GET", "http://127.0.0.1:\(server.port)/to/302//x"))
      }
      let head = String(decoding: response.body, as: UTF8.self)
      #expect(head.header("authorization") == "Bearer s3cret")
      #expect(head.header("x-key") == "s3cret")
      #expect(response.url == "http://127.0.0.1:\(server.port)/x")
    }
  }

  @Test(arguments: [301, 302, 303, 307, 308, 300, 304])
  func `without a location there is nothing to follow`(_ status: Int) async throws {
    try await RawServer.run({
      _ = try await $0.readRequest()
      try await $0.write("HTTP/1.1 \(status) X\r\nContent-Length: 0\r\n\r\n")
      _ = await $0.readToEnd()
    }) { server in
      let response = try await withTransport {
        await $0.send(request("GET", "http://127.0.0.1:\(server.port)/"))
      }
      #expect(response.error == nil)
      #expect(response.status == status)
    }
  }

  @Test(arguments: [301, 302, 303]) func `a redirect that would change the request is its response`(
    _ status: Int
  ) async throws {
    try await RawServer.run(Self.serve) { server in
      let response = try await withTransport {
        await $0.send(request("POST", "http://127.0.0.1:\(server.port)/to/\(status)//login"))
      }
      #expect(response.error == nil)
      #expect(response.status == status)
      #expect(response.header("location") == "/login")
      #expect(server.heads.count == 1)
    }
  }

  @Test func `a body is sent to another host if the author names it`() async throws {
    try await RawServer.run(Self.serve) { first in
      try await RawServer.run(Self.serve) { second in
        var request = request(
          "POST", "http://127.0.0.1:\(first.port)/to/307/http@//127.0.0.1@\(second.port)/x")
        request.redirects = .to([try #require(HostPattern("127.0.0.1:\(second.port)"))])
        let sent = request
        let response = try await withTransport { await $0.send(sent) }
        #expect(response.status == 200)
        #expect(response.body.suffix(3) == [1, 2, 3])
        #expect(response.hops == [Response.Hop(status: 307, url: sent.url)])
        #expect(second.heads.allSatisfy { !$0.contains("s3cret") })
      }
    }
  }

  @Test func `a circle of redirects ends`() async throws {
    try await RawServer.run({
      while true {
        _ = try await $0.readRequest()
        try await $0.write("HTTP/1.1 302 X\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n")
      }
    }) { server in
      let response = try await withTransport {
        await $0.send(request("GET", "http://127.0.0.1:\(server.port)/"))
      }
      #expect(response.status == 302)
      #expect(response.hops.count == Redirection.limit)
      #expect(server.heads.count == Redirection.limit + 1)
    }
  }
}
