import Foundation
import Synchronization
import TestSupport

/// A folder, the program in it, and the demo server as a process of its own.
struct Scene {
  let directory: TemporaryDirectory
  var pipeline: CommandRunner
  /// Servers live as long as the scene, whether a test holds them or not.
  private let servers = Servers()

  init() throws {
    directory = try TemporaryDirectory()
    pipeline = CommandRunner(in: directory)
    pipeline.environment["PIPELINE_INPUT_PASSWORD"] = "demo"
  }

  /// Keeps a process as long as the scene.
  func keep(_ process: RunningCommand) { servers.keep(process) }

  /// Files that ship with the package.
  static func shipped(_ name: String) -> String {
    CommandRunner.packageRoot.appending(path: "Pipelines/" + name).path(percentEncoded: false)
  }

  /// Starts a demo server on a free port and waits until it listens.
  func server(_ arguments: String...) async throws -> ServerProcess {
    try await server(arguments)
  }

  func server(_ arguments: [String]) async throws -> ServerProcess {
    let journal = directory.path("journal-\(UUID().uuidString).ndjson")
    let process = try pipeline.start(
      ["demo-server", "--port", "0", "--journal", journal] + arguments)
    try await process.wait(for: "\n")
    let words = process.output.split(separator: "\n").first?.split(separator: " ") ?? []
    guard words.count == 3, words.starts(with: ["listening", "on"]) else {
      throw CommandRunner.Failure(description: "unexpected first line: \(process.output)")
    }
    servers.keep(process)
    return ServerProcess(process: process, url: String(words[2]), journalPath: journal)
  }

  /// Writes `count` files with different content below `files/` and returns their digests by name.
  @discardableResult
  func files(_ count: Int, size: Int = 500) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for number in 0..<count {
      let name = String(format: "file-%04d.bin", number)
      var generator = Seeded(state: UInt64(number) &+ 1)
      let bytes = (0..<size + number % 7).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      contents[name] = Data(bytes)
      try directory.write(Data(bytes), to: "files/\(name)")
    }
    return contents
  }

  /// Writes `count` sparse files, which occupy no space; each has one byte more than the one before it.
  func holes(_ count: Int, size: Int) throws {
    for number in 0..<count {
      let path = try directory.write("", to: String(format: "files/file-%04d.bin", number))
      truncate(path, size + number)
    }
  }

  /// The name of the only run.
  func runName() throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: pipeline.stateFolder + "/runs")
    guard names.count == 1, let name = names.first else {
      throw CommandRunner.Failure(description: "expected one run, found \(names)")
    }
    return name
  }

  /// Waits until `count` transfers of a step are in flight, as another process sees it.
  func waitForTransfers(_ count: Int, of step: String) async throws {
    var seen = ""
    let end = ContinuousClock.now + RunningCommand.patience
    while ContinuousClock.now < end {
      let explained = try await pipeline.run("explain")
      seen = explained.description
      let inFlight = explained.output.ranges(of: "transfer of '\(step)' in flight").count
      if inFlight == count { return }
    }
    throw CommandRunner.Failure(
      description: "waited for \(count) transfers of '\(step)', saw \(seen)")
  }

  /// Starts a gate before a server; `rules` are those of `gate.py`.
  func gate(to server: ServerProcess, _ rules: [String]) async throws -> Gate {
    let script = CommandRunner.packageRoot.appending(
      path: "Tests/Program/CommandTests/Scripts/gate.py")
    let process = try pipeline.start(
      executable: URL(filePath: "/usr/bin/env"),
      ["python3", script.path, String(server.url.split(separator: ":").last ?? "")] + rules)
    keep(process)
    try await process.wait(for: "\n")
    let line = process.output.split(separator: "\n").first ?? ""
    return Gate(process: process, url: "http://127.0.0.1:\(line.split(separator: " ").last ?? "")")
  }

  /// A run of `count` files, four of which have an upload at the server.
  ///
  /// Their content never gets there, so that the run stays in this state.
  static func uploading(
    _ count: Int, _ definition: String = ExpiryTests.definition, _ options: String...
  ) async throws -> (scene: Scene, server: ServerProcess, gate: Gate, run: RunningCommand) {
    var scene = try Scene()
    scene.pipeline.isUrgent = true
    try scene.files(count)
    try scene.directory.write(definition, to: "slow.yaml")
    let server = try await scene.server(options)
    let gate = try await scene.gate(to: server, [#"{"match": "/content", "do": "hold"}"#])
    let run = try scene.pipeline.start("run", "slow.yaml", "--input", "server=\(gate.url)")
    try await scene.waitForTransfers(4, of: "upload")
    return (scene, server, gate, run)
  }

  /// The folder of the only run.
  func runFolder() throws -> String { try pipeline.stateFolder + "/runs/" + runName() }
}

private final class Servers: Sendable {
  private let processes = Mutex<[RunningCommand]>([])

  func keep(_ process: RunningCommand) { processes.withLock { $0.append(process) } }
}

/// A demo server that runs, and its journal.
struct ServerProcess {
  let process: RunningCommand
  let url: String
  let journalPath: String

  /// All requests so far.
  var journal: [JournalLine] {
    guard let data = FileManager.default.contents(atPath: journalPath) else { return [] }
    return data.split(separator: UInt8(ascii: "\n")).compactMap {
      try? JSONDecoder().decode(JournalLine.self, from: Data($0))
    }
  }

  /// How many requests came so far.
  var requests: Int {
    FileManager.default.contents(atPath: journalPath)?.count { $0 == UInt8(ascii: "\n") } ?? 0
  }

  /// Waits until at least `count` requests came to `event`.
  func wait(for event: String, count: Int = 1) async throws {
    try await process.wait("\(count) × \(event)") {
      journal.count { $0.event == event } >= count
    }
  }

  /// Waits until the server has suspended itself, according to `--suspend-at`.
  func waitUntilSuspended() async throws {
    try await process.wait("state T") { isSuspended }
  }

  var isSuspended: Bool {
    // The name of the program may have spaces and parentheses; the state comes after it (proc(5)).
    let stat = try? String(contentsOfFile: "/proc/\(process.id)/stat", encoding: .utf8)
    return stat?.split(separator: ")").last?.hasPrefix(" T ") == true
  }

  /// Continues a suspended server.
  func goOn() { process.signal(SIGCONT) }
}

/// A gate before a server, which lets some requests through and holds others.
struct Gate {
  let process: RunningCommand
  let url: String

  /// How many requests it has held so far.
  var held: Int { process.output.split(separator: "\n").count { $0.hasPrefix("held ") } }
}

/// One request as the server saw it.
struct JournalLine: Decodable {
  let seq: Int
  let time: String
  let method: String
  let path: String
  let status: Int?
  let event: String
  let upload_id: String?
  let name: String?
  let sha256: String?
  let idempotency_key: String?
  let fault: String?
}

/// A small seeded generator (splitmix64), so that a failure can be repeated.
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

/// The content of a line or a report of JSON.
enum JSON {
  static func object(_ text: some StringProtocol) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    guard let object = value as? [String: Any] else {
      throw CommandRunner.Failure(description: "no object: \(text)")
    }
    return object
  }

  static func array(_ text: some StringProtocol) throws -> [[String: Any]] {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    guard let array = value as? [[String: Any]] else {
      throw CommandRunner.Failure(description: "no array of objects: \(text)")
    }
    return array
  }
}
