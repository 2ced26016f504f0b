import Foundation
import TestSupport
import Testing

/// Runs have names in addition to their IDs.
struct RunNameTests {
  private func scene() async throws -> (Scene, [String]) {
    let scene = try Scene()
    try scene.files(2)
    try scene.directory.write(Definitions.put, to: "put.yaml")
    let server = try await scene.server()
    return (scene, ["run", "put.yaml", "--input", "server=\(server.url)"])
  }

  @Test func `a run that has a name is found by it, by its ID and by the start of that`()
    async throws
  {
    let (scene, run) = try await scene()
    let named = try await scene.pipeline.run(run + ["--name", "summer holidays"])
    #expect(named.status == 0, "\(named)")
    let id = try scene.runName()
    #expect(named.output.hasPrefix("run \(id) 'summer holidays': finished in "), "\(named)")
    _ = try await scene.pipeline.run(run)
    for name in ["summer holidays", id, String(id.dropLast())] {
      let status = try await scene.pipeline.run("status", name, "--format", "json")
      let report = try JSON.object(status.output)
      #expect(report["run"] as? String == id)
      #expect(report["name"] as? String == "summer holidays")
    }
    let list = try await scene.pipeline.run("runs")
    #expect(list.output.contains(/\n\S+ +finished .* put +summer holidays +2 done\n/), "\(list)")
    #expect(list.output.contains(/\n\S+ +finished .* put +- +2 done\n/), "\(list)")
    let removed = try await scene.pipeline.run("runs", "rm", "summer holidays")
    #expect(removed.output.contains("run '\(id)' removed"), "\(removed)")
  }

  @Test func `commands that accept a run and items support its name`() async throws {
    let (scene, run) = try await scene()
    _ = try await scene.pipeline.run(run + ["--name", "first"])
    try scene.files(1)
    _ = try await scene.pipeline.run(run + ["--input", "files=files/file-0000.bin"])
    let whole = try await scene.pipeline.run("history", "first")
    #expect(whole.output.contains("0/1 put "), "\(whole)")
    let item = try await scene.pipeline.run("explain", "first", "0/1")
    #expect(item.output.contains("0/1 files/file-0001.bin: done"), "\(item)")
    let retry = try await scene.pipeline.run("retry", "first")
    #expect(retry.output.contains("no item is paused or has failed"), "\(retry)")
    let unknown = try await scene.pipeline.run("explain", "fir")
    #expect(unknown.error.contains("no run is called 'fir'"), "\(unknown)")
  }

  @Test(arguments: ["0/12", "a/b", "-a", ".a", " a", "a\tb"])
  func `a name that looks like an item, a file or an option is invalid`(name: String) async throws {
    let (scene, run) = try await scene()
    let outcome = try await scene.pipeline.run(run + ["--name=\(name)"])
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.error.contains("--name '"), "\(outcome)")
    #expect(!FileManager.default.fileExists(atPath: scene.pipeline.stateFolder + "/runs"))
  }

  @Test func `a name that another run has as its name or its ID is refused`() async throws {
    let (scene, run) = try await scene()
    _ = try await scene.pipeline.run(run + ["--name", "first"])
    let id = try scene.runName()
    let twice = try await scene.pipeline.run(run + ["--name", "first"])
    #expect(twice.status == 2, "\(twice)")
    #expect(twice.error.contains("another run is called 'first': '\(id)'"), "\(twice)")
    let hidden = try await scene.pipeline.run(run + ["--name", id])
    #expect(hidden.status == 2, "\(hidden)")
    #expect(hidden.error.contains("another run has the ID '\(id)'"), "\(hidden)")
    // The refused command left nothing behind.
    #expect(try scene.runName() == id)
  }

  @Test func `a run may have the name of its pipeline, with which IDs start`() async throws {
    let (scene, run) = try await scene()
    _ = try await scene.pipeline.run(run)
    let id = try scene.runName()
    let parts = id.split(separator: "-")
    let starts = (1...3).map { parts.prefix($0).joined(separator: "-") }
    for start in starts + [starts[2] + "-"] {
      let unknown = try await scene.pipeline.run("status", start)
      #expect(unknown.error.contains("no run is called '\(start)'"), "\(unknown)")
    }
    for name in starts + [String(id.dropLast())] {
      let named = try await scene.pipeline.run(run + ["--name", name])
      #expect(named.status == 0, "\(named)")
      // A name wins over the start of an ID, even one that includes some of the random part.
      let report = try JSON.object(
        try await scene.pipeline.run("status", name, "--format", "json").output)
      #expect(report["name"] as? String == name)
      #expect(report["run"] as? String != id)
      let items = try await scene.pipeline.run("explain", name, "0/1")
      #expect(items.output.contains("0/1 files/file-0001.bin: done"), "\(items)")
    }
  }

  @Test func `of two runs that request one name at the same time, one gets it`() async throws {
    let (scene, run) = try await scene()
    let both = try (0..<4).map { _ in try scene.pipeline.start(run + ["--name", "same"]) }
    var statuses: [Int32] = []
    for command in both { statuses.append(try await command.outcome().status) }
    #expect(statuses.sorted() == [0, 2, 2, 2])
    _ = try scene.runName()
  }

  @Test func `a run keeps its name when it continues with a changed file`() async throws {
    let (scene, run) = try await scene()
    _ = try await scene.pipeline.run(
      ["run", "put.yaml", "--input", "server=http://127.0.0.1:9", "--name", "first"])
    try scene.directory.write(
      Definitions.put.replacingOccurrences(of: "concurrency: 2", with: "concurrency: 1"),
      to: "put.yaml")
    let retry = try await scene.pipeline.run("retry", "first", "--accept-changes")
    #expect(retry.output.contains(" 'first': finished"), "\(retry) \(run)")
  }
}
