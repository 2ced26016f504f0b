import Foundation
import PipelineCore
import PipelineDocument
import PipelineScenarios
import TestSupport
import Testing

struct ShippedPipelinesTests {
  private func load(_ name: String) throws -> Pipeline {
    let url = TestFiles.repository.appending(path: "Pipelines/\(name)")
    let text = try String(contentsOf: url, encoding: .utf8)
    let result = PipelineDocument.load(text: text, file: name)
    let report = DiagnosticText(sources: [name: text]).render(result.diagnostics)
    #expect(report == "")
    return try #require(result.pipeline)
  }

  @Test func `every shipped pipeline is valid and names its schema`() throws {
    let files = try TestFiles.yaml(in: TestFiles.repository.appending(path: "Pipelines"))
    #expect(files.count >= 2)
    for (name, text) in files where !TestDocument.isNamed(name) {
      _ = try load(name)
      #expect(
        text.hasPrefix("# yaml-language-server: $schema=../Schemas/pipeline.schema.json\n"),
        "\(name)")
    }
  }

  @Test func `a new upload ID does not change the body file of a photo`() throws {
    let pipeline = try load("photos.yaml")
    let allocate = try #require(pipeline.stepIndex[StepID("allocate")])
    let body = try #require(pipeline.stepIndex[StepID("body")])
    #expect(pipeline.steps[body].uses.allSatisfy { $0.step != allocate })
  }

  @Test func `a new token does not change the upload of a photo`() throws {
    let pipeline = try load("photos.yaml")
    let signIn = try #require(pipeline.stepIndex[StepID("sign_in")])
    let uses = pipeline.steps.flatMap(\.uses).filter { $0.step == signIn }
    #expect(!uses.isEmpty)
    #expect(uses.allSatisfy { $0.isCredential })
  }

  @Test func `a small document is sent without touching the disk budget`() throws {
    let pipeline = try load("documents.yaml")
    let small = try #require(pipeline.stepIndex[StepID("put_small")])
    #expect(pipeline.steps[small].uses == [])
  }
}
