import Foundation
import TestSupport
import Testing

/// Tokens that rotate, sealed values and their keys, and keys that the user passes:
/// the program as a whole.
struct CredentialTests {
  static let rotating = """
    pipeline: rotating
    inputs: { server: { type: url }, refresh: { type: secret }, files: { type: files, default: "files/*" } }
    credentials:
      api: { oauth2: { token_url: "${{ inputs.server }}/token", client: me, refresh_token: "${{ inputs.refresh }}" } }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 2
        steps:
          - id: put
            upload: { url: "${{ inputs.server }}/${{ urlEscape(file.name) }}", credentials: api, file: "${{ file }}" }

    """

  /// Rotates refresh tokens: the old one is used up once the access token that came with the new one is used.
  ///
  /// `GET` returns its state; `GET /N` first lets N more requests through,
  /// and holds the others until the next such number.
  private static let server = """
    import http.server, json, sys, threading, urllib.parse
    state = {'valid': ['r-token-0'], 'issued': 0, 'refused': [], 'put': [], 'held': 0, 'free': 1 << 30}
    lock = threading.Condition()
    def passage():
      state['held'] += 1
      lock.wait_for(lambda: state['free'] > 0)
      state['held'] -= 1; state['free'] -= 1
    class Handler(http.server.BaseHTTPRequestHandler):
      protocol_version = 'HTTP/1.1'
      def body(self): return self.rfile.read(int(self.headers.get('Content-Length', 0)))
      def answer(self, status, value):
        text = json.dumps(value).encode()
        self.send_response(status); self.send_header('Content-Length', str(len(text)))
        self.end_headers(); self.wfile.write(text)
      def do_GET(self):
        with lock:
          if self.path != '/': state['free'] = int(self.path[1:]); lock.notify_all()
          text = dict(state)
        self.answer(200, text)
      def do_POST(self):
        form = dict(urllib.parse.parse_qsl(self.body().decode()))
        with lock:
          passage()
          given = form.get('refresh_token')
          if given not in state['valid']:
            state['refused'].append(given); return self.answer(400, {'error': 'invalid_grant'})
          state['issued'] += 1; number = state['issued']
          state['valid'] = [given, 'r-token-%d' % number]
        self.answer(200, {'access_token': 'a-%d' % number, 'refresh_token': 'r-token-%d' % number, 'expires_in': 2})
      def do_PUT(self):
        self.body()
        with lock:
          passage()
          token = self.headers.get('Authorization', '')
          if not token.startswith('Bearer a-'): return self.answer(401, {})
          new = 'r-token-' + token.split('-')[1]
          if new in state['valid']: state['valid'] = state['valid'][state['valid'].index(new):]
          if self.path not in state['put']: state['put'].append(self.path)
        self.answer(200, {})
      def log_message(self, *a): pass
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    server.daemon_threads = True
    print(' port', server.server_port, flush=True)
    server.serve_forever()

    """

  struct ServerState: Decodable {
    let issued: Int
    let refused: [String?]
    let put: [String]
    let held: Int
    let free: Int
  }

  func start(_ scene: Scene) async throws -> (process: RunningCommand, url: String) {
    try scene.directory.write(Self.server, to: "server.py")
    let process = try scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"), ["python3", "-u", "server.py"])
    try await process.wait(for: " port ")
    let port = try #require(process.output.firstMatch(of: /port (\d+)/)).output.1
    return (process, "http://127.0.0.1:\(port)")
  }

  /// - Parameter free: How many more requests are let through; all where it is missing, and no number came before.
  @discardableResult
  func state(
    _ url: String, _ scene: Scene, free: Int? = nil
  ) async throws -> ServerState {
    let asked = try scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"),
      ["curl", "-s", url + (free.map { "/\($0)" } ?? "")])
    return try JSONDecoder().decode(
      ServerState.self, from: Data(try await asked.outcome().output.utf8))
  }

  /// A scene whose runs have a rotating token and a key of their own.
  private func scene(files: Int) throws -> Scene {
    var scene = try Scene()
    scene.pipeline.environment["PIPELINE_INPUT_REFRESH"] = "r-token-0"
    scene.pipeline.environment["PIPELINE_KEY"] = "a key that no one guesses"
    try scene.directory.write(Self.rotating, to: "rotating.yaml")
    try scene.files(files, size: 10)
    return scene
  }

  private func stored(_ scene: Scene, _ text: String) throws -> Bool {
    for name in try FileManager.default.subpathsOfDirectory(atPath: scene.pipeline.stateFolder) {
      let data = FileManager.default.contents(atPath: scene.pipeline.stateFolder + "/" + name)
      if data?.firstRange(of: Data(text.utf8)) != nil { return true }
    }
    return false
  }

  /// Waits until the server has let its number of requests through, and holds another one of a run.
  private func waitUntilHeld(_ url: String, _ scene: Scene, _ run: RunningCommand) async throws {
    while run.status == nil {
      let now = try await state(url, scene)
      if now.free == 0, now.held > 0 { return }
    }
    Issue.record("the run has ended: \(run.error)")
  }

  @Test func `a run with a rotating token is never locked out, however often it is killed`()
    async throws
  {
    let scene = try scene(files: 80)
    let (server, url) = try await start(scene)
    defer { withExtendedLifetime(server) {} }
    try await state(url, scene, free: 0)
    var run = try scene.pipeline.start(["run", "rotating.yaml", "--input", "server=\(url)"])
    for kill in 1...12 {
      try await waitUntilHeld(url, scene, run)
      // Every other process is killed when the server responds to held requests, and the others
      // before that. Held requests are carried out anyway.
      if kill % 2 == 0 { try await state(url, scene, free: 2) }
      try await run.killed()
      #expect(try !stored(scene, "r-token-"))
      try await state(url, scene, free: 2 + kill % 5)
      run = try scene.pipeline.start(["resume"])
    }
    try await waitUntilHeld(url, scene, run)
    try await state(url, scene, free: 1 << 30)
    let outcome = try await run.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    let end = try await state(url, scene)
    #expect(end.put.count == 80)
    #expect(end.refused.isEmpty)
    #expect(try !stored(scene, "r-token-"))
  }

  @Test func `with another key the run pauses without a request, and the old key still opens it`()
    async throws
  {
    var scene = try scene(files: 40)
    let (server, url) = try await start(scene)
    defer { withExtendedLifetime(server) {} }
    try await state(url, scene, free: 5)
    let run = try scene.pipeline.start(["run", "rotating.yaml", "--input", "server=\(url)"])
    try await waitUntilHeld(url, scene, run)
    try await run.killed()
    try await state(url, scene, free: 1 << 30)
    scene.pipeline.environment["PIPELINE_KEY"] = "another key, as long as it"
    let locked = try await scene.pipeline.run("resume")
    #expect(
      locked.description.contains("the sign-in of 'api': the key does not open it"), "\(locked)")
    #expect(locked.status != 0)
    #expect(try await state(url, scene).refused.isEmpty)
    scene.pipeline.environment["PIPELINE_KEY"] = "a key that no one guesses"
    try scene.directory.write("the key of next year\n", to: "next.key")
    let refused = try await scene.pipeline.run("change-key", "--new-key-file", "next.key")
    #expect(refused.error.contains("can be read by others"), "\(refused)")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: scene.directory.path("next.key"))
    let changed = try await scene.pipeline.run("change-key", "--new-key-file", "next.key")
    #expect(changed.status == 0 && changed.output.contains("changed"), "\(changed)")
    scene.pipeline.environment["PIPELINE_KEY"] = nil
    let done = try await scene.pipeline.run("resume", "--key-file", "next.key")
    #expect(done.status == 0, "\(done)")
    #expect(try await state(url, scene).put.count == 40)
  }

  @Test
  func `all runs continue one sign-in, in turn and at once, and it can be listed and removed`()
    async throws
  {
    let scene = try scene(files: 6)
    let (server, url) = try await start(scene)
    defer { withExtendedLifetime(server) {} }
    let empty = try await scene.pipeline.run("credentials")
    #expect(empty.output == "no sign-ins are stored\n")
    let signedIn = try await scene.pipeline.run(
      "credentials", "sign-in", "rotating.yaml", "--input", "server=\(url)")
    #expect(signedIn.status == 0, "\(signedIn)")
    let together = try ["one", "two"].map { state in
      try scene.pipeline.start([
        "run", "rotating.yaml", "--input", "server=\(url)", "--state", state,
      ])
    }
    for run in together {
      let outcome = try await run.outcome()
      #expect(outcome.status == 0, "\(outcome)")
    }
    #expect(try await state(url, scene).refused.isEmpty)
    #expect(try !stored(scene, "r-token-"))
    let listed = try await scene.pipeline.run("credentials", "list")
    let name = try #require(listed.output.firstMatch(of: #/([0-9a-f]{16}) /#)).output.1
    #expect(listed.output.contains("\(url)/token"), "\(listed)")
    let removed = try await scene.pipeline.run("credentials", "rm", String(name))
    #expect(removed.status == 0, "\(removed)")
    let missing = try await scene.pipeline.run("credentials", "rm", String(name))
    #expect(missing.status != 0 && missing.error.contains("no sign-in has the ID"), "\(missing)")
  }

  @Test func `a key in the state folder, or one that is too short, is refused`() async throws {
    var scene = try scene(files: 1)
    scene.pipeline.environment["PIPELINE_KEY"] = "short"
    let short = try await scene.pipeline.run(
      "run", "rotating.yaml", "--input", "server=http://127.0.0.1:1")
    #expect(short.error.contains("has 5 bytes, expected at least 16"), "\(short)")
    let inside = scene.pipeline.stateFolder + "/key"
    try FileManager.default.createDirectory(
      atPath: scene.pipeline.stateFolder, withIntermediateDirectories: true)
    try Data("long enough to be a key".utf8).write(to: URL(filePath: inside))
    let refused = try await scene.pipeline.run(
      "run", "rotating.yaml", "--input", "server=http://127.0.0.1:1", "--key-file", inside)
    #expect(refused.error.contains("is in the state folder"), "\(refused)")
    let failed = try await scene.pipeline.run(
      "run", "rotating.yaml", "--input", "server=http://127.0.0.1:1", "--key-command", "exit 3")
    #expect(failed.error.contains("--key-command ended with status 3"), "\(failed)")
  }

  @Test func `keys of the shared credentials file are used where the user names them`()
    async throws
  {
    var scene = try Scene()
    try scene.directory.write(
      """
      pipeline: given
      inputs: { server: { type: url } }
      credentials: { s3: { aws_v4: { region: us-east-1, service: s3, payload: unsigned } } }
      steps:
        - id: put
          request: { method: PUT, url: "${{ inputs.server }}/bucket/key", credentials: s3, text: hello }

      """, to: "given.yaml")
    try scene.directory.write(
      "# mine\n[default]\naws_access_key_id = OTHER\n\n[ci ]\naws_access_key_id=AKIDCI\naws_secret_access_key = s3cr3t/+=\n",
      to: "credentials")
    scene.pipeline.environment["AWS_SHARED_CREDENTIALS_FILE"] = scene.directory.path("credentials")
    scene.pipeline.environment["AWS_ACCESS_KEY_ID"] = "AKIDENV"
    scene.pipeline.environment["AWS_SECRET_ACCESS_KEY"] = "other-s3cr3t"
    let (server, url) = try await start(scene)
    defer { withExtendedLifetime(server) {} }
    let host = url.dropFirst("http://".count)
    let input = ["run", "given.yaml", "--input", "server=\(url)"]
    let missing = try await scene.pipeline.run(input)
    #expect(missing.error.contains("use --credentials s3=profile:PROFILE@HOST"), "\(missing)")
    for (given, message) in [
      ("s3=profile:ci", "expected NAME=profile:PROFILE@HOST"),
      ("s4=profile:ci@\(host)", "it has 's3'"), ("s3=profile:no@\(host)", "has no profile 'no'"),
      ("s3=profile:default@\(host)", "has no 'aws_secret_access_key'"),
      ("s3=environment@http://\(host)", "a host has no scheme"),
    ] {
      let outcome = try await scene.pipeline.run(input + ["--credentials", given])
      #expect(outcome.error.contains(message), "\(given): \(outcome)")
    }
    let elsewhere = try await scene.pipeline.run(
      input + ["--credentials", "s3=profile:ci@s3.example.com"])
    #expect(
      elsewhere.description.contains("are set for s3.example.com, and not for \(host)"),
      "\(elsewhere)")
    #expect(try await state(url, scene).put.isEmpty)
    for text in ["s3cr3t/+=", "AKIDCI", "other-s3cr3t"] {
      #expect(try !stored(scene, text))
      #expect(!elsewhere.description.contains(text))
    }
  }
}
