import Foundation
import TestSupport
import Testing

/// The display of a run: in a terminal, in a pipe, and as JSON.
struct ProgressTests {
  /// Accepts PUT requests; refuses names with `bad`, each with words of its own;
  /// sends `/get/N` as N bytes.
  private static let server = """
    import http.server, os, time
    class Handler(http.server.BaseHTTPRequestHandler):
      protocol_version = 'HTTP/1.1'
      def answer(self, status, text):
        self.send_response(status)
        self.send_header('Content-Length', str(len(text))); self.end_headers(); self.wfile.write(text)
      def do_PUT(self):
        self.rfile.read(int(self.headers.get('Content-Length', 0)))
        if 'bad' in self.path: return self.answer(403, ('no entry for ' + self.path + ', case 8' + self.path[-5]).encode())
        self.answer(200, b'')
      def do_GET(self):
        size = int(self.path.split('/')[-1])
        self.send_response(200); self.send_header('Content-Length', str(size)); self.end_headers()
        self.wfile.write(b'x' * (size // 2)); self.wfile.flush()
        while not os.path.exists('rest'): time.sleep(0.01)
        self.wfile.write(b'x' * (size - size // 2)); self.wfile.flush()
      def log_message(self, *a): pass
    class Server(http.server.ThreadingHTTPServer):
      daemon_threads = True
      request_queue_size = 128
    server = Server(('127.0.0.1', 0), Handler)
    print(' port', server.server_port, flush=True)
    server.serve_forever()

    """

  /// Sends files; at a rate at which ``huge`` files need hours, a run is in the middle of them however slow the machine is.
  private static func pipeline(_ rate: String, _ condition: String? = nil) -> String {
    """
    pipeline: slow
    inputs: { server: { type: url }, files: { type: files, default: "files/*.bin" } }
    budgets: { bytes_per_second: \(rate) }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 4
        steps:
          - id: put\(condition.map { "\n        if: ${{ \($0) }}" } ?? "")
            upload: { url: "${{ inputs.server + '/' + urlEscape(file.name) }}", file: "${{ file }}" }

    """
  }

  private static let huge = 2_000_000_000

  private func start(
    _ pipeline: String, files: Int, size: Int = 500
  ) async throws -> (scene: Scene, process: RunningCommand, run: [String]) {
    let scene = try Scene()
    try scene.directory.write(Self.server, to: "server.py")
    try scene.directory.write(pipeline, to: "slow.yaml")
    if size == Self.huge {
      try scene.holes(files, size: size)
    } else {
      try scene.files(files, size: size)
    }
    let process = try scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"), ["python3", "-u", "server.py"])
    try await process.wait(for: " port ")
    let port = try #require(process.output.firstMatch(of: /port (\d+)/)).output.1
    return (scene, process, ["run", "slow.yaml", "--input", "server=http://127.0.0.1:\(port)"])
  }

  // MARK: In a terminal

  @Test func `a window of 80 columns names the files under way, with bytes, rate and time left`()
    async throws
  {
    let (scene, process, run) = try await start(
      Self.pipeline("100 KiB"), files: 3, size: Self.huge)
    defer { process.signal(SIGKILL) }
    let window = try await TerminalWindow(scene, columns: 80, rows: 24, run)
    let lines = try await window.wait("a rate") { lines in
      lines.contains { $0.contains("KiB/s") && $0.contains(" left") }
    }
    #expect(lines.contains { $0.contains(/━*─+ 0\/3 \d+ %/) }, "\(lines)")
    #expect(
      lines.contains {
        $0.contains(/3 active · [\d.]+ [KM]iB of 5\.59 GiB · [\d.]+ KiB\/s · .* left/)
      },
      "\(lines)")
    #expect(
      lines.contains { $0.contains(/files\/file-000\d\.bin \d+ %, files\/file-000\d\.bin \d+ %/) },
      "\(lines)")
    #expect(lines.allSatisfy { $0.count < 80 }, "\(lines)")
    // Ctrl-C leaves nothing of the view, and no item is active.
    try await window.type("C-c")
    let last = try await window.wait("the end") { $0.contains { $0.hasPrefix("ended with") } }
    #expect(last.contains("ended with 130"), "\(last)")
    #expect(!last.contains { $0.contains("━") || $0.contains("─") }, "\(last)")
    #expect(last.contains { $0.contains(/run slow-\S+: paused.*: 3 interrupted/) }, "\(last)")
    #expect(!last.contains { $0.contains("active") || $0.contains("100 %") }, "\(last)")
    await window.close()
  }

  @Test func `a window of 200 columns has a bar for each file; a tick comes each second`()
    async throws
  {
    let (scene, process, run) = try await start(
      Self.pipeline("150 KiB"), files: 2, size: Self.huge)
    defer { process.signal(SIGKILL) }
    let window = try await TerminalWindow(scene, columns: 200, rows: 50, run)
    func bars(_ lines: [String]) -> [String] {
      lines.filter { $0.contains(/↑ files\/file-000\d\.bin +━*─+ \d+ %, [\d.]+ \w+ of 1\.86 GiB/) }
    }
    let first = try await window.wait("two bars") { bars($0).count == 2 }
    // Nothing ends in the meantime, and the bytes move all the same.
    try await window.wait("movement") {
      bars($0).count == 2 && bars($0) != bars(first)
    }
    try await window.type("C-c")
    try await window.wait("the end") { $0.contains("ended with 130") }
    await window.close()
  }

  @Test func `a window that changes its size has no rubbish`() async throws {
    let (scene, process, run) = try await start(
      Self.pipeline("100 KiB"), files: 3, size: Self.huge)
    defer { process.signal(SIGKILL) }
    let window = try await TerminalWindow(scene, columns: 60, rows: 20, run)
    try await window.wait("the view") { $0.contains { $0.contains("active") } }
    // Lines that a window scrolls away while it shrinks cannot be redrawn,
    // so that each of these has room for all.
    for (columns, rows) in [(41, 20), (120, 40), (200, 50)] {
      try await window.resize(columns: columns, rows: rows)
      let isWide = columns >= 100
      // Rubbish stays for good, so that this would never be so.
      try await window.wait("a clean view of \(columns) columns") { lines in
        lines.count { $0.contains(/\d\/3 \d+ %/) } == 1
          && lines.count { $0.contains("active") } == 1
          && lines.count { $0.contains("↑") } == (isWide ? 3 : 0)
          && lines.allSatisfy { $0.count <= columns }
      }
    }
    try await window.type("C-c")
    try await window.wait("the end") { $0.contains("ended with 130") }
    await window.close()
  }

  @Test(arguments: [nil, "1"])
  func `states have colors in a terminal, but not with NO_COLOR`(noColor: String?) async throws {
    let (scene, process, run) = try await start(Self.pipeline("10 MiB"), files: 0)
    defer { process.signal(SIGKILL) }
    try scene.directory.write("x", to: "files/bad-1.bin")
    let variables = noColor.map { ["NO_COLOR": $0] } ?? [:]
    let window = try await TerminalWindow(
      scene, columns: 100, rows: 30, run, variables: variables)
    try await window.wait("the end") { $0.contains("ended with 1") }
    let text = try await window.screen(colored: true).joined(separator: "\n")
    #expect(text.contains("\u{1B}[31mfailed\u{1B}[") == (noColor == nil), "\(text)")
    #expect(text.contains("\u{1B}[") == (noColor == nil), "\(text)")
    await window.close()
  }

  @Test(arguments: [nil, "1"])
  func `findings have colors in a terminal, but not with NO_COLOR`(noColor: String?) async throws {
    let scene = try Scene()
    try scene.directory.write(
      """
      pipeline: x
      steps:
        - id: a
          request: { url: 'http://h.example', methud: GET }
          effect: read
      """, to: "bad.yaml")
    let variables = noColor.map { ["NO_COLOR": $0] } ?? [:]
    let window = try await TerminalWindow(
      scene, columns: 120, rows: 30, ["validate", "bad.yaml"], variables: variables)
    try await window.wait("the end") { $0.contains("ended with 1") }
    let text = try await window.screen(colored: true).joined(separator: "\n")
    #expect(text.contains("methud"), "\(text)")
    #expect(text.contains("\u{1B}[31m") == (noColor == nil), "\(text)")
    #expect(text.contains("\u{1B}[") == (noColor == nil), "\(text)")
    await window.close()
    let piped = try await scene.pipeline.run("validate", "bad.yaml")
    #expect(!(piped.output + piped.error).contains("\u{1B}"), "\(piped)")
  }

  // MARK: In a pipe

  @Test func `plain output prints at least every 10 s, without colors`() async throws {
    let (scene, process, run) = try await start(
      Self.pipeline("20 KiB"), files: 1, size: Self.huge)
    defer { process.signal(SIGKILL) }
    let command = try scene.pipeline.start(run)
    try await command.wait(for: "run slow-")
    for count in 1...2 {
      let (spoke, waited) = (ContinuousClock.now, try Self.secondsWithoutProcessor(command))
      try await command.wait("line \(count)") {
        command.error.split(separator: "\n").count { $0.contains(" %: ") } >= count
      }
      let lost = try Self.secondsWithoutProcessor(command) - waited
      #expect(ContinuousClock.now - spoke < .seconds(10 + lost), "\(command.error)")
    }
    command.signal(SIGINT)
    let outcome = try await command.outcome()
    #expect(
      outcome.error.contains(
        /\d+ %: 1 active, [\d.]+ [KM]iB of 1\.86 GiB, .*files\/file-0000\.bin \d+ %/),
      "\(outcome)")
    #expect(!outcome.description.contains("\u{1B}"), "\(outcome)")
  }

  /// How long a command and the test were runnable while others had the processor (Linux, sched-stats).
  private static func secondsWithoutProcessor(_ command: RunningCommand) throws -> Double {
    try ["\(command.id)", "self"].flatMap { id in
      try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task").map { thread in
        let path = "/proc/\(id)/task/\(thread)/schedstat"
        let words = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: " ")
        return words.flatMap { $0.count > 1 ? Double($0[1]) : nil } ?? 0
      }
    }.reduce(0, +) / 1e9
  }

  @Test func `many failures of one cause are one line with their number, and how to list them`()
    async throws
  {
    let (scene, process, run) = try await start(Self.pipeline("10 MiB"), files: 2)
    defer { process.signal(SIGKILL) }
    for number in 0..<40 {
      try scene.directory.write("x", to: "files/bad-\(String(format: "%04d", number)).bin")
    }
    let outcome = try await scene.pipeline.run(run)
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.error.ranges(of: "failed files/bad-").count == 3, "\(outcome)")
    #expect(outcome.error.contains("\n40 × failed: step 'put': PUT returned 403"), "\(outcome)")
    let remedy = try #require(
      outcome.error.firstMatch(of: /`pipeline (items \S+ --status failed)` lists them/))
    let list = try await scene.pipeline.run(remedy.output.1.split(separator: " ").map(String.init))
    #expect(list.output.split(separator: "\n").count { $0.contains(".bin") } == 40, "\(list)")
    let explain = try await scene.pipeline.run("explain")
    #expect(explain.output.contains("\n40 × failed: step 'put': PUT returned 403"), "\(explain)")
    #expect(explain.output.contains("; the first is 0/0 files/bad-0000.bin\n"), "\(explain)")
    #expect(explain.output.contains("--status failed` lists them"), "\(explain)")
    let form = try JSON.object(try await scene.pipeline.run("explain", "--format", "json").output)
    #expect((form["entries"] as? [[String: Any]])?.count == 20)
    #expect((form["causes"] as? [[String: Any]])?.first?["items"] as? Int == 40)
  }

  @Test func `a cancelled run does not end with 100 %, and JSON agrees`() async throws {
    let (scene, process, run) = try await start(
      Self.pipeline("50 KiB"), files: 3, size: Self.huge)
    defer { process.signal(SIGKILL) }
    let command = try scene.pipeline.start(run + ["--progress", "json"])
    try await command.wait("a transfer") { command.output.contains("\"direction\":\"up\"") }
    _ = try await scene.pipeline.run("cancel")
    let outcome = try await command.outcome()
    let lines = try outcome.output.split(separator: "\n").map { try JSON.object($0) }
    let moving = try #require(
      lines.first { ($0["transfers"] as? [[String: Any]])?.isEmpty == false })
    let transfer = try #require((moving["transfers"] as? [[String: Any]])?.first)
    #expect((transfer["name"] as? String)?.hasPrefix("files/file-") == true, "\(transfer)")
    #expect(transfer["size"] as? Int ?? 0 >= Self.huge, "\(transfer)")
    #expect(moving["bytes_total"] as? Int == 6_000_000_003, "\(moving)")
    #expect(lines.last?["event"] as? String == "ended", "\(outcome)")
    let last = try #require(lines.dropLast().last)
    #expect(last["status"] as? String == "cancelled", "\(last)")
    #expect(last["percent"] as? Int ?? 100 < 100, "\(last)")
    #expect((last["items"] as? [String: Int])?["cancelled"] ?? 0 > 0, "\(last)")
    #expect((last["items"] as? [String: Int])?["active"] ?? 0 == 0, "\(last)")
  }

  @Test func `the time without a process is not the run's duration, and no item is active then`()
    async throws
  {
    let (scene, process, run) = try await start(
      Self.pipeline("1 GiB"), files: 2, size: 4_000_000)
    defer { process.signal(SIGKILL) }
    let begun = ContinuousClock.now
    let command = try scene.pipeline.start(run + ["--progress", "json", "--bandwidth", "1 KB/s"])
    try await command.wait("a transfer") { command.output.contains("\"direction\":\"up\"") }
    try await command.killed()
    let killed = ContinuousClock.now
    let status = try await scene.pipeline.run("status")
    #expect(status.output.contains(": 2 interrupted, "), "\(status)")
    let form = try JSON.object(try await scene.pipeline.run("status", "--format", "json").output)
    #expect((form["items"] as? [String: Int])?["active"] == 0)
    #expect((form["items"] as? [String: Int])?["interrupted"] == 2)
    try await process.wait("three seconds") { ContinuousClock.now - killed > .seconds(3) }
    let again = ContinuousClock.now
    let resumed = try await scene.pipeline.run("resume")
    #expect(resumed.status == 0, "\(resumed)")
    let worked = killed - begun + (ContinuousClock.now - again)
    let words = try #require(
      resumed.output.firstMatch(
        of: /finished in ([\d.]+) s of work \((?:(\d+) min )?([\d.]+) s without a process\)/),
      "\(resumed)")
    let minutes = words.output.2.flatMap { Double($0) } ?? 0
    // Both are rounded.
    let idle = try 60 * minutes + #require(Double(words.output.3))
    #expect(.seconds(idle + 0.1) >= again - killed, "\(resumed)")
    #expect(try .seconds(#require(Double(words.output.1)) - 0.1) <= worked, "\(resumed)")
  }

  @Test func `items that an if leaves out are skipped, and no bytes of them were sent`()
    async throws
  {
    let (scene, process, run) = try await start(
      Self.pipeline("10 MiB", "file.size > 502"), files: 7)
    defer { process.signal(SIGKILL) }
    let outcome = try await scene.pipeline.run(run + ["--progress", "json"])
    #expect(outcome.status == 0, "\(outcome)")
    let last = try JSON.object(try #require(outcome.output.split(separator: "\n").dropLast().last))
    #expect((last["items"] as? [String: Int])?["done"] == 4, "\(last)")
    #expect((last["items"] as? [String: Int])?["skipped"] == 3, "\(last)")
    #expect(last["bytes_moved"] as? Int == 503 + 504 + 505 + 506, "\(last)")
    #expect(last["percent"] as? Int == 100, "\(last)")
  }

  @Test func `downloads count their bytes, and objects are called by their names`() async throws {
    let pipeline = """
      pipeline: down
      inputs: { server: { type: url } }
      steps:
        - for_each: film
          in: '${{ [{"id": 7, "name": "film one.mov", "size": 40000}] }}'
          steps:
            - id: get
              download: { url: "${{ inputs.server + '/get/' + string(film.size) }}" }

      """
    let (scene, process, run) = try await start(pipeline, files: 0)
    defer { process.signal(SIGKILL) }
    let command = try scene.pipeline.start(run + ["--progress", "json"])
    try await command.wait("half of it") { command.output.contains(#""bytes":20000"#) }
    try scene.directory.write("", to: "rest")
    let outcome = try await command.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    let lines = try outcome.output.split(separator: "\n").map { try JSON.object($0) }
    let transfers = lines.compactMap { ($0["transfers"] as? [[String: Any]])?.first }
    #expect(transfers.allSatisfy { $0["name"] as? String == "film one.mov" }, "\(outcome)")
    #expect(
      transfers.contains {
        $0["size"] as? Int == 40000 && (1..<40000).contains($0["bytes"] as? Int ?? 0)
      }, "\(outcome)")
    #expect(lines.last?["bytes_moved"] as? Int == 40000, "\(outcome)")
    let item = lines.first { $0["event"] as? String == "item" }
    #expect(item?["name"] as? String == "film one.mov", "\(outcome)")
  }
}
