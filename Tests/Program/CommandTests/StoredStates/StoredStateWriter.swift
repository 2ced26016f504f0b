import Foundation
import StoreSupport
import TestSupport

/// Brings a run into a state with the real program, and stores its folder and its server's.
struct StoredStateWriter {
  let state: StoredState
  private var scene: Scene

  init(_ state: StoredState) throws {
    self.state = state
    scene = try Scene()
    scene.pipeline.isUrgent = true
    try scene.storedStateFiles()
    let pipeline = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "pipelines/\(state.pipeline).yaml")
    try scene.directory.write(Data(contentsOf: pipeline), to: "states.yaml")
  }

  func write() async throws -> StoredRun {
    let server = try await scene.storedStateServer()
    let gate = try await scene.gate(to: server, state.rules)
    let host = String(gate.url.dropFirst("http://".count))
    try await reach(host)
    try await gate.process.killed()
    try await server.process.killed()
    return try keep(host, server)
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
      // Two items are held by the gate; the request of the third is not started.
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
    try await run.wait("\(state.name): \(patterns)") {
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

  private func keep(_ host: String, _ server: ServerProcess) throws -> StoredRun {
    let run = try scene.runFolder()
    let directory = try TemporaryDirectory()
    try directory.write(portable(StoreText.dump(run + "/run.sqlite"), host), to: "run.sql")
    for name in StoredRun.files(below: URL(filePath: run))
    where !name.hasPrefix("run.sqlite") && name != "lock" {
      let data = try Data(contentsOf: URL(filePath: run + "/" + name))
      try directory.write(
        name.hasSuffix(".json") ? portable(String(decoding: data, as: UTF8.self), host) : data,
        to: "run/" + name)
    }
    let store = scene.directory.url.appending(path: "server")
    for name in StoredRun.files(below: store) {
      try directory.write(
        try Data(contentsOf: store.appending(path: name)), to: "server/" + name)
    }
    try directory.write(
      try Data(contentsOf: URL(filePath: server.journalPath)), to: "journal.ndjson")
    return StoredRun(state: state, directory: directory)
  }

  /// The text without the scene's folder and port.
  private func portable(_ text: String, _ host: String) -> Data {
    let path = URL(filePath: scene.directory.path()).path
    return Data(
      text.replacing(path, with: StoredRun.folderMark)
        .replacing(path.replacing("/", with: "\\/"), with: StoredRun.folderMark)
        .replacing(host, with: StoredRun.hostMark).utf8)
  }
}
