import Foundation
import TestSupport
import Testing

struct AuthoringTests {
  @Test func `a graph is drawn as Mermaid and as DOT`() async throws {
    let scene = try Scene()
    let mermaid = try await scene.pipeline.run("graph", Scene.shipped("photos.yaml"))
    #expect(mermaid.status == 0)
    #expect(mermaid.output.hasPrefix("flowchart TD\n"))
    #expect(mermaid.output.contains("subgraph l0 [\"for each photo, 8 at once\"]"), "\(mermaid)")
    #expect(mermaid.output.contains("-->|upload_id|"), "\(mermaid)")
    let dot = try await scene.pipeline.run("graph", Scene.shipped("photos.yaml"), "--as", "dot")
    #expect(dot.status == 0)
    #expect(dot.output.hasPrefix("digraph \"photos\" {\n"))
    #expect(dot.output.contains("[label=\"allocate (request)\"]"), "\(dot)")
    #expect(dot.output.count { $0 == "{" } == dot.output.count { $0 == "}" })
  }

  @Test func `steps of parts and turns are drawn in boxes inside their loop's box`() async throws {
    let scene = try Scene()
    let parts = try await scene.pipeline.run("graph", Scene.shipped("catalogue/s3-multipart.yaml"))
    let lines = parts.output.split(separator: "\n").map(String.init)
    let loop = try #require(lines.firstIndex { $0.hasPrefix("  subgraph l0 ") })
    let inner = try #require(lines.firstIndex { $0.hasPrefix("    subgraph l1 [\"for each part") })
    let end = try #require(lines.firstIndex(of: "  end"))
    #expect(loop < inner && inner < end, "\(parts)")
    #expect(lines[..<loop].allSatisfy { !$0.contains("(upload)") }, "\(parts)")
    #expect(lines[inner...end].contains { $0.hasPrefix("      s") }, "\(parts)")
    let turns = try await scene.pipeline.run("graph", Scene.shipped("catalogue/tus.yaml"))
    #expect(turns.output.contains("    subgraph l1 [\"in turns\"]"), "\(turns)")
  }

  @Test func `the printed schema is the shipped one, and accepts the shipped pipelines`()
    async throws
  {
    let scene = try Scene()
    let schema = try await scene.pipeline.run("schema")
    #expect(schema.status == 0)
    #expect(try JSON.object(schema.output)["$schema"] as? String != nil)
    let file = try scene.directory.write(schema.output, to: "schema.json")
    let good = try await scene.pipeline.run(
      "validate", "--schema", file, Scene.shipped("photos.yaml"), Scene.shipped("documents.yaml"))
    #expect(good.status == 0, "\(good)")
    let bad = try scene.directory.write("pipeline: 5\nsteps: []\n", to: "bad.yaml")
    let outcome = try await scene.pipeline.run("validate", "--schema", file, bad)
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("\(bad):1:11: error["), "\(outcome)")
    let json = try await scene.pipeline.run("validate", "--schema", file, bad, "--format", "json")
    #expect(json.status == 1)
    #expect(try JSON.array(json.output).isEmpty == false)
  }

  @Test func `a scenario is validated as one, also against its printed schema`() async throws {
    let scene = try Scene()
    let schema = try await scene.pipeline.run("schema", "scenario")
    #expect(schema.status == 0)
    let file = try scene.directory.write(schema.output, to: "scenario.schema.json")
    let good = try scene.directory.write("scenario: a\nitems: { count: 3 }\n", to: "good.yaml")
    #expect(try await scene.pipeline.run("validate", good).status == 0)
    #expect(try await scene.pipeline.run("validate", "--schema", file, good).status == 0)
    let bad = try scene.directory.write("scenario: a\nitems: { count: 0 }\n", to: "bad.yaml")
    let outcome = try await scene.pipeline.run("validate", bad)
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("\(bad):2:17: error[out-of-range]"), "\(outcome)")
    #expect(try await scene.pipeline.run("validate", "--schema", file, bad).status == 1)
  }

  @Test func `references lead where they are mapped, and formats are asserted on request`()
    async throws
  {
    let scene = try Scene()
    let schema = try scene.directory.write(
      #"{"properties": {"size": {"$ref": "https://example.com/types/size.json"}}}"#,
      to: "main.json")
    _ = try scene.directory.write(#"{"type": "integer", "minimum": 0}"#, to: "types/size.json")
    let bad = try scene.directory.write("size: -1\n", to: "data.yaml")
    let unmapped = try await scene.pipeline.run("validate", "--schema", schema, bad)
    #expect(unmapped.status == 2)
    #expect(unmapped.error.contains("https://example.com/types/size.json"), "\(unmapped)")
    let folder = "https://example.com/types/=\(scene.directory.path("types"))"
    let mapped = try await scene.pipeline.run("validate", "--schema", schema, bad, "--ref", folder)
    #expect(mapped.status == 1)
    #expect(mapped.output.contains("  keyword: minimum\n  instance: /size\n"), "\(mapped)")
    #expect(mapped.output.hasPrefix("\(bad):1:7: error[schema-violation]: "), "\(mapped)")

    let dates = try scene.directory.write(#"{"format": "date"}"#, to: "dates.json")
    let never = try scene.directory.write("2026-02-30\n", to: "never.yaml")
    #expect(try await scene.pipeline.run("validate", "--schema", dates, never).status == 0)
    let asserted = try await scene.pipeline.run(
      "validate", "--schema", dates, "--format-assertion", never)
    #expect(asserted.status == 1, "\(asserted)")
  }

  @Test func `the shipped pipelines are valid`() async throws {
    let scene = try Scene()
    let outcome = try await scene.pipeline.run(
      "validate", Scene.shipped("photos.yaml"), Scene.shipped("documents.yaml"))
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.isEmpty)
  }

  @Test func `findings have a place, and come as JSON too`() async throws {
    let scene = try Scene()
    let file = try scene.directory.write("pipeline: x\nstep: []\n", to: "bad.yaml")
    let text = try await scene.pipeline.run("validate", file)
    #expect(text.status == 1)
    #expect(text.output.contains("\(file):2:1: error[unknown-key]"), "\(text)")
    #expect(text.output.contains("'steps'"), "\(text)")
    let json = try await scene.pipeline.run("validate", file, "--format", "json")
    #expect(json.status == 1)
    #expect((try? JSONSerialization.jsonObject(with: Data(json.output.utf8))) != nil, "\(json)")
  }

  @Test func `a pipeline is read from standard input`() async throws {
    let scene = try Scene()
    let outcome = try await scene.pipeline.run("validate", "-", input: "pipeline: x\nstep: []\n")
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("2:1: error[unknown-key]"), "\(outcome)")
  }

  @Test func `expressions are tried with bindings and types`() async throws {
    let scene = try Scene()
    let value = try await scene.pipeline.run(
      "eval", "size(parts)", "--let", "parts=ranges(20 * MiB, 8 * MiB)")
    #expect(value.status == 0, "\(value)")
    #expect(value.output == "3\n")
    let type = try await scene.pipeline.run("eval", "timestamp('2026-03-14T10:15:00Z')", "--type")
    #expect(type.output.contains("timestamp"), "\(type)")
    let json = try await scene.pipeline.run("eval", "{'a': [1, 2.5, null]}", "--format", "json")
    #expect(json.output == "{\"a\":[1,2.5,null]}\n", "\(json)")
  }

  @Test(arguments: [("1 +", "error[", 1), ("nme", "error[", 1), ("1 / 0", "error[", 1)])
  func `a wrong expression is shown with its place`(
    source: String, message: String, status: Int32
  ) async throws {
    let outcome = try await Scene().pipeline.run("eval", source)
    #expect(outcome.status == status)
    #expect(outcome.error.contains(message), "\(outcome)")
    #expect(outcome.error.contains("\n  \(source)\n"), "\(outcome)")
    #expect(outcome.error.contains("^"))
  }
}
