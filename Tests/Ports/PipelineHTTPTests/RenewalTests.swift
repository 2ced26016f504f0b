import NIOCore
import PipelineCore
import PipelineEngine
import PipelineHTTP
import Synchronization
import Testing

/// Transfers that ask for a new request, against a server whose bytes the test writes.
struct RenewalTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func request(
    _ port: Int, _ renewals: Set<Renewal>, earliest: Instant? = nil, method: String = "PUT"
  ) -> RenderedRequest {
    RenderedRequest(
      method: method, url: "http://127.0.0.1:\(port)/old",
      headers: [
        .init(name: "X-Name", value: "a"), .init(name: "Authorization", value: "Bearer 1"),
      ],
      timeout: .seconds(60),
      transfer: TransferSettings(
        id: EffectID(run: RunID("r"), item: nil, step: 0, generation: 1, attempt: 1), session: "s",
        policy: TransferPolicy(renewals: renewals), earliest: earliest))
  }

  /// Refuses every token but `valid`, with a challenge.
  private func serve(_ valid: String, challenge: String = "WWW-Authenticate: Bearer\r\n")
    -> @Sendable (RawConnection) async throws -> Void
  {
    { connection in
      while true {
        let (head, body) = try await connection.readRequest()
        if head.header("authorization") == valid {
          try await connection.write(
            "HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n"
              + String(decoding: body, as: UTF8.self))
        } else {
          try await connection.write("HTTP/1.1 401 No\r\n\(challenge)Content-Length: 0\r\n\r\n")
        }
      }
    }
  }

  private func upload(
    _ request: RenderedRequest, _ replies: [RenderedRenewal]
  ) async throws -> (response: Response, asked: [Renewal]) {
    let file = try folder.write("x", Array("content".utf8))
    let asked = Mutex<[Renewal]>([])
    let response = try await withTransport { transport in
      await transport.upload(
        request, body: Body(file), paths: \.path,
        renew: { renewal in
          asked.withLock { asked in
            asked.append(renewal)
            return asked.count <= replies.count ? replies[asked.count - 1] : .unchanged
          }
        }, progress: { _ in })
    }
    return (response, asked.withLock { $0 })
  }

  @Test func `without a reply the challenge is the transfer's response`() async throws {
    try await RawServer.run(serve("Bearer 2")) { server in
      let (response, asked) = try await upload(request(server.port, [.challenge]), [.unchanged])
      #expect(response.status == 401)
      #expect(response.isChallenge)
      #expect(asked == [.challenge])
      #expect(server.heads.count == 1)
    }
  }

  @Test(
    arguments: [
      ([], "WWW-Authenticate: Bearer\r\n"), ([.begin], "WWW-Authenticate: Bearer\r\n"),
      ([.challenge], ""),
    ] as [(Set<Renewal>, String)])
  func `a refusal that is not a challenge, or that is not asked about, is the response`(
    renewals: Set<Renewal>, challenge: String
  ) async throws {
    try await RawServer.run(serve("Bearer 2", challenge: challenge)) { server in
      let (response, asked) = try await upload(
        request(server.port, renewals), [.authorization("Bearer 2")])
      #expect(response.status == 401)
      #expect(asked == [])
    }
  }

  @Test func `a transfer whose time ends before it may start sends nothing`() async throws {
    try await RawServer.run(serve("Bearer 1")) { server in
      let late = StoppedClock().now() + .seconds(61)
      let (response, asked) = try await upload(request(server.port, [.begin], earliest: late), [])
      #expect(response.error?.kind == .timeout)
      #expect(response.error?.mayHaveBeenSent == false)
      #expect(asked == [])
      #expect(server.connections == 0)
    }
  }

  @Test func `a challenge is answered with another token, in the same call`() async throws {
    try await RawServer.run(serve("Bearer 2")) { server in
      let (response, asked) = try await upload(
        request(server.port, [.challenge]), [.authorization("Bearer 2")])
      #expect(response.status == 200)
      #expect(String(decoding: response.body, as: UTF8.self) == "content")
      #expect(asked == [.challenge])
      #expect(server.heads.map { $0.header("x-name") } == ["a", "a"])
      #expect(server.heads.map { $0.header("authorization") } == ["Bearer 1", "Bearer 2"])
    }
  }

  @Test func `a second challenge is asked about again`() async throws {
    try await RawServer.run(serve("Bearer 3")) { server in
      let (response, asked) = try await upload(
        request(server.port, [.challenge]),
        [.authorization("Bearer 2"), .authorization("Bearer 3")])
      #expect(response.status == 200)
      #expect(asked == [.challenge, .challenge])
    }
  }

  @Test func `a transfer that may start now is sent with its new request`() async throws {
    try await RawServer.run(serve("Bearer 2")) { server in
      var renewed = request(server.port, [.begin])
      renewed.url = "http://127.0.0.1:\(server.port)/new"
      renewed.headers = [.init(name: "Authorization", value: "Bearer 2")]
      let (response, asked) = try await upload(
        request(server.port, [.begin], earliest: StoppedClock().now()), [.request(renewed)])
      #expect(response.status == 200)
      #expect(asked == [.begin])
      #expect(server.heads.map { $0.hasPrefix("PUT /new ") } == [true])
    }
  }

  @Test func `a download is answered as an upload is`() async throws {
    try await RawServer.run({ connection in
      while true {
        let (head, _) = try await connection.readRequest()
        try await connection.write(
          head.header("authorization") == "Bearer 2"
            ? "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfilm"
            : "HTTP/1.1 401 No\r\nWWW-Authenticate: Bearer\r\nContent-Length: 4\r\n\r\nlost")
      }
    }) { server in
      let sink = MemorySink(limit: 100)
      let request = request(server.port, [.challenge], method: "GET")
      let response = try await withTransport { transport in
        try await transport.download(
          request, into: sink, renew: { _ in .authorization("Bearer 2") }, progress: { _ in })
      }
      #expect(response.status == 200)
      #expect(sink.text == "film")
    }
  }
}
