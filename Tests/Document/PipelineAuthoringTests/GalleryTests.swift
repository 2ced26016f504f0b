import Foundation
@testable import PipelineAuthoring
import PipelineCore
import PipelineDocument
import TestSupport
import Testing

/// The program has each file of `Pipelines/catalogue`.
struct GalleryTests {
  /// A file of the catalogue.
  private struct Entry {
    let name: String
    let text: String
    let pipeline: Pipeline

    /// The text without the line for editors, whose path leads nowhere from another folder.
    var copy: String {
      text.split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix("# yaml-language-server:") }.joined(separator: "\n")
        .replacing(/^#\n/, with: "")
    }
  }

  private static let folder = TestFiles.repository.appending(path: "Pipelines/catalogue")

  private static func entries() throws -> [Entry] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".yaml") && !$0.contains(".test.") }
      .map { file in
        let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        let result = PipelineDocument.load(text: text, file: file)
        return Entry(
          name: String(file.dropLast(5)), text: text, pipeline: try #require(result.pipeline))
      }
  }

  @Test func `the program has a copy of each file`() throws {
    let names = try Self.entries().map(\.name)
    #expect(names.count > 30)
    #expect(PipelineTemplate.catalogue.map(\.name) == names)
  }

  @Test func `a template of the catalogue is the file, optionally under another name`() throws {
    for entry in try Self.entries() {
      let template = try #require(PipelineTemplate.named(entry.name))
      #expect(try template.text() == entry.copy)
      #expect(template.summary == entry.pipeline.description)
      let own = PipelineDocument.load(text: try template.text(name: "mine"), file: "mine.yaml")
      #expect(own.pipeline?.name == "mine")
    }
    #expect(PipelineTemplate.named("nothing-like-this") == nil)
    let names = (PipelineTemplate.all + PipelineTemplate.catalogue).map(\.name)
    #expect(Set(names).count == names.count)
  }
}
