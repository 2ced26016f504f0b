import Foundation
import TestSupport
import Testing

/// Several shards seen as one run.
struct ShardedReportTests {
  /// A scene with shards 1 and 3 of 3, each in a state folder of its own.
  private func scene() async throws -> (scene: Scene, states: [String]) {
    let scene = try Scene()
    try scene.files(30)
    try scene.directory.write(Definitions.put, to: "put.yaml")
    let server = try await scene.server()
    for number in [1, 3] {
      let run = try await scene.pipeline.run(
        "run", "put.yaml", "--input", "server=\(server.url)", "--state", "state \(number)",
        "--name", "nightly", "--shard", "\(number)/3")
      #expect(run.status == 0, "\(run)")
    }
    return (scene, ["--state", "state 1", "--state", "state 3"])
  }

  private func count(_ items: Any?, _ status: String = "done") throws -> Int {
    try #require((items as? [String: Int])?[status])
  }

  @Test func `status adds the shards up and names missing ones`() async throws {
    let (scene, states) = try await scene()
    let text = try await scene.pipeline.run(["status"] + states)
    #expect(text.status == 0, "\(text)")
    let lines = text.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("run 'nightly' in 3 shards: 2 finished: ") == true, "\(text)")
    #expect(lines.dropFirst().first == "  shard 2 of 3 was not found", "\(text)")
    #expect(lines.contains { $0.hasPrefix("1/3 ") } && lines.contains { $0.hasPrefix("3/3 ") })
    let json = try JSON.object(
      try await scene.pipeline.run(["status", "--format", "json"] + states).output)
    let each = try #require(json["each"] as? [[String: Any]])
    #expect(each.map { $0["shard"] as? String } == ["1/3", "3/3"])
    #expect(json["missing"] as? [Int] == [2] && json["shards"] as? Int == 3)
    #expect(try count(json["items"]) == count(each[0]["items"]) + count(each[1]["items"]))
    let named = try await scene.pipeline.run(["status", "nightly"] + states)
    #expect(named.output == text.output)
  }

  @Test func `the items of all shards are one list, with a column for the shard`() async throws {
    let (scene, states) = try await scene()
    let rows = try JSON.array(
      try await scene.pipeline.run(["items", "--format", "json"] + states).output)
    #expect(Set(rows.compactMap { $0["shard"] as? String }) == ["1/3", "3/3"])
    #expect(Set(rows.compactMap { $0["name"] as? String }).count == rows.count)
    let csv = try await scene.pipeline.run(["items", "--format", "csv"] + states)
    let lines = csv.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("shard,item,name,") == true && lines.count == rows.count + 1)
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("1/3,0/") || $0.hasPrefix("3/3,0/") })
    let table = try await scene.pipeline.run(["items", "--limit", "2"] + states)
    #expect(table.output.hasPrefix("SHARD  ITEM"), "\(table)")
    #expect(table.output.hasSuffix("and \(rows.count - 2) more; --limit shows them\n"), "\(table)")
  }

  @Test func `explain describes each shard`() async throws {
    let (scene, states) = try await scene()
    let text = try await scene.pipeline.run(["explain"] + states)
    #expect(text.status == 0, "\(text)")
    for shard in ["1/3", "3/3"] {
      #expect(text.output.contains("'nightly', shard \(shard): finished"), "\(text)")
    }
    #expect(text.output.hasSuffix("shard 2 of 3 was not found\n"), "\(text)")
    let json = try JSON.array(
      try await scene.pipeline.run(["explain", "--format", "json"] + states).output)
    #expect(json.map { $0["shard"] as? String } == ["1/3", "3/3"])
  }

  @Test func `shards in one state folder are one run by their name`() async throws {
    let scene = try Scene()
    try scene.files(8)
    try scene.directory.write(Definitions.put, to: "put.yaml")
    let server = try await scene.server()
    for number in 1...2 {
      let run = try await scene.pipeline.run(
        "run", "put.yaml", "--input", "server=\(server.url)", "--name", "nightly", "--shard",
        "\(number)/2")
      #expect(run.status == 0, "\(run)")
    }
    for command in [["status"], ["status", "nightly"]] {
      let status = try await scene.pipeline.run(command)
      #expect(
        status.output.hasPrefix("run 'nightly' in 2 shards: 2 finished: 8 done, "), "\(status)")
      #expect(!status.output.contains("not found"))
    }
    let runs = try JSON.array(try await scene.pipeline.run("runs", "--format", "json").output)
    let id = try #require(runs.first?["run"] as? String)
    let one = try await scene.pipeline.run("status", id)
    #expect(one.output.hasPrefix("run \(id) 'nightly', shard 1/2: finished"), "\(one)")
    let retry = try await scene.pipeline.run("retry", "nightly")
    #expect(retry.status == 2 && retry.error.contains("'nightly' is a run in shards"), "\(retry)")
    let history = try await scene.pipeline.run("history", id)
    #expect(history.status == 0, "\(history)")
  }

  @Test func `shards of a demo are one run, though each has its own server`() async throws {
    let scene = try Scene()
    for number in 1...2 {
      let run = try await scene.pipeline.run(
        "run", Scene.shipped("photos.yaml"), "--demo", "--name", "demo", "--shard", "\(number)/2")
      #expect(run.status == 0, "\(run)")
    }
    let status = try await scene.pipeline.run("status", "demo")
    #expect(status.output.hasPrefix("run 'demo' in 2 shards: 2 finished: 5 done, "), "\(status)")
  }

  @Test func `unrelated shards are refused`() async throws {
    let (scene, states) = try await scene()
    func refusal(_ arguments: [String]) async throws -> String {
      let outcome = try await scene.pipeline.run(["status"] + arguments)
      #expect(outcome.status == 2 && outcome.output.isEmpty, "\(outcome)")
      return outcome.error
    }
    #expect(
      try await refusal(states + ["--state", "state 1"]).contains(
        "are both shard 1/3: name each shard only once"))
    let server = try await scene.server()
    func run(_ arguments: String..., file: String = "put.yaml") async throws {
      let run = try await scene.pipeline.run(
        ["run", file, "--input", "server=\(server.url)"] + arguments)
      #expect(run.status == 0, "\(run)")
    }
    try await run("--state", "whole")
    #expect(try await refusal(states + ["--state", "whole"]).contains("is not a shard"))
    try await run("--state", "other count", "--shard", "2/4")
    #expect(
      try await refusal(states + ["--state", "other count"]).contains(
        "these are not shards of one run"))
    try await run("--state", "other input", "--shard", "2/3")
    #expect(try await refusal(states + ["--state", "other input"]).contains("input 'server' is"))
    try scene.directory.write(Definitions.put + "\n# changed\n", to: "changed.yaml")
    try await run("--state", "other pipeline", "--shard", "2/3", file: "changed.yaml")
    #expect(
      try await refusal(states + ["--state", "other pipeline"]).contains(
        "started with different pipelines"))
    #expect(try await refusal(states + ["--state", "empty"]).contains("there are no runs in"))
    let history = try await scene.pipeline.run(["history"] + states)
    #expect(history.status == 64, "\(history)")
    #expect(history.error.contains("specify --state only once"), "\(history)")
  }
}
