import Foundation
import TestSupport
import Testing

/// Every mistake of the world around the program has words of its own.
struct BadInputTests {
  /// Root reads and writes everything; without these capabilities permissions bind it too.
  private static let unprivileged =
    geteuid() == 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []

  /// Whether a permission can bind the program here.
  static let canBePermitted =
    geteuid() != 0 || FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")

  private func scene(_ definition: String = Definitions.put) throws -> Scene {
    let scene = try Scene()
    try scene.files(2)
    try scene.directory.write(definition, to: "test.yaml")
    return scene
  }

  static func runUnprivileged(
    _ scene: Scene, _ arguments: String...
  ) async throws -> CommandRunner.Outcome {
    try await runUnprivileged(scene, arguments)
  }

  static func runUnprivileged(
    _ scene: Scene, _ arguments: [String]
  ) async throws -> CommandRunner.Outcome {
    let command =
      Self.unprivileged + [CommandRunner.binary.path(percentEncoded: false)] + arguments
    let process = try scene.pipeline.start(executable: URL(filePath: "/usr/bin/env"), command)
    return try await process.outcome()
  }

  // MARK: Files

  @Test func `a pipeline that is not there, or is a folder, is named`() async throws {
    let scene = try scene()
    for command in [["run"], ["validate"], ["graph"]] {
      let missing = try await scene.pipeline.run(command + ["nowhere.yaml"])
      #expect(missing.status == 2)
      #expect(
        missing.error == "pipeline: error: cannot read 'nowhere.yaml': no such file or folder\n")
      let folder = try await scene.pipeline.run(command + ["files"])
      #expect(folder.status == 2)
      let reason =
        command == ["validate"]
        ? "the folder 'files' contains no pipeline" : "cannot read 'files': it is a folder"
      #expect(folder.error == "pipeline: error: \(reason)\n")
    }
  }

  @Test(arguments: [
    ("files=nowhere/*.bin", "cannot read folder '", "no such file or directory"),
    ("files=files/nowhere.bin", "cannot read '", "no such file or directory"),
    ("files=files/*.jpg", "no file matches 'files/*.jpg' in '", "/pipeline-test-"),
  ])
  func `a pattern that matches nothing is refused, and does not leave a run behind`(
    input: String, message: String, reason: String
  ) async throws {
    let scene = try scene()
    let outcome = try await scene.pipeline.run(
      "run", "test.yaml", "--input", "server=http://127.0.0.1:9", "--input", input)
    #expect(outcome.status == 2)
    #expect(outcome.error.hasPrefix("pipeline: error: input 'files': \(message)"), "\(outcome)")
    #expect(outcome.error.contains(reason), "\(outcome)")
    #expect(try await scene.pipeline.run("runs").output.hasPrefix("no runs in"))
  }

  @Test(.enabled(if: canBePermitted, "setpriv(1) is needed to take root's privileges away"))
  func `a file that may not be read fails only its own item`() async throws {
    let scene = try scene()
    let server = try await scene.server()
    chmod(scene.directory.path("files/file-0001.bin"), 0)
    let outcome = try await Self.runUnprivileged(
      scene, "run", "test.yaml", "--input", "server=\(server.url)")
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.contains("1 done, 1 failed"))
    #expect(outcome.error.contains("failed files/file-0001.bin: cannot read '"), "\(outcome)")
    #expect(outcome.error.contains("permission denied"))
  }

  @Test func `a file that shrinks while it is sent fails clearly, and is not sent mixed`()
    async throws
  {
    let scene = try scene(Definitions.put.replacing("concurrency: 2", with: "concurrency: 1"))
    // More than fits into the sockets' buffers, so that most of it is not read yet;
    // a hole needs no disk space.
    truncate(scene.directory.path("files/file-0000.bin"), 64 << 20)
    let server = try await scene.server("--suspend-at", "1")
    let run = try scene.pipeline.start("run", "test.yaml", "--input", "server=\(server.url)")
    try await server.waitUntilSuspended()
    truncate(scene.directory.path("files/file-0000.bin"), 100_000)
    server.goOn()
    let outcome = try await run.outcome()
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.contains("1 done, 1 "), "\(outcome)")
    #expect(outcome.error.contains(" files/file-0000.bin: "), "\(outcome)")
    #expect(outcome.error.contains("changed"), "\(outcome)")
    #expect(server.journal.filter { $0.event == "store_file" }.map(\.name) == ["file-0001.bin"])
  }

  @Test func `a download larger than the disk budget fails its item with both numbers`()
    async throws
  {
    let scene = try scene(Definitions.fetch)
    try scene.directory.write(Data(repeating: 7, count: 20_480), to: "files/file-0000.bin")
    let server = try await scene.server("--store", scene.directory.path("server"))
    let outcome = try await scene.pipeline.run(
      "run", "test.yaml", "--input", "server=\(server.url)")
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.contains("1 done, 1 failed"), "\(outcome)")
    let words = "needs 20480 bytes, but the disk budget is 10240 bytes"
    #expect(outcome.error.contains(words), "\(outcome)")
  }

  // MARK: Definitions

  @Test(arguments: [
    ("pipelin: x\nsteps: []\n", "unknown-key", "'pipeline'"),
    ("pipeline: x\nstepps: []\n", "unknown-key", "'steps'"),
    ("pipeline: 5\nsteps: []\n", "wrong-type", "1:11"),
    ("pipeline: [\n", "yaml-syntax", "test.yaml:2:1"), ("", "empty-document", "no document"),
  ])
  func `a definition with a mistake is refused with the place and the nearest word`(
    text: String, code: String, hint: String
  ) async throws {
    let scene = try scene(text)
    for command in ["run", "graph"] {
      let outcome = try await scene.pipeline.run(command, "test.yaml")
      #expect(outcome.status == 2)
      #expect(outcome.error.contains("error[\(code)]"), "\(outcome)")
      #expect(outcome.error.contains(hint), "\(outcome)")
    }
    #expect(try await scene.pipeline.run("runs").output.hasPrefix("no runs in"))
  }

  // MARK: Servers

  @Test(arguments: [
    ("http://127.0.0.1:9", "127.0.0.1:9: connection refused"),
    ("http://no-such-host.invalid", "no-such-host.invalid:80: name not resolved"),
  ])
  func `a server that cannot be reached pauses the items and is named`(
    url: String, message: String
  ) async throws {
    let scene = try scene()
    let outcome = try await scene.pipeline.run("run", "test.yaml", "--input", "server=\(url)")
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.contains("2 paused"))
    #expect(outcome.error.contains("gave up after 2 attempts: \(message)"), "\(outcome)")
    let explained = try await scene.pipeline.run("explain")
    #expect(explained.output.contains("unblocked by: `pipeline retry put-"), "\(explained)")
  }

  @Test func `a certificate for another name is refused, and nothing is sent`() async throws {
    let scene = try scene()
    let server = try await TLSServer(scene, name: "other.example")
    let outcome = try await scene.pipeline.run(
      "run", "test.yaml", "--input", "server=https://localhost:\(server.port)", "--ca-file",
      server.certificate)
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.error.contains("localhost:\(server.port): "), "\(outcome)")
    #expect(outcome.error.lowercased().contains("certificate"), "\(outcome)")
    #expect(!server.process.output.contains("PUT"))
    let untrusted = try await scene.pipeline.run(
      "run", "test.yaml", "--input", "server=https://localhost:\(server.port)")
    #expect(untrusted.status == 1)
    #expect(untrusted.error.lowercased().contains("certificate"), "\(untrusted)")
  }

  @Test func `a file of authorities that cannot be read is refused`() async throws {
    let scene = try scene()
    try scene.directory.write("no PEM\n", to: "broken.pem")
    for file in ["nowhere.pem", "broken.pem"] {
      let outcome = try await scene.pipeline.run(
        "run", "test.yaml", "--input", "server=https://localhost:9", "--ca-file", file)
      #expect(outcome.status == 2, "\(outcome)")
      #expect(outcome.error.contains(file), "\(outcome)")
    }
  }

  @Test func `a response that no matcher accepts fails the item and shows the status`() async throws
  {
    let scene = try scene()
    let server = try await scene.server()
    let outcome = try await scene.pipeline.run(
      "run", "test.yaml", "--input", "server=\(server.url)/nowhere")
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("2 failed"))
    #expect(
      outcome.error.contains("step 'put': PUT returned 404, and no `on` entry matches"),
      "\(outcome)")
  }

  @Test(arguments: [
    ("response.json.nothing", "no such key 'nothing'"),
    ("response.headers['nothing']", "no such key"),
    ("string(1 / (response.status - 404))", "zero"),
  ])
  func `an output that cannot be read from the response names step, place and reason`(
    expression: String, message: String
  ) async throws {
    let scene = try scene(Self.output(expression, "/v1/files/none"))
    let server = try await scene.server()
    let outcome = try await scene.pipeline.run(
      "run", "test.yaml", "--input", "server=\(server.url)")
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.contains("step 'get': test.yaml:11:"), "\(outcome)")
    #expect(outcome.output.contains(message), "\(outcome)")
  }

  @Test func `a response that is not JSON is reported as such`() async throws {
    let scene = try scene(Self.output("response.json.id", "/page.html"))
    try scene.directory.write("<html>maintenance</html>\n", to: "site/page.html")
    let server = try await PageServer(scene, folder: scene.directory.path("site"))
    let outcome = try await scene.pipeline.run(
      "run", "test.yaml", "--input", "server=http://127.0.0.1:\(server.port)")
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.contains("step 'get': "), "\(outcome)")
    #expect(outcome.output.contains("JSON"), "\(outcome)")
  }

  private static func output(_ expression: String, _ path: String) -> String {
    """
    pipeline: output
    inputs:
      server: { type: url }
    steps:
      - id: get
        request: { url: "${{ inputs.server + '\(path)' }}" }
        on:
          - { if: "${{ response.status == 404 }}", then: success }
        outputs:
          id:
            value: ${{ \(expression) }}
      - id: use
        request: { method: POST, url: "${{ inputs.server }}", json: "${{ steps.get.id }}" }
    """
  }

  @Test func `a port in use is reported`() async throws {
    let scene = try scene()
    let server = try await scene.server()
    let port = try #require(server.url.split(separator: ":").last)
    let second = try await scene.pipeline.run("demo-server", "--port", String(port))
    #expect(second.status == 3)
    #expect(
      second.error
        == "pipeline: error: port \(port) of 127.0.0.1 is in use by another program; "
        + "--port 0 picks a free one\n")
  }
}
