import Foundation
import TestSupport
import Testing

/// The reach of an untrusted pipeline, and where secrets are stored: the program as a whole (docs/security.md).
struct SecurityTests {
  private static let password = "Pa55-Word/&\"x"

  private static let secretBodies = """
    pipeline: bodies
    inputs: { server: { type: url }, password: { type: secret }, file: { type: file, default: own.bin } }
    budgets: { disk: 1 KiB }
    retry: { standard: { attempts: 2, backoff: { initial: 50ms } } }
    steps:
      - id: sign_in
        request: { method: POST, url: "${{ inputs.server + '/ok' }}", json: { p: "${{ inputs.password }}" } }
        effect: repeatable
        outputs: { token: "${{ string(response.json.id) + '-T0KEN-' + inputs.password }}" }
      - for_each: r
        in: ${{ ["a"] }}
        steps:
          - id: body
            materialize: { json: { token: "${{ steps.sign_in.token }}", at: "${{ string(now) }}" }, digests: [sha256] }
          - id: form
            materialize:
              multipart:
                - { name: policy, text: "${{ inputs.password }}" }
                - { name: file, file: "${{ inputs.file }}" }
          - id: put
            upload: { url: "${{ inputs.server + '/put/json' }}", file: "${{ steps.body.file }}", headers: { Digest: "${{ steps.body.file.sha256 }}" } }
          - id: put_form
            upload: { url: "${{ inputs.server + '/put/form' }}", file: "${{ steps.form.file }}" }
            depends_on: [put]

    """

  /// Answers `/ok` with an id; stores PUT bodies,
  /// and does not respond to them as long as there is a file `hang`.
  private static let server = """
    import http.server, os, sys, threading
    class Handler(http.server.BaseHTTPRequestHandler):
      protocol_version = 'HTTP/1.1'
      def body(self): return self.rfile.read(int(self.headers.get('Content-Length', 0)))
      def answer(self, status, text, headers={}):
        self.send_response(status)
        for name, value in headers.items(): self.send_header(name, value)
        self.send_header('Content-Length', str(len(text))); self.end_headers(); self.wfile.write(text)
      def do_POST(self):
        self.body(); self.answer(200, b'{"id": 7}')
      def do_GET(self):
        self.answer(302, b'', {'Location': self.path[1:]})
      def do_PUT(self):
        body = self.body(); name = self.path.split('/')[-1]
        with open(name + '.tmp', 'wb') as file: file.write(body)
        os.rename(name + '.tmp', name + '.got')
        with open(name + '.digest', 'w') as file: file.write(self.headers.get('Digest', ''))
        if os.path.exists('hang'): threading.Event().wait()
        self.answer(200, b'')
      def log_message(self, *a): pass
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    server.daemon_threads = True
    print(' port', server.server_port, flush=True)
    server.serve_forever()

    """

  private func start(_ scene: Scene) async throws -> (process: RunningCommand, url: String) {
    try scene.directory.write(Self.server, to: "server.py")
    let process = try scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"), ["python3", "-u", "server.py"])
    try await process.wait(for: " port ")
    let port = try #require(process.output.firstMatch(of: /port (\d+)/)).output.1
    return (process, "http://127.0.0.1:\(port)")
  }

  /// All bytes below a folder.
  private func bytes(below folder: String) throws -> Data {
    var all = Data()
    for case let name as String in FileManager.default.enumerator(atPath: folder)
      ?? FileManager.DirectoryEnumerator()
    {
      all += FileManager.default.contents(atPath: folder + "/" + name) ?? Data()
    }
    return all
  }

  @Test func `a body with a secret is never stored, and is sent again unchanged after a kill`()
    async throws
  {
    var scene = try Scene()
    scene.pipeline.environment["PIPELINE_INPUT_PASSWORD"] = Self.password
    try scene.directory.write(Self.secretBodies, to: "bodies.yaml")
    // More than the disk budget: bodies that are not written do not use it.
    let content = Data(repeating: 7, count: 100_000)
    try scene.directory.write(content, to: "own.bin")
    try scene.directory.write("", to: "hang")
    let (server, url) = try await start(scene)
    defer { withExtendedLifetime(server) {} }
    let run = try scene.pipeline.start(["run", "bodies.yaml", "--input", "server=\(url)"])
    let sent = scene.directory.path("json.got")
    try await run.wait("the body at the server") { FileManager.default.fileExists(atPath: sent) }
    try await run.killed()
    let rest = try bytes(below: scene.pipeline.stateFolder)
    for secret in [Self.password, "7-T0KEN", #"Pa55-Word\/"#, "Pa55-Word"] {
      #expect(rest.firstRange(of: Data(secret.utf8)) == nil, "\(secret)")
    }
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: scene.runFolder() + "/files")
        .filter { !$0.allSatisfy(\.isNumber) }.isEmpty)

    try FileManager.default.removeItem(atPath: scene.directory.path("hang"))
    let resumed = try await scene.pipeline.run("resume")
    #expect(resumed.status == 0, "\(resumed)")
    let json = try #require(FileManager.default.contents(atPath: sent))
    let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: String])
    #expect(object["token"] == "7-T0KEN-\(Self.password)")
    let digest = try String(contentsOfFile: scene.directory.path("json.digest"), encoding: .utf8)
    let sum = try scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"), ["sha256sum", "json.got"])
    #expect(try await sum.outcome().output.hasPrefix(digest) && digest.count == 64)
    let form = try #require(FileManager.default.contents(atPath: scene.directory.path("form.got")))
    #expect(form.firstRange(of: Data(Self.password.utf8)) != nil)
    #expect(form.firstRange(of: content) != nil)
    let end = try bytes(below: scene.pipeline.stateFolder)
    #expect(end.firstRange(of: Data("Pa55-Word".utf8)) == nil)
  }

  // MARK: Hosts

  private static let stranger = """
    pipeline: stranger
    inputs:
      server: { type: url }
      photos: { type: files, default: "*.jpg" }
      password: { type: secret }
    steps:
      - id: allocate
        request: { method: POST, url: "${{ inputs.server + '/v1/' + run.id }}", bearer: "${{ inputs.password }}" }
        effect: repeatable
        outputs: { url: "${{ response.json.url }}", id: "${{ response.json.id }}" }
      - id: stats
        request: { url: "https://Stats.example.com/x?${{ run.id }}", headers: { X-Key: "${{ inputs.password }}" } }
      - for_each: photo
        in: ${{ inputs.photos }}
        steps:
          - id: put
            upload: { url: "${{ steps.allocate.url + '/' + urlEscape(photo.name) }}", file: "${{ photo }}" }

    """

  @Test func `an audit lists hosts, files and secrets, and the destination of each secret`()
    async throws
  {
    let scene = try Scene()
    try scene.directory.write(Self.stranger, to: "stranger.yaml")
    let audit = try await scene.pipeline.run("validate", "stranger.yaml", "--audit")
    #expect(audit.status == 0, "\(audit)")
    #expect(
      audit.output == """
        stranger.yaml
          hosts
            a host named by the input 'server': allocate
            https://stats.example.com: stats
            a host named by the response of 'allocate': put
          files
            the input 'photos': *.jpg
          secrets
            inputs.password: a host named by the input 'server'; https://stats.example.com

        """)
    let json = try await scene.pipeline.run(
      "validate", "stranger.yaml", "--audit", "--format", "json")
    let files = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
    let report = try #require(files.first?["audit"] as? [String: Any])
    let hosts = try #require(report["hosts"] as? [[String: Any]])
    #expect(hosts.map { $0["host"] as? String } == [nil, "https://stats.example.com", nil])
    #expect(hosts.map { $0["answers"] as? [String] } == [[], [], ["allocate"]])
    #expect((report["secrets"] as? [[String: Any]])?.first?["name"] as? String == "inputs.password")

    try scene.directory.write("x", to: "a.jpg")
    let plan = try await scene.pipeline.run(
      "run", "stranger.yaml", "--dry-run", "--input", "server=https://api.example.com")
    #expect(
      plan.output.contains(
        "a host named by the input 'server' (https://api.example.com): allocate"), "\(plan)")
  }

  @Test(arguments: [
    ("${{ inputs.srv }}/a", "a host named by the input 'srv'"),
    ("${{ inputs.srv }}", "a host named by the input 'srv'"),
    ("${{ inputs.srv + '/a' }}", "a host named by the input 'srv'"),
    (
      "${{ inputs.srv + '@127.0.0.2:18080/y' }}",
      "a host named by the expression ${{ inputs.srv }}@127.0.0.2:18080/y"
    ),
    (
      "${{ true ? 'http://127.0.0.2/y' : inputs.srv }}",
      "a host named by the expression ${{ true ? 'http://127.0.0.2/y' : inputs.srv }}"
    ),
    (
      "${{ inputs.srv.replace('a', 'b') }}/y",
      "a host named by the expression ${{ inputs.srv.replace('a', 'b') }}/y"
    ),
    (
      "${{ inputs.srv }}.evil.example/",
      "a host named by the expression ${{ inputs.srv }}.evil.example/"
    ),
  ])
  func `an input is reported to name a host only where nothing else contributes to it`(
    _ url: String, _ host: String
  ) async throws {
    let scene = try Scene()
    try scene.directory.write(
      """
      pipeline: p
      inputs: { srv: { type: url } }
      steps:
        - id: a
          request: { url: "\(url)" }

      """, to: "a.yaml")
    let audit = try await scene.pipeline.run("validate", "a.yaml", "--audit")
    #expect(audit.output.contains("\n    \(host): a\n"), "\(audit)")
  }

  @Test func `an audit finds secrets in keys and in the entries of a batch`()
    async throws
  {
    let scene = try Scene()
    try scene.directory.write(
      """
      pipeline: p
      inputs: { one: { type: secret }, two: { type: secret } }
      steps:
        - id: create
          request: { method: POST, url: "https://keys.example.com/" }
          effect: create
          idempotency: { header: Idempotency-Key, key: "x-${{ inputs.one }}" }
        - for_each: number
          in: ${{ [1, 2] }}
          steps:
            - id: all
              batch: { items: 2, within: 1s, entry: "${{ inputs.two + string(number) }}" }
              request: { method: PUT, url: "https://batches.example.com/", json: "${{ batch.entries }}" }
              results:
                each: ${{ response.json[batch.index] }}
                on: [{ then: success }]

      """, to: "a.yaml")
    let audit = try await scene.pipeline.run("validate", "a.yaml", "--audit")
    #expect(audit.output.contains("inputs.one: https://keys.example.com\n"), "\(audit)")
    #expect(audit.output.contains("inputs.two: https://batches.example.com\n"), "\(audit)")
  }

  @Test func `a URL has no user before its host`() async throws {
    let scene = try Scene()
    let text = """
      pipeline: p
      inputs: { srv: { type: url } }
      steps:
        - id: a
          request: { url: "${{ inputs.srv + '@127.0.0.1:9/y' }}" }

      """
    try scene.directory.write(text, to: "a.yaml")
    let run = try await scene.pipeline.run("run", "a.yaml", "--input", "srv=http://a.example")
    #expect(run.status == 1)
    #expect((run.output + run.error).contains("has a user before its host"), "\(run)")
    try scene.directory.write(
      text.replacing("${{ inputs.srv + '@127.0.0.1:9/y' }}", with: "http://u:p@127.0.0.1:9/"),
      to: "b.yaml")
    let literal = try await scene.pipeline.run("validate", "b.yaml")
    #expect(literal.output.contains("error[invalid-url]"), "\(literal)")
  }

  @Test func `a host that is not allowed gets nothing, and the failure names it`() async throws {
    let scene = try Scene()
    let (server, url) = try await start(scene)
    defer { withExtendedLifetime(server) {} }
    try scene.directory.write(
      """
      pipeline: p
      inputs: { server: { type: url } }
      steps:
        - id: a
          request: { method: POST, url: "${{ inputs.server + '/ok' }}" }

      """, to: "a.yaml")
    let refused = try await scene.pipeline.run(
      "run", "a.yaml", "--input", "server=\(url)", "--allow-host", "api.example.com",
      "--allow-host", "*.example.org")
    #expect(refused.status == 1, "\(refused)")
    #expect((refused.output + refused.error).contains(url.dropFirst(7)), "\(refused)")
    #expect((refused.output + refused.error).contains("--allow-host"), "\(refused)")
    let wrong = try await scene.pipeline.run(
      "retry", "--allow-host", "http://127.0.0.1")
    #expect(wrong.status == 64, "\(wrong)")
    let allowed = try await scene.pipeline.run("resume", "--allow-host", "127.0.0.1")
    #expect(allowed.status == 0, "\(allowed)")
  }

  /// The host is of a block that no machine has (RFC 5737 §3).
  @Test func `a secret is sent to another machine over plain http only if the user allows it`()
    async throws
  {
    let scene = try Scene()
    try scene.directory.write(
      """
      pipeline: p
      inputs: { token: { type: secret } }
      retry: { standard: { attempts: 1 } }
      steps:
        - id: tell
          request: { url: "http://203.0.113.1:9/", bearer: "${{ inputs.token }}", timeout: 1s }

      """, to: "a.yaml")
    let plain = "without encryption; use https, or allow it with --insecure"
    try scene.directory.write("t0ken", to: "token.txt")
    let options = ["a.yaml", "--input", "token=@token.txt", "--network-timeout", "1s"]
    let refused = try await scene.pipeline.run(["run"] + options)
    #expect(refused.status == 1, "\(refused)")
    #expect((refused.output + refused.error).contains(plain), "\(refused)")
    let tried = try await scene.pipeline.run(["run", "--insecure"] + options)
    #expect(tried.status != 0, "\(tried)")
    #expect(!(tried.output + tried.error).contains(plain), "\(tried)")
    #expect((tried.output + tried.error).contains("203.0.113.1"), "\(tried)")
  }

  // MARK: Files

  @Test func `a map that looks like a file is not accepted as one`() async throws {
    let scene = try Scene()
    let (server, url) = try await start(scene)
    defer { withExtendedLifetime(server) {} }
    try scene.directory.write("secret", to: "secret.txt")
    let path = scene.directory.path("secret.txt")
    #expect(
      utimes(
        path,
        [timeval(tv_sec: 1_700_000_000, tv_usec: 0), timeval(tv_sec: 1_700_000_000, tv_usec: 0)])
        == 0)
    let file = """
      {'path': '\(path)', 'name': 'x', 'size': 6, 'modified': timestamp('2023-11-14T22:13:20Z')}
      """
    for (items, expression) in [("[1]", "dyn(\(file))"), ("[dyn(\(file))]", "one")] {
      try scene.directory.write(
        """
        pipeline: p
        inputs: { server: { type: url } }
        steps:
          - for_each: one
            in: ${{ \(items) }}
            steps:
              - id: put
                upload: { url: "${{ inputs.server + '/put/stolen' }}", file: "${{ \(expression) }}" }

        """, to: "flows/a.yaml")
      let outcome = try await scene.pipeline.run(
        "run", "flows/a.yaml", "--input", "server=\(url)")
      #expect(outcome.status != 0, "\(outcome)")
      #expect(!FileManager.default.fileExists(atPath: scene.directory.path("stolen.got")))
      let why = try await scene.pipeline.run("explain")
      #expect(
        (outcome.output + outcome.error + why.output).contains(
          "is not a file of an input or of a step"), "\(outcome) \(why)")
    }
  }

  @Test func `graph and resume reach as far as validate and run`() async throws {
    let scene = try Scene()
    try scene.directory.write(
      "definitions: d\nretry: { r: { attempts: 1, exhausted: pause } }\n", to: "d.yaml")
    let text = """
      pipeline: p
      use: [../d.yaml]
      steps:
        - id: a
          request: { url: "http://127.0.0.1:9/" }
          retry: r

      """
    try scene.directory.write(text, to: "flows/a.yaml")
    let refused = try await scene.pipeline.run("graph", "flows/a.yaml")
    #expect(refused.status == 2 && refused.error.contains("it is outside"), "\(refused)")
    #expect(try await scene.pipeline.run("graph", "flows/a.yaml", "--root", ".").status == 0)
    #expect(try await scene.pipeline.run("run", "flows/a.yaml", "--root", ".").status == 1)
    try scene.directory.write("description: later\n" + text, to: "flows/a.yaml")
    let resumed = try await scene.pipeline.run("resume", "--accept-changes")
    #expect(!resumed.error.contains("lies outside"), "\(resumed)")
    try scene.directory.write("description: again\n" + text, to: "flows/a.yaml")
    let narrow = try await scene.pipeline.run("resume", "--accept-changes", "--root", "flows")
    #expect(narrow.status == 2, "\(narrow)")
  }
}
