import Foundation
import TestSupport
import Testing

/// A state in which a run is stored: how it gets there, the reports about it, and how it continues.
struct StoredState: Sendable, CustomTestStringConvertible {
  /// How a command continues the run.
  enum Way: String, Sendable {
    case resume, retry, cancel
  }

  /// What stops the run where it is.
  enum Stop: Sendable {
    /// SIGKILL.
    case killed
    /// The run stops by itself.
    case rests
    /// Another process asks for it, and the run stops.
    case command(String)
    /// The run stops, this command continues it, and is killed when the state is reached.
    case afterwards(Way)
  }

  let name: String
  /// The pipeline in the folder `pipelines`.
  let pipeline: String
  /// The behavior of the gate between run and server, as JSON.
  var rules: [String] = []
  /// Expressions that hold on the lines of ``StoreText/states(_:)`` when the state is there.
  let shows: [String]
  var stop = Stop.killed
  /// The command that continues.
  var way = Way.resume
  /// Exit status of the command that continues.
  var exit: Int32 = 0
  /// How many items stand how at the end.
  var end = ["done": 3]
  /// How the run ends.
  var status = "finished"
  /// The output of `status` and `explain` for the stored run.
  var reports = [waiting("step 'sign_in'")]

  /// The output of `explain` for the first item while no process works on the run.
  static func waiting(_ next: String) -> String {
    "0/0 files/a.txt: interrupted: no process is working on it; next: \(next)"
  }

  /// The next action depends on whether the back-off has passed at the time of the report.
  static let backingOff = waiting("")

  var testDescription: String { name }

  /// Files of every run; the concurrency of 2 leaves one of them pending at first.
  static let files = ["a.txt", "b.txt", "c.txt"]
}

/// A run in a state, with its server's store.
///
/// The folder contains the store of the run as `run.sql`, its other files in `run/`, the server's in `server/`, and its journal. Marks replace
/// what differs from scene to scene, so that the run can be continued in any.
struct StoredRun: Sendable {
  let state: StoredState
  let directory: TemporaryDirectory

  /// The mark of the scene's folder.
  static let folderMark = "@FOLDER@"
  /// The mark of the server's host and port.
  static let hostMark = "@HOST@"

  func text(_ name: String) throws -> String {
    try String(contentsOf: directory.url.appending(path: name), encoding: .utf8)
  }

  /// Files below a folder, by their paths from it.
  static func files(below folder: URL) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return (names ?? []).sorted().filter { name in
      var isFolder: ObjCBool = false
      let path = folder.appending(path: name).path
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
  }
}

/// The stored runs of this process: each state is reached once.
actor StoredRuns {
  static let shared = StoredRuns()
  private var runs: [String: Task<StoredRun, any Error>] = [:]

  func run(_ state: StoredState) async throws -> StoredRun {
    let task = runs[state.name] ?? Task { try await StoredStateWriter(state).write() }
    runs[state.name] = task
    return try await task.value
  }
}

extension Scene {
  /// The files that stored runs have as items, which look unchanged in each scene.
  func storedStateFiles() throws {
    for (index, name) in StoredState.files.enumerated() {
      let text = String(repeating: "\(name) ", count: 8 + index)
      let path = try directory.write(text, to: "files/\(name)")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_767_225_600)], ofItemAtPath: path)
    }
  }

  /// A demo server that continues with its store in `server/`; its results outlive a run that is stored for months.
  func storedStateServer() async throws -> ServerProcess {
    try await server(["--store", directory.path("server"), "--upload-lifetime", "400000h"])
  }
}
