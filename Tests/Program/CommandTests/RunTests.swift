import Foundation
import TestSupport
import Testing

struct RunTests {
  /// Shipped pipelines with the bytes that they send: a form around a file is a little larger than the file.
  private static let shipped = [
    ("photos", "25.1 KiB"), ("documents", "23.1 KiB"), ("batched-finalize", "23.1 KiB"),
  ]

  @Test(arguments: shipped)
  func `a shipped pipeline runs against the embedded server`(name: String, bytes: String)
    async throws
  {
    let scene = try Scene()
    let outcome = try await scene.pipeline.run("run", Scene.shipped("\(name).yaml"), "--demo")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      outcome.output.contains(/^run \S+: finished in .* s: 5 done, [0-9.]+ KiB\n$/), "\(outcome)")
    #expect(outcome.output.hasSuffix(", \(bytes)\n"), "\(outcome)")
    #expect(outcome.error.contains("\nrun \(name)-"))
    #expect(outcome.error.contains("100 %: 5 done"))
  }

  @Test(arguments: ["photos", "documents", "batched-finalize"])
  func `the report of a run is one JSON object`(name: String) async throws {
    let scene = try Scene()
    let outcome = try await scene.pipeline.run(
      "run", Scene.shipped("\(name).yaml"), "--demo", "--format", "json")
    #expect(outcome.status == 0, "\(outcome)")
    let report = try JSON.object(outcome.output)
    #expect(report["pipeline"] as? String == name)
    #expect(report["status"] as? String == "finished")
    #expect((report["items"] as? [String: Int])?["done"] == 5)
    let items = try JSON.array(try await scene.pipeline.run("items", "--format", "json").output)
    let moved = items.reduce(0) { $0 + ($1["bytes_moved"] as? Int ?? 0) }
    #expect(moved >= 23_628)
    #expect(report["bytes_moved"] as? Int == moved)
  }

  @Test func `progress in JSON is one object per line, from start to end`() async throws {
    let scene = try Scene()
    let outcome = try await scene.pipeline.run(
      "run", Scene.shipped("photos.yaml"), "--demo", "--progress", "json")
    #expect(outcome.status == 0, "\(outcome)")
    let lines = try outcome.output.split(separator: "\n").map { try JSON.object($0) }
    let events = lines.compactMap { $0["event"] as? String }
    #expect(events.count == lines.count)
    #expect(events.first == "began")
    #expect(events.suffix(2) == ["progress", "ended"])
    #expect(lines.last?["status"] as? String == "finished")
    #expect((lines.dropLast().last?["waiting"] as? [String: Int])?.isEmpty == true)
    let items = lines.filter { $0["event"] as? String == "item" }
    #expect(items.count == 5)
    #expect(items.allSatisfy { $0["status"] as? String == "done" })
  }

  @Test func `the uploaded files are on the server, byte by byte`() async throws {
    let scene = try Scene()
    let contents = try scene.files(9, size: 3000)
    let server = try await scene.server("--store", scene.directory.path("store"))
    let outcome = try await scene.pipeline.run(
      "run", Scene.shipped("documents.yaml"), "--input", "server=\(server.url)",
      "--input", "documents=files/*.bin", "--input", "large=1000 B")
    #expect(outcome.status == 0, "\(outcome)")
    for (name, content) in contents {
      let stored = FileManager.default.contents(atPath: scene.directory.path("store/files/\(name)"))
      #expect(stored == content, "\(name)")
    }
    #expect(FolderSampler.files(below: try scene.runFolder() + "/files").isEmpty)
  }

  @Test func `a simulated device runs the same pipeline`() async throws {
    let scene = try Scene()
    let outcome = try await scene.pipeline.run(
      "run", Scene.shipped("photos.yaml"), "--demo", "--device", "ios", "--timeline",
      "foreground 5s, background 10m", "--speed", "60")
    #expect(outcome.status == 0, "\(outcome)")
  }

  @Test func `a dry run shows requests, hides secrets and sends nothing`() async throws {
    var scene = try Scene()
    scene.pipeline.environment["PIPELINE_INPUT_PASSWORD"] = "do-not-print-me"
    let server = try await scene.server()
    for format in ["text", "json"] {
      let outcome = try await scene.pipeline.run(
        "run", Scene.shipped("photos.yaml"), "--input", "server=\(server.url)", "--dry-run",
        "--format", format)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.output.contains("POST \(server.url)/v1/login"))
      #expect(outcome.output.contains("Authorization: ***"))
      #expect(outcome.output.contains("meadow.jpg"))
      #expect(!"\(outcome)".contains("do-not-print-me"), "\(outcome)")
    }
    #expect(server.journal.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: scene.pipeline.stateFolder))
  }

  @Test func `the demo server runs until it is interrupted, and then ends well`() async throws {
    let scene = try Scene()
    let server = try await scene.server()
    server.process.signal(SIGINT)
    #expect(try await server.process.outcome().status == 0)
  }
}
