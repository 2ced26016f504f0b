import Foundation
import StoreSupport
import TestSupport

/// Brings a run into a state with the program of the day, and keeps its folder and its server's.
struct StoredStateWriter {
  let state: StoredState
  /// Whether a folder is written that is there already.
  let isOverwriting: Bool
  private var scene: Scene

  init(_ state: StoredState, isOverwriting: Bool) throws {
    self.state = state
    self.isOverwriting = isOverwriting
    scene = try Scene()
    scene.pipeline.isUrgent = true
    try scene.storedStateFiles()
    let pipeline = StoredStateFolder.root.appending(path: "pipelines/\(state.pipeline).yaml")
    try scene.directory.write(Data(contentsOf: pipeline), to: "states.yaml")
  }

  /// Writes the fixture's folder.
  func write() async throws {
    let server = try await scene.storedStateServer()
    let port = server.url.split(separator: ":").last ?? ""
    let script = CommandRunner.packageRoot.appending(path: "Tests/CommandTests/Scripts/gate.py")
    let gate = try scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"),
      ["python3", script.path, String(port)] + state.rules)
    try await gate.wait(for: "listening on port")
    let gatePort = gate.output.split(separator: " ").last?.dropLast() ?? ""
    let host = "127.0.0.1:\(gatePort)"
    try await reach(host)
    try await gate.killed()
    try await server.process.killed()
    try keep(host, server)
  }

  private func start(_ arguments: [String]) throws -> RunningCommand {
    try scene.pipeline.start(arguments + ["--progress", "plain"])
  }

  private func reach(_ host: String) async throws {
    let run = try start(["run", "states.yaml", "--input", "server=http://\(host)"])
    switch state.stop {
    case .killed:
      try await wait(run)
      try await run.killed()
    case .rests:
      _ = try await run.outcome()
      try await wait(run)
    case .afterwards(let way):
      _ = try await run.outcome()
      let next = try start([way.rawValue])
      try await wait(next)
      try await next.killed()
    case .command(let command):
      // Two items are held by the gate; the request of the third is not begun.
      try await wait(run, for: [#"0/0 1 .*"(upload|finalize)":\{"status":"(running|probing)""#])
      let asked = try scene.pipeline.start(command)
      try await wait(run)
      if command == "pause" {
        // Only then is the request itself off the disk.
        _ = try await asked.outcome()
        _ = try await run.outcome()
      }
      try await asked.killed()
      try await run.killed()
    }
  }

  private func wait(_ run: RunningCommand) async throws { try await wait(run, for: state.shows) }

  private func wait(_ run: RunningCommand, for patterns: [String]) async throws {
    let expressions = try patterns.map { try Regex("(?m)^" + $0) }
    try await run.wait(within: .seconds(30), "\(state.name): \(patterns)") {
      // Read after the status, or else the last checkpoint of a process that ended between would be missed.
      let hasEnded = run.status != nil
      guard let folder = try? scene.runFolder(),
        let text = try? StoreText.states(folder + "/run.sqlite")
      else { return try Self.refuse(hasEnded, run) }
      return try expressions.allSatisfy { text.contains($0) } || Self.refuse(hasEnded, run, text)
    }
  }

  private static func refuse(
    _ hasEnded: Bool, _ run: RunningCommand, _ text: String = ""
  ) throws -> Bool {
    guard hasEnded else { return false }
    throw CommandRunner.Failure(description: "ended elsewhere: \(run.error)\(text)")
  }

  private func keep(_ host: String, _ server: ServerProcess) throws {
    let run = try scene.runFolder()
    let version = try StoreText.version(run + "/run.sqlite")
    let fixture = StoredStateFolder.Fixture(form: "form-\(version)", state: state)
    if FileManager.default.fileExists(atPath: fixture.folder.path) {
      // What an earlier program wrote is worth more than what this one would write.
      guard isOverwriting else { return }
      try FileManager.default.removeItem(at: fixture.folder)
    }
    try put(portable(StoreText.dump(run + "/run.sqlite"), host), "run.sql", fixture)
    for name in StoredStateFolder.files(below: URL(filePath: run))
    where !name.hasPrefix("run.sqlite") && name != "lock" {
      let data = try Data(contentsOf: URL(filePath: run + "/" + name))
      let kept =
        name.hasSuffix(".json") ? portable(String(decoding: data, as: UTF8.self), host) : data
      try put(kept, "run/" + name, fixture)
    }
    let store = scene.directory.url.appending(path: "server")
    for name in StoredStateFolder.files(below: store) {
      try put(try Data(contentsOf: store.appending(path: name)), "server/" + name, fixture)
    }
    try put(try Data(contentsOf: URL(filePath: server.journalPath)), "journal.ndjson", fixture)
  }

  private func put(_ data: Data, _ name: String, _ fixture: StoredStateFolder.Fixture) throws {
    let file = fixture.folder.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
  }

  /// The text without this machine's folder and port.
  private func portable(_ text: String, _ host: String) -> Data {
    let path = URL(filePath: scene.directory.path()).path
    return Data(
      text.replacing(path, with: StoredStateFolder.folderMark)
        .replacing(path.replacing("/", with: "\\/"), with: StoredStateFolder.folderMark)
        .replacing(host, with: StoredStateFolder.hostMark).utf8)
  }
}
