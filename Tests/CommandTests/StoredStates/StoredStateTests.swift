import Foundation
import StoreSupport
import TestSupport
import Testing

/// Runs that were stored by earlier programs, and by this one, in every status: they are read, told of and carried on.
@Suite(.serialized)
struct StoredStateTests {
  private static let environment = ProcessInfo.processInfo.environment

  /// A fixture as it was, in a folder and with a server of the test's own.
  struct Restored {
    let scene: Scene
    let server: ServerProcess
    let run: String
    let journal: [JournalLine]

    /// - Parameter age: Days for which the run has lain, until it came to this machine.
    init(_ fixture: StoredStateFolder.Fixture, age: Int = 0) async throws {
      let scene = try Scene()
      try scene.storedStateFiles()
      for name in StoredStateFolder.files(below: fixture.folder) where name.hasPrefix("server/") {
        try scene.directory.write(
          Data(contentsOf: fixture.folder.appending(path: name)), to: name)
      }
      server = try await scene.storedStateServer()
      let host = server.url.replacing("http://", with: "")
      let here = URL(filePath: scene.directory.path()).path
      func local(_ text: String) -> String {
        text.replacing(StoredStateFolder.folderMark, with: here)
          .replacing(StoredStateFolder.hostMark, with: host)
      }
      try StoreText.restore(
        Self.aged(local(fixture.text("run.sql")), by: age), to: scene.directory.path("run.sqlite"))
      let states = try StoreText.states(scene.directory.path("run.sqlite"))
      run = String(try #require(states.firstMatch(of: /"id":"([^"]+)"/)).output.1)
      let folder = "state/pipeline/runs/\(run)/"
      try scene.directory.write(
        Data(contentsOf: URL(filePath: scene.directory.path("run.sqlite"))),
        to: folder + "run.sqlite")
      for name in StoredStateFolder.files(below: fixture.folder) where name.hasPrefix("run/") {
        let data = try Data(contentsOf: fixture.folder.appending(path: name))
        let isText = name.hasSuffix(".json")
        try scene.directory.write(
          isText ? Data(local(String(decoding: data, as: UTF8.self)).utf8) : data,
          to: folder + name.dropFirst("run/".count))
      }
      journal = Self.lines(try fixture.text("journal.ndjson"))
      self.scene = scene
    }

    /// The store as if it had been written so many days earlier, on a machine that was started at another time.
    private static func aged(_ sql: String, by days: Int) throws -> String {
      guard days > 0 else { return sql }
      let began = try #require(sql.firstMatch(of: /"began":(\d{13})/).flatMap { Int($0.output.1) })
      return sql.replacing(/\b\d{13}\b/) { match in
        // What lives for years is no moment of the run.
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

    /// What the program says of the run, without what depends on where and when it is asked.
    func reports() async throws -> String {
      var text = ""
      for command in ["status", "explain", "history"] {
        let outcome = try await scene.pipeline.run(command, run)
        #expect(outcome.status == 0, "\(outcome)")
        text += "$ pipeline \(command)\n\(outcome.output)\(outcome.error)"
      }
      return text.replacing(URL(filePath: scene.directory.path()).path, with: "@FOLDER@")
        .replacing(server.url.replacing("http://", with: ""), with: "@HOST@")
        .replacing(#/ \(in [^)]*\)/#, with: "")
    }
  }

  @Test(
    .enabled(if: environment["UPDATE_STORED_STATES"] != nil, "fixtures are written on request"),
    arguments: StoredState.all)
  func `write the states with the program as it is`(state: StoredState) async throws {
    let isOverwriting = Self.environment["UPDATE_STORED_STATES"] == "all"
    try await StoredStateWriter(state, isOverwriting: isOverwriting).write()
  }

  @Test(arguments: StoredStateFolder.all())
  func `a stored run is reported as it was when it was stored`(
    fixture: StoredStateFolder.Fixture
  ) async throws {
    let reports = try await Restored(fixture).reports()
    let file = fixture.folder.appending(path: "reports.txt")
    if Self.environment["UPDATE_STORED_REPORTS"] == "1" {
      try Data(reports.utf8).write(to: file)
    }
    #expect(try fixture.text("reports.txt") == reports)
  }

  @Test(arguments: StoredStateFolder.all(), [0, 60])
  func `a stored run completes, and each effect happens once`(
    fixture: StoredStateFolder.Fixture, age: Int
  ) async throws {
    let state = fixture.state
    let restored = try await Restored(fixture, age: age)
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

  @Test func `every state that is listed is kept in the form that is newest`() throws {
    let fixtures = StoredStateFolder.all()
    let newest = try #require(
      fixtures.map(\.form).max { $0.localizedStandardCompare($1) == .orderedAscending })
    for fixture in fixtures {
      let text = try fixture.text("run.sql")
      let versions = text.matches(of: /INTO grdb_migrations VALUES \('(\d+)'\)/).compactMap {
        Int($0.output.1)
      }
      #expect(fixture.form == "form-\(try #require(versions.max()))")
    }
    let kept = Set(fixtures.filter { $0.form == newest }.map(\.state.name))
    #expect(kept == Set(StoredState.all.map(\.name)))
  }
}
