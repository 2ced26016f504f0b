import Foundation
import TestSupport
import Testing

/// A state in which a run is kept as a fixture: how it gets there, and how it goes on.
struct StoredState: Sendable, CustomTestStringConvertible {
  /// How a command goes on with the run.
  enum Way: String, Sendable {
    case resume, retry, cancel
  }

  /// What stops the run where it is.
  enum Stop: Sendable {
    /// SIGKILL.
    case killed
    /// The run comes to rest by itself.
    case rests
    /// Another process asks for it, and the run comes to rest.
    case command(String)
    /// The run rests, this command goes on with it, and is killed when the state is there.
    case afterwards(Way)
  }

  /// Name of the fixture's folder.
  let name: String
  /// The pipeline in `Tests/StoredStates/pipelines`.
  let pipeline: String
  /// What the gate between run and server does, as JSON.
  var rules: [String] = []
  /// Expressions that hold on the lines of ``StoreText/states(_:)`` when the state is there.
  let shows: [String]
  var stop = Stop.killed
  /// The command that goes on.
  var way = Way.resume
  /// Exit status of the command that goes on.
  var exit: Int32 = 0
  /// How many items stand how at the end.
  var end = ["done": 3]
  /// How the run ends.
  var status = "finished"

  var testDescription: String { name }

  /// Files of every run; the concurrency of 2 leaves one of them pending at first.
  static let files = ["a.txt", "b.txt", "c.txt"]
}

/// Where fixtures lie, and what stands in them for what differs from machine to machine.
enum StoredStateFolder {
  static let root = CommandRunner.packageRoot.appending(path: "Tests/StoredStates")
  /// Stands for the scene's folder.
  static let folderMark = "@FOLDER@"
  /// Stands for the server's host and port.
  static let hostMark = "@HOST@"

  /// All fixtures, of all forms: folder and state.
  static func all() -> [Fixture] {
    let forms = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    return forms.filter { $0.hasPrefix("form-") }.sorted().flatMap { form in
      StoredState.all.compactMap { state in
        let fixture = Fixture(form: form, state: state)
        return FileManager.default.fileExists(atPath: fixture.folder.path) ? fixture : nil
      }
    }
  }

  /// One state in one form.
  struct Fixture: Sendable, CustomTestStringConvertible {
    let form: String
    let state: StoredState

    var testDescription: String { "\(form)/\(state.name)" }
    var folder: URL { root.appending(path: "\(form)/\(state.name)") }

    func text(_ name: String) throws -> String {
      try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
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

extension Scene {
  /// The files that stored states have as items, which have not changed since they were written.
  func storedStateFiles() throws {
    for (index, name) in StoredState.files.enumerated() {
      let text = String(repeating: "\(name) ", count: 8 + index)
      let path = try directory.write(text, to: "files/\(name)")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_767_225_600)], ofItemAtPath: path)
    }
  }

  /// A demo server that goes on with what it keeps in `server/`; what it makes outlives the fixtures.
  func storedStateServer() async throws -> ServerProcess {
    try await server(["--store", directory.path("server"), "--upload-lifetime", "400000h"])
  }
}
