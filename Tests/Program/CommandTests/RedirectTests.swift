import Foundation
import TestSupport
import Testing

/// Redirects that were followed, and those that were not.
struct RedirectTests {
  /// Redirects twice, the first time with a credential in the query, and finally fails.
  private static let server = """
    import http.server
    class Handler(http.server.BaseHTTPRequestHandler):
      protocol_version = 'HTTP/1.1'
      def do_GET(self):
        path = self.path.split('?')[0]
        targets = {'/a': '/b?ticket=s3cret-ticket', '/b': '/c', '/d': '/e'}
        self.send_response(302 if path in targets else 200 if path == '/c' else 403)
        if path in targets: self.send_header('Location', targets[path])
        self.send_header('Content-Length', '0'); self.end_headers()
      def log_message(self, *a): pass
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    server.daemon_threads = True
    print(' port', server.server_port, flush=True)
    server.serve_forever()

    """

  private static let pipeline = """
    pipeline: moved
    inputs: { server: { type: url } }
    steps:
      - id: ask
        request: { url: "${{ inputs.server }}/a" }
      - id: refused
        request: { url: "${{ inputs.server }}/d" }
        depends_on: [ask]

    """

  @Test func `history and -v show each hop without its query, as text and as JSON`() async throws {
    let scene = try Scene()
    try scene.directory.write(Self.pipeline, to: "p.yaml")
    let (process, url) = try await start(Self.server, scene)
    defer { process.signal(SIGKILL) }
    let run = try await scene.pipeline.run(
      "run", "p.yaml", "--input", "server=\(url)", "-v", "--progress", "plain")
    #expect(run.status == 1, "\(run)")
    let shown = run.error.matches(of: #/GET http://[^/]+(/\w) (\d+),/#).map {
      "\($0.output.1) \($0.output.2)"
    }
    #expect(shown == ["/a 302", "/b 302", "/c 200", "/d 302", "/e 403"], "\(run)")
    #expect(!run.description.contains("s3cret"), "\(run)")
    let history = try await scene.pipeline.run("history")
    #expect(
      history.output.contains("\n    302 from \(url)/a\n    302 from \(url)/b\n"), "\(history)")
    #expect(history.output.contains("\n    302 from \(url)/d\n"), "\(history)")
    #expect(!history.output.contains("s3cret"), "\(history)")
    let events = try await scene.pipeline.run("history", "--format", "json").output
      .split(separator: "\n").map { try JSON.object($0) }
      .filter { $0["event"] as? String == "redirected" }
    #expect(events.map { $0["step"] as? String } == ["ask", "refused"])
    let hops = try #require(events.first?["hops"] as? [[String: Any]])
    #expect(hops.map { $0["status"] as? Int } == [302, 302])
    #expect(hops.map { $0["address"] as? String } == ["\(url)/a", "\(url)/b"])
  }
  private func start(
    _ server: String, _ scene: Scene
  ) async throws -> (process: RunningCommand, url: String) {
    try scene.directory.write(server, to: "server.py")
    let process = try scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"), ["python3", "-u", "server.py"])
    try await process.wait(for: " port ")
    let port = try #require(process.output.firstMatch(of: /port (\d+)/)).output.1
    return (process, "http://127.0.0.1:\(port)")
  }

  // MARK: A redirect to a sign-in page

  /// `/moved` redirects to a sign-in page, `/lost` closes the connection, `/refused` is 400; each request is printed.
  private static let gateway = """
    import http.server
    class Handler(http.server.BaseHTTPRequestHandler):
      protocol_version = 'HTTP/1.1'
      def answer(self):
        self.rfile.read(int(self.headers.get('Content-Length', 0)))
        path = self.path.split('?')[0]
        print('seen', self.command, path, flush=True)
        if path == '/lost': self.close_connection = True; return
        body = {'/moved': b'', '/login': b'<html>Sign in</html>'}.get(path, b'{"id": "1"}')
        self.send_response({'/moved': 302, '/refused': 400}.get(path, 200))
        if path == '/moved': self.send_header('Location', '/login?ticket=s3cret-ticket')
        self.send_header('Content-Length', str(len(body))); self.end_headers(); self.wfile.write(body)
      do_GET = do_POST = do_DELETE = answer
      def log_message(self, *a): pass
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    server.daemon_threads = True
    print(' port', server.server_port, flush=True)
    server.serve_forever()

    """

  /// Each kind of exchange with a server; all but one are in the pipeline.
  enum Exchange: String, CaseIterable {
    case step, probe, poll, download, resync, compensation
    case signIn, onFinish

    /// The keys of a request that are tried: a method whose redirects are never followed, or the author's word.
    var requests: [String] {
      switch self {
      case .step, .probe, .poll, .download, .resync: ["method: POST", "redirects: forbid"]
      case .compensation: ["method: DELETE"]
      case .signIn, .onFinish: [""]
      }
    }

    func steps(_ request: String) -> String {
      let moved = "url: /moved, \(request)"
      let isOne = "\"${{ response.status == 200 }}\""
      return switch self {
      case .step: "  - { id: ask, request: { \(moved) } }"
      case .poll: "  - { id: ask, poll: { \(moved), until: \(isOne), deadline: 1m } }"
      case .download:
        """
          - { id: ask, download: { \(moved), max_size: 1 MiB } }
          - { id: use, upload: { url: /used, file: "${{ steps.ask.file }}" } }
        """
      case .probe:
        """
          - id: ask
            request: { method: POST, url: /lost }
            effect: create
            probe: { request: { \(moved) }, took_effect: \(isOne) }
        """
      case .resync:
        """
          - id: ask
            repeat:
              from: { turn: 0 }
              until: "${{ steps.ask.turn == 1 }}"
              steps:
                - { id: send, request: { method: POST, url: /lost }, effect: repeatable }
              next: { turn: "${{ 1 }}" }
              resync: { request: { \(moved) }, next: { turn: "${{ 1 }}" } }
        """
      case .compensation:
        """
          - id: open
            request: { method: POST, url: /open }
            effect: create
            idempotency: { header: Idempotency-Key }
            outputs: { id: "${{ response.json.id }}" }
          - { id: ask, request: { method: POST, url: "/refused?id=${{ steps.open.id }}" } }
        """
      case .signIn: "  - { id: ask, request: { url: /open, credentials: api } }"
      case .onFinish: "  - { id: ask, request: { url: /open } }"
      }
    }

    private static let credentials = """
      credentials: { api: { oauth2: {
        token_url: "${{ inputs.server }}/moved", client: me, secret: "${{ inputs.secret }}" } } }
      """

    func pipeline(_ request: String) -> String {
      let indented = steps(request).split(separator: "\n").map { "    \($0)\n" }.joined()
      return """
        pipeline: moved
        inputs: { server: { type: url }, files: { type: files }, secret: { type: secret } }
        defaults: { url: "${{ inputs.server }}" }
        retry: { standard: { attempts: 2, backoff: { initial: 10ms } } }
        \(self == .signIn ? Self.credentials : "")
        steps:
          - for_each: file
            in: ${{ inputs.files }}
            steps:
        \(indented)
        """
          + (self == .compensation
            ? "    on_abandon: [{ request: { url: \"/moved?id=${{ steps.open.id }}\", \(request) } }]\n"
            : "")
    }
  }

  @Test(arguments: Exchange.allCases)
  func `a redirect to a page is never a success, and the message names the target`(
    _ exchange: Exchange
  ) async throws {
    var scene = try Scene()
    try scene.files(1)
    let (process, url) = try await start(Self.gateway, scene)
    defer { process.signal(SIGKILL) }
    scene.pipeline.environment["PIPELINE_INPUT_SECRET"] = "a secret of a client"
    if exchange == .onFinish {
      try scene.directory.write(
        "on_finish: { request: { url: \"\(url)/moved\" }, required: true }\n", to: "config.yaml")
      scene.pipeline.environment["PIPELINE_CONFIG"] = scene.directory.path("config.yaml")
    }
    for (number, request) in exchange.requests.enumerated() {
      try scene.directory.write(exchange.pipeline(request), to: "p.yaml")
      let run = try await scene.pipeline.run(
        "run", "p.yaml", "--input", "server=\(url)", "--input", "files=files/*", "--name",
        "r\(number)")
      #expect(run.status == 1, "\(run)")
      #expect(
        run.description.contains(" 302, a redirect to '\(url)/login' that is not followed"),
        "\(run)")
      #expect(!run.description.contains("s3cret"), "\(run)")
      #expect(run.output.contains("1 done") == (exchange == .onFinish), "\(run)")
    }
    let seen = process.output.split(separator: "\n").filter { $0.hasPrefix("seen ") }
    #expect(seen.contains { $0.hasSuffix(" /moved") }, "\(seen)")
    #expect(!seen.contains { $0.hasSuffix(" /login") || $0.hasSuffix(" /used") }, "\(seen)")
  }
}
