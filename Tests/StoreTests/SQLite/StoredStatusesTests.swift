import CEL
import Foundation
import PipelineConformance
import PipelineCore
import PipelineEngine
import PipelineSQLite
import StoreSupport
import Testing

/// The folders of runs in `Tests/StoredStates` leave out no status that the code knows.
struct StoredStatusesTests {
  /// What the stores of one form show.
  private struct Shown {
    var runs: Set<String> = []
    var items: Set<Int> = []
    var steps: Set<String> = []
    /// Members of steps, of items on their way out, and of runs.
    var members: Set<String> = []

    mutating func read(_ line: Substring) throws {
      let words = line.split(separator: " ", maxSplits: 2)
      let lead = ["run ", "frame "].first { line.hasPrefix($0) }
      let isRun = lead != nil
      let json = lead.map { line.dropFirst($0.count) } ?? (words.count > 2 ? words[2] : "")
      if !isRun, let status = Int(words[1]) { items.insert(status) }
      guard !json.isEmpty, case .map(let object) = try Value(json: [UInt8](json.utf8)) else {
        return
      }
      if isRun, case .string(let status)? = object["status"] { runs.insert(status) }
      note(object)
      if case .map(let steps)? = object["steps"] {
        for case (_, .map(let step)) in steps {
          if case .string(let status)? = step["status"] { self.steps.insert(status) }
          note(step)
        }
      }
    }

    private mutating func note(_ object: MapValue) {
      for case (.string(let name), _) in object { members.insert(name) }
    }
  }

  private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "StoredStates")

  /// The folder of the form that this program writes.
  private static func newest() async throws -> URL {
    let folder = try TemporaryFolder()
    let store = try await SQLiteCheckpointStore(
      path: folder("run.sqlite"), pipeline: Sample.pipeline)
    await store.close()
    return root.appending(path: "form-\(try StoreText.version(folder("run.sqlite")))")
  }

  private static func shown() async throws -> Shown {
    let form = try await newest()
    var shown = Shown()
    for name in try FileManager.default.contentsOfDirectory(atPath: form.path) {
      let folder = try TemporaryFolder()
      let sql = try String(contentsOf: form.appending(path: "\(name)/run.sql"), encoding: .utf8)
      try StoreText.restore(sql, to: folder("run.sqlite"))
      for line in try StoreText.states(folder("run.sqlite")).split(separator: "\n") {
        try shown.read(line)
      }
    }
    return shown
  }

  @Test func `each status of a run, an item and a step is in a stored state`() async throws {
    let shown = try await Self.shown()
    for status in RunState.Status.allCases {
      #expect(shown.runs.contains(status.rawValue), "no run is \(status)")
    }
    for status in Item.Status.allCases {
      #expect(shown.items.contains(status.rawValue), "no item is \(status)")
    }
    for status in StepState.Status.allCases {
      #expect(shown.steps.contains(status.rawValue), "no step is \(status)")
    }
  }

  @Test func `the data that a step keeps while it waits is in a stored state`() async throws {
    let members = try await Self.shown().members
    let waits = [
      "batch", "not_before", "unknown_since", "earliest", "file", "reserved",
      "failure",
      "outputs", "abandoning", "remnants", "reason", "key_seed", "time",
    ]
    for member in waits { #expect(members.contains(member), "no stored state has '\(member)'") }
  }
}
