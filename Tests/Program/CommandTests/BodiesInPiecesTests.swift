import Foundation
import TestSupport
import Testing

/// A body is sent from where its pieces are: in the pipeline's texts, and in the user's files.
struct BodiesInPiecesTests {
  /// - Parameter concurrency: With 1, the first file's request is the first.
  private func scene(
    _ definition: String = Definitions.copy, concurrency: Int = 2
  ) throws -> Scene {
    let scene = try Scene()
    try scene.files(2)
    try scene.directory.write(
      definition.replacing("concurrency: 2", with: "concurrency: \(concurrency)"), to: "copy.yaml")
    return scene
  }

  @Test func `a file whose response does not come in time is sent once more at most`() async throws
  {
    let definition = Definitions.put.replacing("attempts: 2", with: "attempts: 5")
      .replacing("file: ${{ file }}", with: "file: ${{ file }}\n          response_timeout: 300ms")
    let scene = try scene(definition)
    let gate = try await scene.gate(
      to: try await scene.server(), [#"{"match": "/", "do": "hold"}"#])
    let run = try await scene.pipeline.run("run", "copy.yaml", "--input", "server=\(gate.url)")
    #expect(run.status == 1, "\(run)")
    #expect(run.output.contains("2 paused"), "\(run)")
    let items = try JSON.array(try await scene.pipeline.run("items", "--format", "json").output)
    #expect(items.allSatisfy { $0["attempts"] as? Int == 2 }, "\(items)")
    let reason = items.first?["reason"] as? String ?? ""
    #expect(reason.contains("after the last byte was sent, although the server has"), "\(items)")
  }

  @Test(arguments: ["grows", "shrinks"])
  func `a file that changes while its pieces are sent fails its item with both sizes`(
    what: String
  ) async throws {
    let scene = try scene(concurrency: 1)
    let path = scene.directory.path("files/file-0000.bin")
    let size = what == "grows" ? 16_000_001 : 100_000
    // More than fits into the sockets' buffers, so that most of it is not read yet;
    // a hole needs no disk space.
    truncate(path, 16_000_000)
    let server = try await scene.server("--suspend-at", "1")
    let run = try scene.pipeline.start("run", "copy.yaml", "--input", "server=\(server.url)")
    try await server.waitUntilSuspended()
    truncate(path, size)
    server.goOn()
    let outcome = try await run.outcome()
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.error.contains("it had 16000000 bytes and now has \(size)"), "\(outcome)")
    #expect(server.journal.filter { $0.event == "store_file" }.map(\.name) == ["file-0001.bin"])
  }

  @Test func `a form with a file larger than the disk budget is sent, and nothing is written`()
    async throws
  {
    let scene = try scene()
    try scene.directory.write(Data(repeating: 7, count: 20_480), to: "files/file-0000.bin")
    let server = try await scene.server()
    let sampler = FolderSampler(scene.pipeline.stateFolder)
    let outcome = try await scene.pipeline.run(
      "run", "copy.yaml", "--input", "server=\(server.url)")
    #expect(await sampler.stop() == 0)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("2 done"), "\(outcome)")
    #expect(server.journal.count { $0.event == "store_file" } == 2)
  }

  @Test func `a file that is replaced while its pieces are sent is never stored half and half`()
    async throws
  {
    let digested = Definitions.copy.replacing(
      "materialize:\n", with: "materialize:\n          digests: [sha256]\n")
    let scene = try scene(digested, concurrency: 1)
    let path = scene.directory.path("files/file-0000.bin")
    try Data(repeating: 1, count: 16_000_000).write(to: URL(filePath: path))
    let moment = try #require(
      try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date)
    let modified = Date(timeIntervalSince1970: moment.timeIntervalSince1970.rounded(.down))
    try FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: path)
    let store = scene.directory.path("store")
    let server = try await scene.server("--suspend-at", "1", "--store", store)
    let run = try scene.pipeline.start("run", "copy.yaml", "--input", "server=\(server.url)")
    try await server.waitUntilSuspended()
    // Of the same size and with the same time, so that only the digest differs;
    // the program does not look in the meantime.
    run.signal(SIGSTOP)
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.seek(toOffset: 8_000_000)
    try handle.write(contentsOf: Data(repeating: 2, count: 8_000_000))
    try handle.close()
    try FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: path)
    run.signal(SIGCONT)
    server.goOn()
    let outcome = try await run.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    let stored = try Data(contentsOf: URL(filePath: store + "/files/file-0000.bin"))
    let now = try Data(contentsOf: URL(filePath: path))
    // The file starts with its first byte, which texts do not have; searching for all of it would need minutes.
    let start = try #require(stored.firstIndex(of: 1))
    #expect(stored[start...].prefix(now.count) == now)
  }
}
