import Foundation
import TestSupport
import Testing

/// A file is skipped only if the server has the same one: no edit is lost, regardless of the clocks.
struct SameFileTests {
  private struct Setting {
    let scene: Scene
    let server: RunningCommand
    let pipeline: String

    /// The files that the server has received so far.
    var stored: [String] {
      server.output.split(separator: "\n").dropFirst().map { String($0.dropFirst("stored ".count)) }
    }

    func write(_ text: String, at seconds: Double) throws {
      let path = try scene.directory.write(text, to: "in/a.txt")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path)
    }

    /// Runs the pipeline, and returns the items of its report.
    func run() async throws -> String {
      let url = server.output.prefix { $0 != "\n" }
      let outcome = try await scene.pipeline.run(
        "run", pipeline, "--input", "server=\(url)", "--input", "files=in")
      #expect(outcome.status == 0, "\(outcome)")
      return outcome.output.firstMatch(of: /\d+ (done|skipped),/).map { String($0.output.0) } ?? ""
    }
  }

  private static let storage = CommandRunner.packageRoot
    .appending(path: "Tests/Program/CommandTests/Scripts/storage.py").path(percentEncoded: false)

  private func setting(
    _ name: String, ahead: Int, keepsTime: Bool
  ) async throws -> Setting {
    let scene = try Scene()
    let server = try scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/python3"),
      [Self.storage, "\(ahead)", keepsTime ? "1" : "0"])
    try await server.wait(for: "\n")
    var pipeline = Scene.shipped("catalogue/webdav.yaml")
    if name == "sync" {
      _ = try await scene.pipeline.run("new", "sync")
      pipeline = "sync.yaml"
    }
    return Setting(scene: scene, server: server, pipeline: pipeline)
  }

  @Test(arguments: ["webdav", "sync"], [-3600, 0, 3600])
  func `an edit is sent although size and order of times agree, and equal files are skipped`(
    _ name: String, _ ahead: Int
  ) async throws {
    let setting = try await setting(name, ahead: ahead, keepsTime: true)
    let now = Date().timeIntervalSince1970.rounded(.down)
    try setting.write("version 1", at: now - 100)
    #expect(try await setting.run() == "1 done,")
    #expect(try await setting.run() == "1 skipped,")
    // An older file of the same size, as from a backup.
    try setting.write("version 2", at: now - 1000)
    #expect(try await setting.run() == "1 done,")
    try setting.write("version 3", at: now + 1000)
    #expect(try await setting.run() == "1 done,")
    #expect(try await setting.run() == "1 skipped,")
    #expect(setting.stored == ["version 1", "version 2", "version 3"])
    let status = try JSON.object(
      try await setting.scene.pipeline.run("status", "--format", "json").output)
    #expect((status["items"] as? [String: Int])?["skipped"] == 1)
    #expect(status["bytes_moved"] as? Int == 0)
    let items = try await setting.scene.pipeline.run("items", "--status", "skipped")
    #expect(items.output.contains("the server has it"), "\(items)")
  }

  @Test(arguments: [-3600, 0, 3600])
  func `a server with its own times receives each file again`(_ ahead: Int) async throws {
    let setting = try await setting("webdav", ahead: ahead, keepsTime: false)
    let now = Date().timeIntervalSince1970.rounded(.down)
    for version in 1...3 {
      try setting.write("version \(version)", at: now - 100 + Double(version))
      #expect(try await setting.run() == "1 done,")
    }
    #expect(setting.stored == ["version 1", "version 2", "version 3"])
  }

  @Test func `an edit right after an upload is sent, although its size is the same`() async throws {
    let setting = try await setting("webdav", ahead: 0, keepsTime: true)
    for version in 1...3 {
      try setting.scene.directory.write("version \(version)", to: "in/a.txt")
      #expect(try await setting.run() == "1 done,")
    }
    #expect(setting.stored == ["version 1", "version 2", "version 3"])
  }
}
