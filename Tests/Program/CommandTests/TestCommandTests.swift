import Foundation
import TestSupport
import Testing

struct TestCommandTests {
  private static let pipeline = """
    pipeline: one
    inputs: { server: { type: url } }
    steps:
      - id: ask
        request: { url: "${{ inputs.server }}/ask" }
    """

  private func scene(_ expectation: String) throws -> (scene: Scene, file: String) {
    let scene = try Scene()
    _ = try scene.directory.write(Self.pipeline, to: "tests/one.yaml")
    let file = try scene.directory.write(
      """
      test: one
      pipeline: one.yaml
      inputs: { server: "http://api.test" }
      cases:
        - name: it asks
          expect: \(expectation)

      """, to: "tests/one.test.yaml")
    return (scene, file)
  }

  @Test func `a case that fails is named with its place, and ends with 1`() async throws {
    let (scene, file) = try scene("{ attempts: { ask: 2 } }")
    let outcome = try await scene.pipeline.run("test", file)
    #expect(outcome.status == 1)
    #expect(
      outcome.output.contains(
        "\n\(file):6:32: error[test-failed]: attempts of 'ask': expected 2, found 1\n"),
      "\(outcome)")
    #expect(outcome.output.contains("→ GET http://api.test/ask"), "\(outcome)")
    #expect(outcome.output.hasSuffix("1 case, 1 failed\n"))
  }

  @Test func `a file that is wrong ends with 2, with its place on standard error`() async throws {
    let (scene, file) = try scene("{ attempts: { aks: 1 } }")
    let outcome = try await scene.pipeline.run("test", file)
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.contains("\(file):6:27: error[unknown-step]"), "\(outcome)")
    #expect(outcome.error.contains("did you mean 'ask'?"), "\(outcome)")
    let validated = try await scene.pipeline.run("validate", file)
    #expect(validated.status == 1)
    #expect(validated.output.contains("error[unknown-step]"), "\(validated)")
  }

  @Test func `a file that is not there, and a filter that fits nothing, end with 2`() async throws {
    let (scene, file) = try scene("{ status: done }")
    #expect(try await scene.pipeline.run("test", "nowhere.test.yaml").status == 2)
    let unfit = try await scene.pipeline.run("test", file, "--filter", "nothing like it")
    #expect(unfit.status == 2)
    #expect(unfit.error.contains("no case has a name that contains 'nothing like it'"), "\(unfit)")
  }

  @Test func `a folder is searched, and the forms are JSON and JUnit`() async throws {
    let (scene, file) = try scene("{ status: done }")
    let folder = scene.directory.path("tests")
    let text = try await scene.pipeline.run("test", folder)
    #expect(text.status == 0)
    #expect(text.output.hasSuffix("1 case, all passed\n"), "\(text)")
    let json = try await scene.pipeline.run("test", folder, "--format", "json")
    #expect(try JSON.object(json.output)["failed"] as? Int == 0)
    let junit = try await scene.pipeline.run("test", file, "--format", "junit")
    #expect(junit.output.contains("<testcase classname=\"one\" name=\"it asks\"/>"), "\(junit)")
  }

  @Test func `the shipped tests pass, and their schema accepts them`() async throws {
    let scene = try Scene()
    let tests = [Scene.shipped("photos.test.yaml"), Scene.shipped("documents.test.yaml")]
    let outcome = try await scene.pipeline.run(["test"] + tests)
    #expect(outcome.status == 0, "\(outcome)")
    let schema = try await scene.pipeline.run("schema", "test")
    let file = try scene.directory.write(schema.output, to: "test.schema.json")
    let valid = try await scene.pipeline.run(["validate", "--schema", file] + tests)
    #expect(valid.status == 0, "\(valid)")
  }
}
