import Foundation
import TestSupport
import Testing

/// `run --watch`: files that appear later become a further run of the same series.
struct WatchTests {
  private struct Setting {
    var scene: Scene
    let server: ServerProcess
    let words: [String]

    /// The names of the files that the server has, in the order in which they came.
    var sent: [String] {
      server.journal.filter { $0.method == "PUT" && $0.status == 201 || $0.status == 200 }
        .compactMap { $0.path.split(separator: "/").last.map(String.init) }
    }

    func runs() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: scene.pipeline.stateFolder + "/runs")
        .sorted()
    }

    func watch(_ arguments: String...) throws -> RunningCommand {
      try scene.pipeline.start(words + arguments)
    }

    /// Waits until the server has `count` files, and the process has ended its `runs`th run.
    func wait(_ count: Int, _ watch: RunningCommand, runs: Int = 1) async throws {
      try await watch.wait("\(count) files at the server") { sent.count >= count }
      try await watch.wait("the end of run \(runs)") {
        watch.output.split(separator: "\n").count { $0.contains(": finished in ") } == runs
      }
    }
  }

  private func setting(_ count: Int) async throws -> Setting {
    var scene = try Scene()
    scene.pipeline.isUrgent = true
    try scene.files(count)
    try scene.directory.write(Definitions.put, to: "put.yaml")
    let server = try await scene.server()
    return Setting(
      scene: scene, server: server,
      words: ["run", "put.yaml", "--input", "server=\(server.url)", "--watch"])
  }

  @Test func `an unwatchable command is refused before anything is sent`() async throws {
    let setting = try await setting(1)
    for (other, word) in [
      ("--dry-run", "--dry-run starts nothing"),
      ("--files-from=list", "--files-from contains no patterns"),
      ("--report=r.csv", "--report covers one run"),
    ] {
      let refused = try await setting.scene.pipeline.run(setting.words + [other])
      #expect(refused.status == 64, "\(refused)")
      #expect(refused.error.contains(word), "\(refused)")
    }
    let missing = try await setting.scene.pipeline.run(
      setting.words + ["--input", "files=none/*.bin"])
    #expect(missing.status == 2, "\(missing)")
    #expect(missing.error.contains("none"), "\(missing)")
    try setting.scene.directory.write(
      "pipeline: single\nsteps:\n  - id: a\n    request: { url: 'http://127.0.0.1:9' }\n",
      to: "single.yaml")
    let single = try await setting.scene.pipeline.run("run", "single.yaml", "--watch")
    #expect(single.error.contains("has no input of the type 'files'"), "\(single)")
    #expect(setting.sent.isEmpty)
  }

  @Test func `files that appear later become a further run, with those files only`() async throws {
    let setting = try await setting(2)
    let watch = try setting.watch("--name", "camera")
    try await setting.wait(2, watch)
    try setting.scene.directory.write(Data("later".utf8), to: "files/later.bin")
    try await setting.wait(3, watch, runs: 2)
    watch.signal(SIGINT)
    let outcome = try await watch.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.error.contains("watching 1 folder for 'files/*.bin' in '"), "\(outcome)")
    #expect(outcome.error.contains("'; Ctrl-C ends it\n"), "\(outcome)")
    #expect(outcome.error.contains("stopped watching; 3 files processed so far"), "\(outcome)")
    #expect(outcome.output.contains(/'camera-1': finished in .*: 2 done/), "\(outcome)")
    #expect(outcome.output.contains(/'camera-2': finished in .*: 1 done/), "\(outcome)")
    #expect(Set(setting.sent).count == 3)
    #expect(setting.sent.count == 3)
  }

  @Test func `a watch may have its pipeline's name, and its runs do not use the names of others`()
    async throws
  {
    let setting = try await setting(1)
    let other = setting.words.filter { $0 != "--watch" } + ["--name", "put-2"]
    #expect(try await setting.scene.pipeline.run(other).status == 0)
    let watch = try setting.watch("--name", "put")
    try await setting.wait(2, watch)
    try setting.scene.directory.write(Data("later".utf8), to: "files/later.bin")
    try await setting.wait(3, watch, runs: 2)
    watch.signal(SIGINT)
    let outcome = try await watch.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("'put-1': finished in "), "\(outcome)")
    #expect(outcome.output.contains("'put-3': finished in "), "\(outcome)")
    let again = try setting.watch("--name", "put")
    try await again.wait(for: "2 files processed by earlier runs")
    try await again.killed()
  }

  @Test func `the next process sends only new and changed files`() async throws {
    let setting = try await setting(2)
    let first = try setting.watch()
    try await setting.wait(2, first)
    try await first.killed()
    try setting.scene.directory.write(Data("other".utf8), to: "files/file-0001.bin")
    let second = try setting.watch()
    try await setting.wait(3, second)
    #expect(setting.sent.last == "file-0001.bin")
    // A file of the same size and time in the place of another is another one.
    let path = setting.scene.directory.path("files/file-0000.bin")
    let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    let content = try Data(contentsOf: URL(filePath: path))
    try Data(content.reversed()).write(to: URL(filePath: path + ".new"))
    try FileManager.default.setAttributes(
      [.modificationDate: try #require(date)], ofItemAtPath: path + ".new")
    #expect(rename(path + ".new", path) == 0)
    try await setting.wait(4, second, runs: 2)
    #expect(setting.sent.last == "file-0000.bin")
    second.signal(SIGTERM)
    let outcome = try await second.outcome()
    #expect(outcome.error.contains("2 files processed by earlier runs"), "\(outcome)")
    // `runs rm` forgets a run, and not the files that it sent.
    for run in try setting.runs() {
      _ = try await setting.scene.pipeline.run("runs", "rm", run)
    }
    let third = try setting.watch()
    try await third.wait(for: "files processed by earlier runs")
    try setting.scene.directory.write(Data("x".utf8), to: "files/x.bin")
    try await setting.wait(5, third)
    #expect(setting.sent.last == "x.bin")
    try await third.killed()
  }

  @Test func `a run that was killed is finished first, and its files are not sent by another`()
    async throws
  {
    var setting = try await setting(30)
    let slow = try await setting.scene.server("--suspend-at", "5")
    setting = Setting(
      scene: setting.scene, server: slow,
      words: ["run", "put.yaml", "--input", "server=\(slow.url)", "--watch"])
    let first = try setting.watch()
    try await slow.waitUntilSuspended()
    try await first.killed()
    slow.goOn()
    try setting.scene.directory.write(Data("late".utf8), to: "files/late.bin")
    let second = try setting.watch()
    try await second.wait("all files") { Set(setting.sent).count == 31 }
    try await second.wait("two runs") {
      second.output.split(separator: "\n").count { $0.contains(": finished in ") } == 2
    }
    #expect(second.output.contains(/finished in .*: 30 done/), "\(second.output)")
    #expect(second.output.contains(/finished in .*: 1 done/), "\(second.output)")
    try await second.killed()
  }

  @Test func `a file that is rewritten during a run belongs to the next one, as the first reports`()
    async throws
  {
    var setting = try await setting(12)
    let slow = try await setting.scene.server("--suspend-at", "3")
    setting = Setting(
      scene: setting.scene, server: slow,
      words: ["run", "put.yaml", "--input", "server=\(slow.url)", "--watch"])
    let watch = try setting.watch()
    try await slow.waitUntilSuspended()
    try setting.scene.directory.write(Data("rewritten".utf8), to: "files/file-0011.bin")
    slow.goOn()
    try await watch.wait("two runs") {
      watch.output.split(separator: "\n").count { $0.contains(": finished in ") } == 2
    }
    try await watch.killed()
    let runs = try setting.runs()
    let pipeline = setting.scene.pipeline
    let explained = try await pipeline.run("explain", runs[0])
    let words =
      "unblocked by: nothing: run '\(runs[1])' of the same series includes the current file"
    #expect(explained.output.contains(words), "\(explained)")
    let retried = try await pipeline.run("retry", runs[0], "--accept-changed-files")
    #expect(
      retried.error.contains("0 changed files accepted\n1 changed file skipped"), "\(retried)")
    #expect(setting.sent.count { $0 == "file-0011.bin" } == 1)
    // Files that no run claimed are offered as before.
    try setting.scene.directory.write(Data("rewritten again".utf8), to: "files/file-0011.bin")
    let later = try await pipeline.run("explain", runs[0])
    #expect(later.output.contains(" --accept-changed-files`, which accepts"), "\(later)")
  }

  @Test func `two processes do not watch for one series, and other inputs are another series`()
    async throws
  {
    let setting = try await setting(1)
    let watch = try setting.watch()
    try await setting.wait(1, watch)
    let second = try await setting.scene.pipeline.run(setting.words)
    #expect(second.status == 3, "\(second)")
    #expect(second.error.contains("process \(watch.id) already watches"), "\(second)")
    #expect(second.error.contains("`pipeline attach "), "\(second)")
    try await watch.killed()
    let elsewhere = try await setting.scene.server()
    let refused = try await setting.scene.pipeline.run(
      "run", "put.yaml", "--input", "server=\(elsewhere.url)", "--watch")
    #expect(refused.status == 2, "\(refused)")
    #expect(refused.error.contains("set --name to start another series"), "\(refused)")
    let named = try setting.scene.pipeline.start(
      "run", "put.yaml", "--input", "server=\(elsewhere.url)", "--watch", "--name", "other")
    try await named.wait("the file") { elsewhere.journal.contains { $0.method == "PUT" } }
    try await named.killed()
  }

  @Test func `items that paused are tried again, at the start and every now and then`()
    async throws
  {
    let setting = try await setting(2)
    let port = try #require(setting.server.url.split(separator: ":").last)
    try await setting.server.process.killed()
    let words = setting.words + ["--name", "camera", "--retry-after"]
    let refused = try await setting.scene.pipeline.run(words + ["0s"])
    #expect(refused.status == 64, "\(refused)")
    #expect(refused.error.contains("--retry-after must be at least 1s"), "\(refused)")
    let first = try setting.scene.pipeline.start(words + ["1h"])
    try await first.wait("2 paused items") { first.output.contains(": 2 paused") }
    try await first.killed()
    let second = try setting.scene.pipeline.start(words + ["1s"])
    try await second.wait("another try") { second.error.contains("tries 2 paused items of run") }
    try await second.wait("the failure of that") { second.output.contains(": 2 paused") }
    let server = try await setting.scene.server("--port", String(port))
    try await second.wait("both files") { second.output.contains(": 2 done") }
    #expect(Set(server.journal.map(\.path)).count == 2)
    // Files that have arrived are not retried.
    let count = server.journal.count
    try setting.scene.directory.write(Data("later".utf8), to: "files/later.bin")
    try await second.wait("the next file") {
      second.output.contains(/'camera-2': finished in .*: 1 done/)
    }
    #expect(server.journal.count == count + 1)
    try await second.killed()
  }

  @Test func `a watch is found by its name, and no run is called as it is`() async throws {
    let setting = try await setting(1)
    let watch = try setting.watch("--name", "camera")
    try await setting.wait(1, watch)
    let run = try await setting.scene.pipeline.run(
      "run", "put.yaml", "--input", "server=\(setting.server.url)", "--name", "camera")
    #expect(run.status == 2, "\(run)")
    #expect(run.error.contains("a series of `run --watch` is called 'camera'"), "\(run)")
    let runs = try await setting.scene.pipeline.run("runs")
    #expect(
      runs.error.contains("process \(watch.id) watches for 'camera'; `pipeline attach camera`"),
      "\(runs)")
    let attach = try setting.scene.pipeline.start("attach", "camera")
    try await attach.wait(for: "process \(watch.id) watches for 'camera'")
    setting.server.process.signal(SIGSTOP)
    try setting.scene.directory.write(Data("later".utf8), to: "files/later.bin")
    try await attach.wait(for: "run put-")
    setting.server.goOn()
    try await attach.wait("the end of the run") {
      attach.output.contains(/'camera-2': finished in .*: 1 done/)
    }
    watch.signal(SIGTERM)
    let ended = try await attach.outcome()
    #expect(ended.status == 0, "\(ended)")
    #expect(ended.error.contains("process \(watch.id) no longer watches"), "\(ended)")
    let later = try await setting.scene.pipeline.run("attach", "camera")
    #expect(later.error.contains("no process watches for 'camera'; its newest run"), "\(later)")
    #expect(later.output.contains("'camera-2': finished"), "\(later)")
    let other = try await setting.scene.pipeline.run(setting.words + ["--name", "camera-2"])
    #expect(other.status == 2, "\(other)")
    #expect(other.error.contains("a run is called 'camera-2'"), "\(other)")
  }

  @Test func `a file that grows is picked up when it has settled`() async throws {
    let setting = try await setting(1)
    let watch = try setting.watch()
    try await setting.wait(1, watch)
    var name = "growing-0.bin"
    // A machine that is so slow that the file stands still for two seconds grows another one.
    for number in 1... {
      if try await grow(setting.scene.directory.path("files/" + name)) { break }
      name = "growing-\(number).bin"
    }
    try await watch.wait("the file") { setting.sent.contains(name) }
    let items = ["items", "--format", "csv"]
    while try await !setting.scene.pipeline.run(items).output.contains("\(name),done") {}
    try await watch.killed()
    let whole = try await setting.scene.pipeline.run(items)
    #expect(whole.output.contains(",8000,"), "\(whole)")
    #expect(setting.sent.count { $0 == name } == 1)
  }

  /// Writes 8000 bytes, some at a time, and returns whether the file never stayed unchanged for as long
  /// as one that is picked up.
  private func grow(_ path: String) async throws -> Bool {
    try Data().write(to: URL(filePath: path))
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    defer { try? handle.close() }
    var hasGrown = true
    var last = ContinuousClock.now
    for _ in 0..<8 {
      try await Task.sleep(for: .milliseconds(500))
      let before = last
      last = .now
      try handle.write(contentsOf: Data(repeating: 7, count: 1000))
      hasGrown = hasGrown && ContinuousClock.now - before < .milliseconds(1900)
    }
    return hasGrown
  }

  @Test func `a new folder is watched, and in the background the output is written to a file`()
    async throws
  {
    var setting = try await setting(1)
    setting = Setting(
      scene: setting.scene, server: setting.server,
      words: setting.words + ["--input", "files=files/**/*.bin"])
    let begun = try await setting.scene.pipeline.run(setting.words + ["--detach"])
    #expect(begun.status == 0, "\(begun)")
    let log = begun.output.trimmingCharacters(in: .newlines)
    #expect(begun.error.contains("its output is in that file"), "\(begun)")
    let words = begun.error.split(separator: " ").map(String.init)
    let process = try #require(
      words.firstIndex(of: "(process").flatMap { Int32(words[$0 + 1].dropLast(2)) })
    defer { kill(process, SIGKILL) }
    try setting.scene.directory.write(Data("deep".utf8), to: "files/a/b c/deep.bin")
    try await setting.server.process.wait("both files") { setting.sent.count == 2 }
    #expect(setting.sent.last == "deep.bin")
    func wait(_ text: String, count: Int = 1) async throws {
      try await setting.server.process.wait("'\(text)'") {
        let shown = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return shown.ranges(of: text).count == count
      }
    }
    try await wait(": finished in ", count: 2)
    kill(process, SIGTERM)
    try await wait("stopped watching; 2 files processed so far")
  }
}
