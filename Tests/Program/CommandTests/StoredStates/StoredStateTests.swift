import Foundation
import PipelineCore
import StoreSupport
import TestSupport
import Testing

/// Runs that were stored in every status by the real program: they are read, reported and continued.
@Suite(.serialized)
struct StoredStateTests {
  /// A stored run in a folder and with a server of the test's own.
  struct Restored {
    let scene: Scene
    let server: ServerProcess
    let run: String
    let journal: [JournalLine]

    /// - Parameter age: Days for which the run has lain, until it came to this machine.
    init(_ stored: StoredRun, age: Int = 0) async throws {
      let scene = try Scene()
      try scene.storedStateFiles()
      for name in StoredRun.files(below: stored.directory.url) where name.hasPrefix("server/") {
        try scene.directory.write(
          Data(contentsOf: stored.directory.url.appending(path: name)), to: name)
      }
      server = try await scene.storedStateServer()
      let host = server.url.replacing("http://", with: "")
      let here = URL(filePath: scene.directory.path()).path
      func local(_ text: String) -> String {
        text.replacing(StoredRun.folderMark, with: here)
          .replacing(StoredRun.hostMark, with: host)
      }
      try StoreText.restore(
        Self.aged(local(stored.text("run.sql")), by: age), to: scene.directory.path("run.sqlite"))
      let states = try StoreText.states(scene.directory.path("run.sqlite"))
      run = String(try #require(states.firstMatch(of: /"id":"([^"]+)"/)).output.1)
      let folder = "state/pipeline/runs/\(run)/"
      try scene.directory.write(
        Data(contentsOf: URL(filePath: scene.directory.path("run.sqlite"))),
        to: folder + "run.sqlite")
      for name in StoredRun.files(below: stored.directory.url) where name.hasPrefix("run/") {
        let data = try Data(contentsOf: stored.directory.url.appending(path: name))
        let isText = name.hasSuffix(".json")
        try scene.directory.write(
          isText ? Data(local(String(decoding: data, as: UTF8.self)).utf8) : data,
          to: folder + name.dropFirst("run/".count))
      }
      journal = Self.lines(try stored.text("journal.ndjson"))
      self.scene = scene
    }

    /// The store as if it had been written so many days earlier, on a machine that was started at another time.
    private static func aged(_ sql: String, by days: Int) throws -> String {
      guard days > 0 else { return sql }
      let began = try #require(sql.firstMatch(of: /"began":(\d{13})/).flatMap { Int($0.output.1) })
      return sql.replacing(/\b\d{13}\b/) { match in
        // A date years away is not a time of the run.
        guard let moment = Int(match.output), abs(moment - began) < 86_400_000 * 30 else {
          return String(match.output)
        }
        return String(moment - days * 86_400_000)
      }.replacing(/"boot":"[^"]*"/, with: #""boot":"another""#)
    }

    private static func lines(_ text: String) -> [JournalLine] {
      text.split(separator: "\n").compactMap {
        try? JSONDecoder().decode(JournalLine.self, from: Data($0.utf8))
      }
    }
  }

  @Test(arguments: StoredState.all)
  func `a stored run is reported`(state: StoredState) async throws {
    let restored = try await Restored(StoredRuns.shared.run(state))
    var reports = ""
    for command in ["status", "explain", "history"] {
      let outcome = try await restored.scene.pipeline.run(command, restored.run)
      #expect(outcome.status == 0, "\(command) \(outcome)")
      reports += outcome.output
    }
    for words in state.reports + ["run \(restored.run): ", "run began"] {
      #expect(reports.contains(words), "\(reports)")
    }
  }

  @Test(arguments: StoredState.all, [0, 60])
  func `a stored run completes, and each effect happens once`(
    state: StoredState, age: Int
  ) async throws {
    let restored = try await Restored(StoredRuns.shared.run(state), age: age)
    let outcome = try await restored.scene.pipeline.run(state.way.rawValue, restored.run)
    #expect(outcome.status == state.exit, "\(outcome)")
    let report = try JSON.object(
      try await restored.scene.pipeline.run("status", "--format", "json").output)
    #expect(report["status"] as? String == state.status, "\(outcome)")
    #expect(report["left_at_server"] as? Int == 0)
    let items = (report["items"] as? [String: Int] ?? [:]).filter { $0.value > 0 }
    #expect(items == state.end, "\(outcome)")
    Self.checkEffects(restored.journal + restored.server.journal, done: state.end["done"] ?? 0)
    let left = FolderSampler.files(below: try restored.scene.runFolder() + "/files")
    #expect(left.isEmpty, "\(left)")
  }

  /// Over both processes: no name has two uploads that live, none is finalized twice, and all that is done is there.
  private static func checkEffects(_ journal: [JournalLine], done: Int) {
    var owner: [String: String] = [:]
    var open: [String: Int] = [:]
    var complete: [String: Int] = [:]
    for line in journal {
      if line.event == "allocate", let id = line.upload_id, let name = line.name {
        owner[id] = name
        open[name, default: 0] += 1
      }
      if line.event == "finalize", let name = line.upload_id.flatMap({ owner[$0] }) {
        complete[name, default: 0] += 1
        open[name, default: 0] -= 1
      }
      if line.event == "delete", let name = line.upload_id.flatMap({ owner[$0] }) {
        open[name, default: 0] -= 1
      }
    }
    #expect(!journal.contains { $0.event == "duplicate_finalize" })
    #expect(open.allSatisfy { $0.value == 0 }, "uploads were left open: \(open)")
    #expect(complete.allSatisfy { $0.value == 1 }, "\(complete)")
    let stored = Set(journal.filter { $0.event == "store_file" }.compactMap(\.name))
    #expect(complete.count + stored.count == done, "\(complete) \(stored)")
  }

  @Test func `each status, and the data that a step keeps while it waits, is in a stored run`()
    async throws
  {
    var found: Set<String> = []
    for state in StoredState.all {
      let stored = try await StoredRuns.shared.run(state)
      let path = stored.directory.path("states.sqlite")
      try StoreText.restore(stored.text("run.sql"), to: path)
      defer { try? FileManager.default.removeItem(atPath: path) }
      for line in try StoreText.states(path).split(separator: "\n") {
        let words = line.split(separator: " ", maxSplits: 2)
        if line.hasPrefix("run "), let status = line.firstMatch(of: /"status":"([a-z]+)"/) {
          found.insert("run \(status.output.1)")
        } else if !line.hasPrefix("frame ") {
          found.insert("item \(words[1])")
        }
        guard !line.hasPrefix("run ") else { continue }
        for status in line.matches(of: /"status":"([a-z]+)"/) {
          found.insert("step \(status.output.1)")
        }
        for member in line.matches(of: /"([a-z_]+)":/) { found.insert(String(member.output.1)) }
      }
    }
    let statuses =
      RunState.Status.allCases.map { "run \($0.rawValue)" }
      + Item.Status.allCases.map { "item \($0.rawValue)" }
      + StepState.Status.allCases.map { "step \($0.rawValue)" }
    let members = [
      "batch", "not_before", "unknown_since", "earliest", "file", "reserved", "failure", "outputs",
      "abandoning", "remnants", "reason",
    ]
    for name in statuses + members { #expect(found.contains(name), "no stored run has '\(name)'") }
  }
}
