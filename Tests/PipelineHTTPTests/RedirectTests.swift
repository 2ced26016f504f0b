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

  @Test func `no secret goes to another host or port, and none comes back`() async throws {
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

  @Test func `a signed request follows no redirect`() async throws {
    try await RawServer.run(Self.serve) { server in
      var signed = request("GET", "http://127.0.0.1:\(server.port)/to/307/x")
      signed.signing = RenderedSigning(
        scheme: .oauth1, values: [:], location: SourceLocation(file: "a.yaml", line: 1, column: 1))
      let first = signed
      let response = try await withTransport { await $0.send(first) }
      #expect(response.error?.kind == .redirect)
      #expect(response.error?.message.contains("a signature is valid for one URL only") == true)
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

  @Test(arguments: [
    (301, "POST", "GET", false), (302, "POST", "GET", false), (303, "POST", "GET", false),
    (303, "PUT", "GET", false), (303, "DELETE", "GET", false), (303, "HEAD", "HEAD", true),
    (307, "POST", "POST", true), (308, "PATCH", "PATCH", true), (301, "PUT", "PUT", true),
    (302, "DELETE", "DELETE", true), (302, "GET", "GET", true),
  ])
  func `the status decides what the next request is`(
    _ status: Int, _ method: String, _ next: String, _ keepsBody: Bool
  ) throws {
    let request = request(method, "https://a.example/b/c?d")
    let decision = Redirect.decide(
      status: status, location: "../e", request: request, origin: try origin(request.url),
      isUpload: false)
    guard case .follow(let following, let keeps) = decision else {
      Issue.record("not followed: \(decision)")
      return
    }
    #expect(following.url == "https://a.example/e")
    #expect(following.method == next)
    #expect(keeps == keepsBody)
    #expect(following.body == (keepsBody ? request.body : []))
    #expect(following.headers.contains(Self.type) == keepsBody)
  }

  @Test(arguments: [
    ("https://a.example/", "http://a.example/"), ("https://a.example/", "ftp://a.example/"),
    ("http://a.example/", "http://"), ("http://a.example/", "mailto:x"),
  ])
  func `a redirect that loses the encryption or leads nowhere is refused`(
    _ url: String, _ target: String
  ) throws {
    let decision = Redirect.decide(
      status: 302, location: target, request: request("GET", url), origin: try origin(url),
      isUpload: false)
    guard case .refuse(let message) = decision else {
      Issue.record("not refused: \(decision)")
      return
    }
    #expect(message.hasPrefix("a.example:"))
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

  @Test(arguments: [307, 308]) func `neither a body nor a key goes to another origin`(
    _ status: Int
  ) throws {
    var request = request("POST", "https://a.example/x")
    request.headers.append(.init(name: "Idempotency-Key", value: "k"))
    request.keyHeader = "idempotency-key"
    func decide(_ request: RenderedRequest, _ status: Int, isUpload: Bool) throws
      -> Redirect.Decision
    {
      Redirect.decide(
        status: status, location: "https://b.example/y", request: request,
        origin: try origin(request.url), isUpload: isUpload)
    }
    for (isUpload, body) in [(false, [1]), (true, [])] as [(Bool, [UInt8])] {
      request.body = body
      guard case .refuse(let message) = try decide(request, status, isUpload: isUpload) else {
        Issue.record("followed")
        return
      }
      #expect(message.contains("b.example:443, but a body is not sent to another origin"))
    }
    // Without its body it may go, and leaves the key behind.
    request.body = [1]
    guard case .follow(let next, false) = try decide(request, 303, isUpload: false) else {
      Issue.record("not followed")
      return
    }
    #expect(next.body.isEmpty)
    #expect(!next.headers.contains { $0.name == "Idempotency-Key" })
    #expect(next.hostNamedBy == ["a.example"])
  }

  @Test func `a redirect that the author forbids is a failure`() throws {
    var request = request("GET", "https://a.example/x")
    request.followsRedirects = false
    let decision = Redirect.decide(
      status: 302, location: "/y", request: request, origin: try origin(request.url),
      isUpload: false)
    guard case .refuse(let message) = decision else {
      Issue.record("followed")
      return
    }
    #expect(message.hasSuffix("but 'redirects: forbid' is set"))
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
      #expect(response.error?.kind == .redirect)
      #expect(response.error?.message == "more than 5 redirects")
      #expect(server.heads.count == 6)
    }
  }

  private func origin(_ url: String) throws -> Origin { try Address(url).origin }
}
