import Foundation
import TestSupport
import Testing

/// The program's records of its exchanges with servers: `-v`, `-vv`, `--log`, `--trace`, and the answers that failures keep.
struct RecordTests {
  private static let secret = "Pa55-Word/\\x"

  /// Issues a token, refuses every file with all details, and echoes the request.
  private static let server = """
    import http.server, sys
    class Handler(http.server.BaseHTTPRequestHandler):
      protocol_version = 'HTTP/1.1'
      def body(self): return self.rfile.read(int(self.headers.get('Content-Length', 0)))
      def answer(self, status, text, headers):
        self.send_response(status)
        for name, value in headers.items(): self.send_header(name, value)
        self.send_header('Content-Length', str(len(text))); self.end_headers(); self.wfile.write(text)
      def do_POST(self):
        self.body()
        self.answer(200, b'{"token": "T0KEN-of-the-day"}', {'Content-Type': 'application/json', 'X-Session': 'T0KEN-of-the-day'})
      def do_PUT(self):
        self.body()
        text = '<Error><Code>AccessDenied</Code>\\x1b[31m ' + str(self.headers) + self.path + ' ' + 'z' * 3000 + '</Error>'
        self.answer(403, text.encode(), {
          'Content-Type': 'application/xml', 'X-Amz-Request-Id': 'REQ-42', 'x-amz-id-2': 'abc==', 'Set-Cookie': 'c00kie=1'})
      def log_message(self, *a): pass
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    server.daemon_threads = True
    print(' port', server.server_port, flush=True)
    server.serve_forever()

    """

  private static let pipeline = """
    pipeline: refused
    inputs: { server: { type: url }, password: { type: secret }, files: { type: files, default: "files/*.bin" } }
    steps:
      - id: sign_in
        request: { method: POST, url: "${{ inputs.server + '/in' }}", json: { p: "${{ inputs.password }}" } }
        effect: repeatable
        outputs: { token: { value: "${{ response.json.token }}", secret: true } }
      - for_each: file
        in: ${{ inputs.files }}
        steps:
          - id: put
            upload:
              url: ${{ inputs.server + "/" + urlEscape(file.name) + "?X-Amz-Signature=5ign" }}
              bearer: ${{ steps.sign_in.token }}
              file: ${{ file }}

    """

  private func start() async throws -> (scene: Scene, process: RunningCommand, url: String) {
    var scene = try Scene()
    scene.pipeline.environment["PIPELINE_INPUT_PASSWORD"] = Self.secret
    try scene.directory.write(Self.server, to: "server.py")
    try scene.directory.write(Self.pipeline, to: "refused.yaml")
    try scene.files(2)
    let process = try scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"), ["python3", "-u", "server.py"])
    try await process.wait(for: " port ")
    let port = try #require(process.output.firstMatch(of: /port (\d+)/)).output.1
    return (scene, process, "http://127.0.0.1:\(port)")
  }

  private static func holdsSecret(_ text: String) -> Bool {
    [secret, "Pa55-Word", "T0KEN-of", "5ign", "c00kie"].contains { text.contains($0) }
  }

  @Test func `a failure keeps the status, the body's start and the request's names`() async throws {
    let (scene, process, url) = try await start()
    defer { process.signal(SIGKILL) }
    let run = try await scene.pipeline.run(
      "run", "refused.yaml", "--input", "server=\(url)", "--progress", "json")
    #expect(run.status == 1, "\(run)")
    let items = try run.output.split(separator: "\n").map { try JSON.object($0) }
      .filter { $0["event"] as? String == "item" }
    #expect(items.count == 2)
    let answer = try #require(items.first?["response"] as? [String: Any], "\(run)")
    #expect(answer["status"] as? Int == 403)
    #expect(
      answer["request_ids"] as? [String: String]
        == ["X-Amz-Request-Id": "REQ-42", "x-amz-id-2": "abc=="])
    let body = try #require(answer["body"] as? String)
    #expect(body.hasPrefix(#"<Error><Code>AccessDenied</Code>\u001b[31m "#), "\(body)")
    #expect(body.utf8.count == 2048)
    #expect((answer["body_bytes"] as? Int ?? 0) > 3000)

    let explain = try await scene.pipeline.run("explain")
    #expect(
      explain.output.contains(
        "    the server's response 403 (X-Amz-Request-Id: REQ-42; x-amz-id-2: abc==):\n"),
      "\(explain)")
    #expect(explain.output.contains("\n      <Error><Code>AccessDenied</Code>\\u001b[31m "))
    let item = try await scene.pipeline.run("explain", "0/1")
    #expect(item.output.contains("the server's response 403"), "\(item)")
    let history = try await scene.pipeline.run("history", "0/1")
    #expect(history.output.contains("the server's response 403"), "\(history)")
    let form = try JSON.object(
      try await scene.pipeline.run("explain", "0/1", "--format", "json").output)
    let steps = try #require(form["steps"] as? [[String: Any]])
    #expect((steps.last?["response"] as? [String: Any])?["status"] as? Int == 403)

    let plain = try await scene.pipeline.run("retry", "--progress", "plain")
    #expect(plain.error.contains(" [X-Amz-Request-Id: REQ-42]\n"), "\(plain)")
    for text in [run, explain, item, history, plain].map(\.description) {
      #expect(!Self.holdsSecret(text) && !text.contains("\u{1b}"), "\(text)")
    }
  }

  @Test func `-v shows each exchange in a line, -vv its headers and bodies`() async throws {
    let (scene, process, url) = try await start()
    defer { process.signal(SIGKILL) }
    let lines = try await scene.pipeline.run(
      "run", "refused.yaml", "--input", "server=\(url)", "-v", "--progress", "plain")
    #expect(
      lines.error.contains(
        /POST http:\S+\/in 200, \d+ ms, \d+ B sent, 29 B received \(sign_in\)\n/), "\(lines)")
    #expect(
      lines.error.contains(
        /PUT \S+file-0001.bin\?X-Amz-Signature=\*\*\* 403, \d+ ms, 501 B sent, [\d.]+ KiB received \(put of files\/file-0001.bin; X-Amz-Request-Id: REQ-42;/
      ), "\(lines)")
    #expect(!lines.error.contains("\n  > "))
    let whole = try await scene.pipeline.run("retry", "-vv")
    #expect(whole.error.contains("\n  > Authorization: ***\n"), "\(whole)")
    #expect(whole.error.contains("\n  > {\"p\":\"***\"}\n"), "\(whole)")
    #expect(whole.error.contains("\n  < X-Session: ***\n"), "\(whole)")
    #expect(
      whole.error.contains("\n  < (29 B: not shown: the step has secret outputs)\n"), "\(whole)")
    #expect(whole.error.contains("\n  < 403\n"), "\(whole)")
    #expect(whole.error.contains("\n  < <Error><Code>AccessDenied</Code>\\u001b"), "\(whole)")
    let none = try await scene.pipeline.run("retry")
    #expect(!none.error.contains("PUT http"), "\(none)")
  }

  @Test func `neither the terminal, nor the log, nor the trace has a secret`() async throws {
    let (scene, process, url) = try await start()
    defer { process.signal(SIGKILL) }
    let shown = try await scene.pipeline.run(
      "run", "refused.yaml", "--input", "server=\(url)", "-vv")
    _ = try await scene.pipeline.run("retry", "-vv", "--log", "run.log", "--trace", "run.har")
    let log = scene.directory.text(of: "run.log")
    let trace = scene.directory.text(of: "run.har")
    #expect(log.contains("  > Authorization: ***"), "\(log)")
    #expect(trace.contains("AccessDenied"), "\(trace)")
    for text in [shown.description, log, trace] {
      #expect(!Self.holdsSecret(text), "\(text)")
      #expect(!text.contains("\u{1b}"))
    }
  }

  @Test func `the log and the trace are readable by their owner only, even if they existed`()
    async throws
  {
    let (scene, process, url) = try await start()
    defer { process.signal(SIGKILL) }
    try scene.directory.write("an earlier line\n", to: "run.log")
    try scene.directory.write(String(repeating: "junk ", count: 100_000), to: "run.har")
    for name in ["run.log", "run.har"] {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: scene.directory.path(name))
    }
    let run = try await scene.pipeline.run(
      "run", "refused.yaml", "--input", "server=\(url)", "--log", "run.log", "--trace", "run.har",
      "-v", "--progress", "plain")
    #expect(run.status == 1)
    #expect(!run.error.contains("PUT http"), "what goes to the log is not shown: \(run)")
    for name in ["run.log", "run.har"] {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: scene.directory.path(name))
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
    let lines = scene.directory.text(of: "run.log").split(separator: "\n")
    #expect(lines.first == "an earlier line")
    for line in lines.dropFirst() {
      #expect(line.contains(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z  .*\S/), "\(line)")
    }
    #expect(lines.contains { $0.contains(/PUT \S+ 403,/) })
    #expect(lines.contains { $0.contains(/0\/1 failed files\/file-0001.bin:/) })
    #expect(lines.contains { $0.contains(/run refused-\S+: finished in .*: 2 failed/) })
    let refused = try await scene.pipeline.run("retry", "--log", "no/such/folder/run.log")
    #expect(refused.status == 3, "\(refused)")
    #expect(refused.error.contains("--log: 'no/such/folder/run.log' cannot be written: "))
  }

  @Test func `a trace is HAR 1.2, also of a run that is killed`() async throws {
    let (scene, process, url) = try await start()
    try scene.directory.write(Self.schema, to: "har.schema.json")
    _ = try await scene.pipeline.run(
      "run", "refused.yaml", "--input", "server=\(url)", "--trace", "whole.har")
    let check = try await scene.pipeline.run(
      "validate", "--schema", "har.schema.json", "whole.har")
    #expect(check.status == 0, "\(check)")
    let log = try #require(
      JSON.object(scene.directory.text(of: "whole.har"))["log"] as? [String: Any])
    let entries = try #require(log["entries"] as? [[String: Any]])
    #expect(entries.count == 3)
    let puts = entries.filter { $0["_step"] as? String == "put" }
    #expect(Set(puts.compactMap { $0["_item"] as? String }) == ["0/0", "0/1"])
    let answer = try #require(puts.first?["response"] as? [String: Any])
    #expect(answer["status"] as? Int == 403)
    for entry in entries {
      let timings = try #require(entry["timings"] as? [String: Double])
      let sum = timings.values.filter { $0 > 0 }.reduce(0, +)
      #expect(abs(sum - (entry["time"] as? Double ?? -1)) < 0.01, "\(entry)")
    }

    // Without a server there is no answer, and the run is killed while it tries again.
    process.signal(SIGKILL)
    let retry = try scene.pipeline.start(["retry", "--trace", "killed.har"])
    try await retry.wait("an entry") {
      scene.directory.text(of: "killed.har").contains("_error")
    }
    try await retry.killed()
    let killed = try await scene.pipeline.run(
      "validate", "--schema", "har.schema.json", "killed.har")
    #expect(killed.status == 0, "\(killed)")
  }

  /// What HAR 1.2 requires (softwareishard.com/blog/har-12-spec).
  private static let schema = """
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "type": "object", "required": ["log"],
      "properties": { "log": {
        "type": "object", "required": ["version", "creator", "entries"],
        "properties": {
          "version": { "const": "1.2" },
          "creator": { "$ref": "#/$defs/creator" },
          "entries": { "type": "array", "items": { "$ref": "#/$defs/entry" } } } } },
      "$defs": {
        "creator": { "type": "object", "required": ["name", "version"],
          "properties": { "name": { "type": "string" }, "version": { "type": "string" } } },
        "entry": {
          "type": "object",
          "required": ["startedDateTime", "time", "request", "response", "cache", "timings"],
          "properties": {
            "startedDateTime": { "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]+Z$" },
            "time": { "type": "number", "minimum": 0 },
            "cache": { "type": "object" },
            "request": { "$ref": "#/$defs/request" }, "response": { "$ref": "#/$defs/response" },
            "timings": { "type": "object", "required": ["send", "wait", "receive"],
              "properties": {
                "send": { "type": "number", "minimum": 0 }, "wait": { "type": "number", "minimum": 0 },
                "receive": { "type": "number", "minimum": 0 }, "connect": { "type": "number", "minimum": -1 },
                "dns": { "type": "number", "minimum": -1 }, "blocked": { "type": "number", "minimum": -1 } } } },
          "patternProperties": { "^_": true }, "additionalProperties": false },
        "pairs": { "type": "array", "items": { "type": "object", "required": ["name", "value"],
          "properties": { "name": { "type": "string" }, "value": { "type": "string" } } } },
        "request": {
          "type": "object",
          "required": ["method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize"],
          "properties": {
            "method": { "type": "string" }, "url": { "type": "string", "minLength": 1 }, "httpVersion": { "type": "string" },
            "cookies": { "type": "array" }, "headers": { "$ref": "#/$defs/pairs" },
            "queryString": { "$ref": "#/$defs/pairs" }, "headersSize": { "type": "integer" },
            "bodySize": { "type": "integer" },
            "postData": { "type": "object", "required": ["mimeType", "text"] } } },
        "response": {
          "type": "object",
          "required": ["status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize", "bodySize"],
          "properties": {
            "status": { "type": "integer" }, "statusText": { "type": "string" }, "httpVersion": { "type": "string" },
            "cookies": { "type": "array" }, "headers": { "$ref": "#/$defs/pairs" },
            "redirectURL": { "type": "string" }, "headersSize": { "type": "integer" }, "bodySize": { "type": "integer" },
            "content": { "type": "object", "required": ["size", "mimeType"],
              "properties": { "size": { "type": "integer" }, "mimeType": { "type": "string" }, "text": { "type": "string" } } } } }
      }
    }
    """
}
