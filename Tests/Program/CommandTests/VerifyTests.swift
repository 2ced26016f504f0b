import Foundation
import TestSupport
import Testing

struct VerifyTests {
  private static let unsafe = """
    pipeline: unsafe
    inputs: { photos: { type: files, default: "*.jpg" } }
    steps:
      - for_each: photo
        in: ${{ inputs.photos }}
        steps:
          - id: finalize
            request: { method: POST, url: "https://a.test/finalize/${{ urlEscape(photo.name) }}" }
            effect: create  # pipeline: ignore[unsafe-create] shown to be one

    """

  private func unsafe(_ scene: Scene) throws -> String {
    try scene.directory.write(Self.unsafe, to: "unsafe.yaml")
  }

  @Test(arguments: ["photos", "documents", "one-by-one", "batched-finalize"])
  func `a pipeline that ships is certified`(name: String) async throws {
    let outcome = try await Scene().pipeline.run(
      "verify", Scene.shipped("\(name).yaml"), "--accept-assumptions")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("\(name).yaml: certified"), "\(outcome)")
    #expect(!outcome.output.contains("leak:"), "\(outcome)")
    #expect(outcome.error.isEmpty)
  }

  @Test func `a certificate under assumptions exits with 5 unless they are accepted`()
    async throws
  {
    let outcome = try await Scene().pipeline.run(
      "verify", Scene.shipped("photos.yaml"))
    #expect(outcome.status == 5, "\(outcome)")
    #expect(!outcome.output.contains("photos.yaml: certified"), "\(outcome)")
    #expect(outcome.error.contains("--accept-assumptions"), "\(outcome)")
  }

  @Test func `fewer pairs than usual do not certify, and end with 1`() async throws {
    let outcome = try await Scene().pipeline.run(
      "verify", Scene.shipped("one-by-one.yaml"), "--pairs", "0", "--accept-assumptions")
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.contains("one-by-one.yaml: not certified"), "\(outcome)")
  }

  @Test func `a creating step without key or probe has its counter-example, and ends with 1`()
    async throws
  {
    let scene = try Scene()
    let outcome = try await scene.pipeline.run("verify", try unsafe(scene), "--pairs", "0")
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.contains("finalize"), "\(outcome)")
    #expect(outcome.output.contains("not safe"), "\(outcome)")
  }

  @Test func `the JSON report fits the schema that the program prints`() async throws {
    let scene = try Scene()
    let schema = try await scene.pipeline.run("schema", "verification")
    #expect(schema.status == 0)
    let schemaFile = try scene.directory.write(schema.output, to: "schema.json")
    let report = scene.directory.path("report.json")
    let outcome = try await scene.pipeline.run(
      "verify", try unsafe(scene), "--pairs", "0", "--format", "json", "--output", report)
    #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
    let checked = try await scene.pipeline.run("validate", "--schema", schemaFile, report)
    #expect(checked.status == 0, "\(checked)")
    let bad = try scene.directory.write("{}", to: "bad.json")
    let refused = try await scene.pipeline.run("validate", "--schema", schemaFile, bad)
    #expect(refused.status == 1, "\(refused)")
  }

  @Test func `the SARIF log names the rule and the file`() async throws {
    let scene = try Scene()
    let outcome = try await scene.pipeline.run(
      "verify", try unsafe(scene), "--pairs", "0", "--format", "sarif")
    #expect(outcome.status == 1, "\(outcome)")
    let log = try JSON.object(outcome.output)
    #expect(log["version"] as? String == "2.1.0")
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(!results.isEmpty)
    #expect(results.allSatisfy { $0["ruleId"] is String })
    #expect(outcome.output.contains("unsafe.yaml"))
  }

  @Test func `a page is written`() async throws {
    let scene = try Scene()
    let page = scene.directory.path("page.html")
    let outcome = try await scene.pipeline.run(
      "verify", Scene.shipped("one-by-one.yaml"), "--format", "html", "--output", page)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try String(contentsOfFile: page, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
  }

  @Test(arguments: [
    ("", "pipeline"), ("pipeline: a\nsteps: [{ id: 5, request: {} }]\n", "bad.yaml"),
    ("scenario: a\n", "bad.yaml"), ("\u{0}\u{1}", "bad.yaml"),
  ])
  func `a file that is not a pipeline is an error with its place, and exits with 2`(
    text: String, expected: String
  ) async throws {
    let scene = try Scene()
    let file = try scene.directory.write(text, to: "bad.yaml")
    let outcome = try await scene.pipeline.run("verify", file)
    #expect(outcome.status == 2, "\(outcome)")
    #expect(outcome.error.contains(expected), "\(outcome)")
    #expect(outcome.output.isEmpty)
  }

  @Test(arguments: [["no/such.yaml"], ["no/such-*.yaml"]])
  func `a file that is not there is named`(words: [String]) async throws {
    let outcome = try await Scene().pipeline.run(["verify"] + words)
    #expect(outcome.status == 2, "\(outcome)")
    #expect(outcome.error.contains("no/such"), "\(outcome)")
  }

  @Test func `a report that cannot be written ends with 3, wrong usage with 64`() async throws {
    let scene = try Scene()
    let file = Scene.shipped("one-by-one.yaml")
    let unwritable = try await scene.pipeline.run(
      "verify", file, "--pairs", "0", "--output", scene.directory.path("no/such/report"))
    #expect(unwritable.status == 3, "\(unwritable)")
    #expect(try await scene.pipeline.run("verify", file, "--pairs", "-1").status == 64)
    #expect(try await scene.pipeline.run("verify").status == 64)
  }
}
