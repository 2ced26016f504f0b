import Foundation
import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import TestSupport
import Testing

/// Each pipeline of the catalogue is clean, passes its tests, has no counterexample, and fits on a screen or two.
struct CatalogueTests {
  private static let folder = "Pipelines/catalogue"
  private static let names: [String] = {
    let path = TestFiles.root.appending(path: folder).path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return files.filter { $0.hasSuffix(".yaml") && !$0.contains(".test.") }.sorted()
      .map { String($0.dropLast(5)) }
  }()

  @Test func `the catalogue is there`() { #expect(!Self.names.isEmpty) }

  @Test(arguments: names)
  func `a pipeline is clean, short and lists its inputs`(name: String) throws {
    let text = try TestFiles.text("\(Self.folder)/\(name).yaml")
    let result = PipelineDocument.load(text: text, file: "\(name).yaml")
    #expect(
      DiagnosticText(sources: ["\(name).yaml": text]).render(result.diagnostics) == "")
    let pipeline = try #require(result.pipeline)
    #expect(pipeline.name == name && pipeline.description != nil)
    #expect(pipeline.inputs.contains { $0.name == "server" || $0.name == "files" })
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 110)
    #expect(
      text.hasPrefix("# yaml-language-server: $schema=../../Schemas/pipeline.schema.json\n"))
  }

  @Test(arguments: names)
  func `its tests pass`(name: String) throws {
    let file = "\(Self.folder)/\(name).test.yaml"
    let (document, diagnostics, sources) = try TestFiles.load(file)
    #expect(DiagnosticText(sources: sources).render(diagnostics) == "")
    let results = TestRunner(try #require(document)).results()
    #expect(results.count >= 5)
    let report = TestReport([.init(name: file, results: results)])
    #expect(report.isPassed, "\(report.text())")
  }

  /// Verifying all needs ten minutes, so `make test` tries a sample: one of turns, one of expiring URLs, one of parts and one of folders.
  private static let verified =
    TestSupport.TestFiles.isThorough
    ? names : names.filter { ["tus", "s3-presigned", "s3-presigned-parts", "webdav"].contains($0) }

  @Test func `the sample is of the catalogue`() { #expect(Self.verified.count >= 4) }

  @Test(arguments: verified)
  func `crashes and lost responses do it no harm`(name: String) throws {
    let text = try TestFiles.text("\(Self.folder)/\(name).yaml")
    let result = PipelineDocument.load(text: text, file: "\(name).yaml")
    let safety = try CrashVerifierTests.verify(
      try #require(result.simulated), file: "\(name).yaml", pairs: 60)
    #expect(safety.counterexamples.isEmpty, "\(safety.counterexamples)")
    #expect(!safety.steps.contains { !$0.isReached })
  }
}
