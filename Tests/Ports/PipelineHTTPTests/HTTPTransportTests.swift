import NIOCore
import PipelineCore
import PipelineHTTP
import Testing

struct HTTPTransportTests {
  private func get(_ port: Int, _ path: String = "/") -> RenderedRequest {
    RenderedRequest(method: "GET", url: "http://127.0.0.1:\(port)\(path)")
  }

  // MARK: Nothing was sent

  @Test func `a port without a listener refuses`() async throws {
    let port = try await RawServer.run({ _ in }) { $0.port }
    let response = try await withTransport { await $0.send(get(port)) }
    #expect(response.status == 0)
    #expect(
      response.error
        == TransportFailure(
          .connectionRefused, message: "127.0.0.1:\(port): connection refused",
          mayHaveBeenSent: false))
  }

  @Test func `a name without an address is not resolved`() async throws {
    let response = try await withTransport {
      await $0.send(RenderedRequest(method: "GET", url: "http://nowhere.invalid/secret?token=x"))
    }
    #expect(
      response.error
        == TransportFailure(
          .nameNotResolved, message: "nowhere.invalid:80: name not resolved",
          mayHaveBeenSent: false))
  }

  @Test(arguments: [
    "", "nonsense", "/path", "http://", "ftp://host/x", "unix:///run/x", "http+unix://x/y",
  ])
  func `a URL that is not http or https is invalid`(_ url: String) async throws {
    let response = try await withTransport {
      await $0.send(RenderedRequest(method: "GET", url: url))
    }
    #expect(response.error?.kind == .badURL)
    #expect(response.error?.mayHaveBeenSent == false)
  }

  @Test(arguments: [
    ("GET", "x", "a\r\nInjected: b"), ("GET", "x\r\ny", "a"), ("GET", "", "a"),
    ("GET / HTTP/1.1\r\nX: y", "x", "a"), ("", "x", "a"), ("GET", "x", "a\0b"),
  ])
  func `a line cannot be smuggled into a request`(
    _ method: String, _ name: String, _ value: String
  ) async throws {
    try await RawServer.run({ _ = try await $0.readHead() }) { server in
      let response = try await withTransport {
        await $0.send(
          RenderedRequest(
            method: method, url: "http://127.0.0.1:\(server.port)/",
            headers: [.init(name: name, value: value)]))
      }
      #expect(response.error?.kind == .badURL)
      #expect(server.heads == [])
    }
  }

  // MARK: Something was sent

  @Test func `a connection that ends before the response is lost`() async throws {
    try await RawServer.run({ _ = try await $0.readHead() }) { server in
      let response = try await withTransport { await $0.send(get(server.port)) }
      #expect(response.error?.kind == .connectionLost)
      #expect(response.error?.mayHaveBeenSent == true)
      #expect(server.heads.count == 1)
    }
  }

  @Test func `a transfer ends without progress while bytes are left to be sent`() async throws {
    let folder = try ScratchFolder()
    let file = try folder.makeSparse("x", size: 256 << 20)
    try await RawServer.run({
      _ = try await $0.readHead()
      try await Task.sleep(for: .seconds(3600))
    }) { server in
      var request = RenderedRequest(method: "PUT", url: "http://127.0.0.1:\(server.port)/x")
      request.transfer = TransferSettings(
        id: EffectID(run: RunID("r"), item: nil, step: 0, generation: 1, attempt: 1), session: "s",
        policy: TransferPolicy(
          requestTimeout: .milliseconds(300), responseTimeout: .milliseconds(1)))
      let ready = request
      let response = try await withTransport {
        await $0.upload(
          ready, body: Body([.file(file, offset: 0, length: file.size)]), progress: { _ in })
      }
      #expect(
        response.error
          == TransportFailure(
            .timeout, message: "127.0.0.1:\(server.port): no progress for 300 ms",
            mayHaveBeenSent: true))
    }
  }

  @Test func `cookies are kept for an item and an origin, and only on request`() async throws {
    try await RawServer.run({ connection in
      while let request = try? await connection.readRequest() {
        let isSetting = request.head.hasPrefix("GET /set")
        let isEnding = request.head.hasPrefix("GET /end")
        let cookie = isSetting ? "node=n7; Path=/; HttpOnly" : isEnding ? "node=; Max-Age=0" : nil
        let header = cookie.map { "Set-Cookie: \($0)\r\n" } ?? ""
        try await connection.write("HTTP/1.1 200 OK\r\n\(header)Content-Length: 0\r\n\r\n")
      }
    }) { server in
      try await withTransport { transport in
        func send(_ path: String, _ item: String?) async {
          var request = RenderedRequest(
            method: "GET", url: "http://127.0.0.1:\(server.port)/\(path)")
          request.cookies = item
          #expect(await transport.send(request).status == 200)
        }
        for (path, item) in [
          ("set", "a"), ("1", "a"), ("2", "b"), ("3", nil), ("end", "a"), ("4", "a"),
        ] { await send(path, item) }
      }
      #expect(
        server.heads.map { $0.header("cookie") } == [nil, "node=n7", nil, nil, "node=n7", nil])
    }
  }

  @Test func `a connection that is reset is lost`() async throws {
    try await RawServer.run({
      _ = try await $0.readHead()
      try await $0.reset()
    }) { server in
      let response = try await withTransport { await $0.send(get(server.port)) }
      #expect(response.error?.kind == .connectionLost)
      #expect(response.error?.mayHaveBeenSent == true)
    }
  }

  @Test func `a request on a kept connection that was closed is not sent again`() async throws {
    try await RawServer.run({
      _ = try await $0.readRequest()
      try await $0.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      _ = try await $0.readRequest()
      try await $0.reset()
    }) { server in
      try await withTransport { transport in
        let post = RenderedRequest(
          method: "POST", url: "http://127.0.0.1:\(server.port)/", body: [1])
        // One event loop, one connection: as many requests as necessary to come back to the first loop.
        var answers: [Response] = []
        while answers.last?.error == nil, answers.count < 200 {
          answers.append(await transport.send(post))
        }
        #expect(answers.last?.error?.kind == .connectionLost)
        #expect(answers.last?.error?.mayHaveBeenSent == true)
        #expect(answers.last?.error?.circumstance == .connectionWasStale)
        #expect(server.heads.count == answers.count)
      }
    }
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
    "HTTP/1.1 200 OK\r\nContent-Le", "nonsense\r\n\r\n",
  ])
  func `a truncated or malformed response is not a response`(_ text: String) async throws {
    try await RawServer.run({
      _ = try await $0.readHead()
      try await $0.write(text)
    }) { server in
      let response = try await withTransport { await $0.send(get(server.port)) }
      #expect(response.status == 0)
      #expect(response.error?.kind == .connectionLost)
      #expect(response.error?.mayHaveBeenSent == true)
    }
  }

  @Test func `a server that does not respond in time is a timeout`() async throws {
    try await RawServer.run({ _ = await $0.readToEnd() }) { server in
      var request = get(server.port, "/?token=secret")
      // Long enough for a busy machine to connect in.
      request.timeout = .milliseconds(1500)
      let response = try await withTransport { [request] in await $0.send(request) }
      #expect(
        response.error
          == TransportFailure(
            .timeout, message: "127.0.0.1:\(server.port): no response within 1500 ms",
            mayHaveBeenSent: true))
    }
  }

  @Test func `a response that trickles in does not outlast the request's timeout`() async throws {
    try await RawServer.run({
      _ = try await $0.readHead()
      try await $0.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
      _ = await $0.readToEnd()
    }) { server in
      var request = get(server.port)
      request.timeout = .milliseconds(150)
      let response = try await withTransport { [request] in await $0.send(request) }
      #expect(response.error?.kind == .timeout)
    }
  }

  @Test func `a cancelled task ends its request`() async throws {
    let (arrived, signal) = AsyncStream<Void>.makeStream()
    try await RawServer.run({
      _ = try await $0.readHead()
      signal.finish()
      _ = await $0.readToEnd()
    }) { server in
      try await withTransport { transport in
        let request = get(server.port)
        let task = Task { await transport.send(request) }
        for await _ in arrived {}
        task.cancel()
        let response = await task.value
        #expect(
          response.error
            == TransportFailure(.interrupted, message: "interrupted", mayHaveBeenSent: true))
      }
    }
  }

  @Test func `a task that is cancelled before sends nothing`() async throws {
    try await RawServer.run({ _ = try await $0.readHead() }) { server in
      try await withTransport { transport in
        let request = get(server.port)
        let task = Task {
          while !Task.isCancelled { await Task.yield() }
          return await transport.send(request)
        }
        task.cancel()
        let response = await task.value
        #expect(response.error?.kind == .interrupted)
        #expect(response.error?.mayHaveBeenSent == false)
        #expect(server.connections == 0)
      }
    }
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n", "101"),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n66\r\n"
        + String(repeating: "x", count: 102) + "\r\n", "102"
    ),
    ("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 103), "103"),
  ])
  func `a response beyond the limit is refused with both numbers`(
    _ text: String, _ count: String
  ) async throws {
    try await RawServer.run({
      _ = try await $0.readHead()
      try await $0.write(text)
      _ = await $0.readToEnd()
    }) { server in
      let response = try await withTransport({ $0.maxResponseBytes = 100 }) {
        await $0.send(get(server.port))
      }
      #expect(response.error?.kind == .responseTooLarge)
      #expect(response.error?.message.contains("\(count) bytes") == true)
      #expect(response.error?.message.contains("limit of 100") == true)
    }
  }

  // MARK: Responses

  @Test func `a response has its status, headers, body and dates`() async throws {
    try await RawServer.run({
      _ = try await $0.readHead()
      try await $0.write(
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 418 Teapot\r\nX-One: 1\r\nx-two: 2\r\nX-One: 3\r\n"
          + "Content-Length: 5\r\n\r\nhello")
      _ = await $0.readToEnd()
    }) { server in
      let request = get(server.port, "/a%20b?c=d")
      let response = try await withTransport { await $0.send(request) }
      #expect(response.error == nil)
      #expect(response.status == 418)
      #expect(response.headers.map(\.name) == ["X-One", "x-two", "X-One", "Content-Length"])
      #expect(response.headers.map(\.value) == ["1", "2", "3", "5"])
      #expect(response.body == Array("hello".utf8))
      #expect(response.url == request.url)
      #expect(response.sent == StoppedClock().now())
      #expect(server.heads.first?.hasPrefix("GET /a%20b?c=d HTTP/1.1\r\n") == true)
      #expect(server.heads.first?.header("host") == "127.0.0.1:\(server.port)")
      #expect(server.heads.first?.header("user-agent") == "pipeline")
    }
  }

  @Test func `a response of exactly the limit is accepted`() async throws {
    try await RawServer.run({
      _ = try await $0.readHead()
      try await $0.write(
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + String(repeating: "x", count: 100))
      _ = await $0.readToEnd()
    }) { server in
      let response = try await withTransport({ $0.maxResponseBytes = 100 }) {
        await $0.send(get(server.port))
      }
      #expect(response.body.count == 100)
    }
  }

  @Test(arguments: ["HEAD", "GET"])
  func `a response without a body may state a large length`(_ method: String) async throws {
    let status = method == "HEAD" ? "200 OK" : "304 Not Modified"
    try await RawServer.run({
      _ = try await $0.readHead()
      try await $0.write("HTTP/1.1 \(status)\r\nContent-Length: 99999999\r\n\r\n")
      _ = await $0.readToEnd()
    }) { server in
      let response = try await withTransport({ $0.maxResponseBytes = 100 }) {
        await $0.send(
          RenderedRequest(method: method, url: "http://127.0.0.1:\(server.port)/"))
      }
      #expect(response.error == nil)
      #expect(response.status == (method == "HEAD" ? 200 : 304))
    }
  }

  @Test(arguments: [[], Array("body".utf8)])
  func `a body has its true length, regardless of the headers`(_ body: [UInt8]) async throws {
    try await RawServer.run({
      let request = try await $0.readRequest()
      try await $0.write(
        "HTTP/1.1 200 OK\r\nContent-Length: \(request.body.count)\r\n\r\n"
          + String(decoding: request.body, as: UTF8.self))
      _ = await $0.readToEnd()
    }) { server in
      let response = try await withTransport {
        await $0.send(
          RenderedRequest(
            method: "POST", url: "http://127.0.0.1:\(server.port)/",
            headers: [
              .init(name: "Content-Length", value: "77"),
              .init(name: "Transfer-Encoding", value: "chunked"),
            ], body: body))
      }
      #expect(response.body == body)
      #expect(server.heads.first?.header("content-length") == "\(body.count)")
      #expect(server.heads.first?.header("transfer-encoding") == nil)
    }
  }

  @Test func `connections are used again`() async throws {
    try await RawServer.run({
      while true {
        _ = try await $0.readRequest()
        try await $0.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      }
    }) { server in
      try await withTransport { transport in
        for _ in 0..<100 {
          let response = await transport.send(get(server.port))
          #expect(response.status == 200)
        }
      }
      #expect(server.connections <= System.coreCount)
      #expect(server.heads.count == 100)
    }
  }

  @Test func `no error contains a header, a query or a password`() async throws {
    let port = try await RawServer.run({ _ in }) { $0.port }
    let response = try await withTransport {
      await $0.send(
        RenderedRequest(
          method: "GET", url: "http://user:hunter2@127.0.0.1:\(port)/path?token=hunter2",
          headers: [.init(name: "Authorization", value: "Bearer hunter2")]))
    }
    #expect(response.error?.kind == .connectionRefused)
    #expect(response.error?.message.contains("hunter2") == false)
  }
}
