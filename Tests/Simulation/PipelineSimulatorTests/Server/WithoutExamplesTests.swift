import Foundation
import PipelineAuthoring
import PipelineCore
import PipelineDocument
import PipelineSimulator
import TestSupport
import Testing

/// The server of each shipped pipeline is derived from the pipeline's reads, without its author's examples, and a
/// verification sees as much of the pipeline as with them.
struct WithoutExamplesTests {
  /// Steps whose response cannot be derived, each with the reason.
  private static let exceptions: [String: (step: StepID, reason: String)] = [:]

  /// Deriving and verifying all needs ten minutes, so `make test` tries a sample.
  private static func isTried(_ name: String) -> Bool {
    TestSupport.TestFiles.isThorough
      || ["Pipelines/photos.yaml", "Pipelines/catalogue/tus.yaml", "put"].contains(name)
  }

  private static let files: [String] = ["Pipelines", "Pipelines/catalogue"].flatMap { folder in
    let path = TestFiles.root.appending(path: folder).path
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
      .filter { $0.hasSuffix(".yaml") && !$0.contains(".test.") }.sorted()
      .map { "\(folder)/\($0)" }
  }

  @Test func `there are pipelines of both folders`() {
    #expect(Self.files.contains("Pipelines/photos.yaml"))
    #expect(Self.files.contains("Pipelines/catalogue/tus.yaml"))
    #expect(Self.exceptions.keys.allSatisfy(Self.files.contains))
  }

  @Test(arguments: files.filter(isTried))
  func `a shipped pipeline needs no example`(file: String) throws {
    try check(try TestFiles.text(file), file, Self.exceptions[file]?.step)
  }

  @Test(arguments: PipelineTemplate.all.map(\.name).filter(isTried))
  func `a template needs no example`(name: String) throws {
    let template = try #require(PipelineTemplate.named(name))
    try check(try template.text(), "\(name).yaml", nil)
  }

  /// A server can be derived, or none for the response of the exception; with it, a verification
  /// reaches each step, and does not find any harm that the author's own examples would not show.
  private func check(_ text: String, _ file: String, _ exception: StepID?) throws {
    let result = PipelineDocument.load(text: text, file: file)
    let pipeline = SimulatedPipeline(try #require(result.pipeline, "\(result.diagnostics)"))
    var missing: ExampleMissing?
    do throws(ExampleMissing) {
      let safety = try CrashVerifierTests.verify(pipeline, file: file, pairs: 0)
      #expect(safety.steps.filter { !$0.isReached }.map(\.id.rawValue) == [], "\(file)")
      #expect(safety.counterexamples.isEmpty, "\(file): \(safety.counterexamples)")
    } catch {
      missing = error
    }
    #expect(missing?.step == exception, "\(file): \(missing?.message ?? "a server was derived")")
  }
}
