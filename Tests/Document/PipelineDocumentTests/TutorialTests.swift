import Foundation
import PipelineDocument
import PipelineScenarios
import TestSupport
import Testing
import YAMLSyntax

/// The YAML in the documentation: complete pipelines have no findings, wrong ones those on the page.
struct TutorialTests {
  /// The first line of a block with a part of a pipeline.
  private static let excerpt = #"yaml title="Excerpt""#

  /// The first lines of blocks with files that are not pipelines.
  private static let filesOfOthers = [
    #"yaml title="config.yaml""#, #"yaml title=".github/workflows/pipelines.yaml""#,
  ]

  /// All pages with YAML but `docs/checks.md`, which `make docs` writes from examples that are tested one by one, and those with only settings, which are
  /// no pipelines (`SettingsTests` reads them).
  private static let pages: [String] = {
    let docs = TestFiles.repository.appending(path: "docs")
    let names = FileManager.default.enumerator(atPath: docs.path)?.compactMap { $0 as? String }
    let all =
      ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] + (names ?? []).sorted().map { "docs/" + $0 }
    return all.filter { page in
      guard page.hasSuffix(".md"), page != "docs/checks.md" else { return false }
      return (try? FencedBlock.all(of: page).contains(where: isOfPipelines)) != false
    }
  }()

  private static func isOfPipelines(_ block: FencedBlock) -> Bool {
    (block.kind.hasPrefix("yaml") || block.kind.hasPrefix("yml"))
      && !filesOfOthers.contains(block.kind)
  }

  private static func report(_ text: String) -> String {
    let result = PipelineDocument.load(text: text, file: "photos.yaml")
    return DiagnosticText(sources: ["photos.yaml": text]).render(result.diagnostics)
  }

  @Test(arguments: pages)
  func `every complete document of a page has no findings`(_ page: String) throws {
    let blocks = try FencedBlock.all(of: page)
    let kinds = Set(blocks.filter(Self.isOfPipelines).map(\.kind))
    #expect(kinds.isSubset(of: ["yaml", Self.excerpt, FencedBlock.rejected]))
    let whole = blocks.filter { $0.kind == "yaml" }
    #expect(!whole.isEmpty)
    let pipelines = whole.filter(\.isPipeline).map(\.text)
    for text in pipelines { #expect(Self.report(text) == "", "\(text)") }
    for block in whole where !block.isPipeline {
      let text = block.text
      let diagnostics: [Diagnostic]
      if block.begins("scenario:") {
        diagnostics = ScenarioDocument.load(bytes: text.utf8, file: "page.yaml").diagnostics
      } else {
        // The pipeline that it tests comes before it on the page.
        #expect(block.begins("test:"), "\(text)")
        let files = DocumentFiles { _ in pipelines.first.map { Array($0.utf8) } }
        diagnostics =
          TestDocument.load(bytes: text.utf8, file: "page.test.yaml", files: files).diagnostics
      }
      #expect(diagnostics.isEmpty, "\(diagnostics)\n\(text)")
    }
  }

  @Test(arguments: pages)
  func `every excerpt of a page is YAML`(_ page: String) throws {
    for block in try FencedBlock.all(of: page) where block.kind == Self.excerpt {
      #expect(YAMLDocument.parse(block.text).issues.isEmpty, "\(block.text)")
    }
  }

  @Test func `the pages with YAML are known`() {
    #expect(Self.pages.count >= 5, "\(Self.pages)")
  }

  @Test func `below each wrong pipeline is the checker's report`() throws {
    var wrong = 0
    for page in Self.pages {
      let blocks = try FencedBlock.all(of: page)
      for (block, next) in zip(blocks, blocks.dropFirst()) where block.kind == FencedBlock.rejected
      {
        wrong += 1
        #expect(next.kind == "text", "\(page)")
        #expect(next.text == Self.report(block.text), "\(page)")
        #expect(!next.text.isEmpty, "\(page)")
      }
    }
    #expect(wrong == 2)
  }

  @Test func `without its comment the ignored check is reported as the page shows`() throws {
    let blocks = try FencedBlock.all(of: "docs/writing-pipelines.md")
    let index = try #require(blocks.firstIndex { $0.text.contains("# pipeline: ignore[") })
    let lines = blocks[index].text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.contains("# pipeline: ignore[") }
    #expect(blocks[index + 1].text == Self.report(lines.joined(separator: "\n")))
  }

  @Test func `an excerpt of a pipeline is part of a complete pipeline of the page`() throws {
    let blocks = try FencedBlock.all(of: "docs/writing-pipelines.md")
    let whole = blocks.filter { $0.kind == "yaml" }.map(\.text)
    let parts = blocks.filter { $0.kind == Self.excerpt }.map(\.text)
    #expect(parts.count >= 5)
    for part in parts { #expect(whole.contains { $0.contains(part) }, "\(part)") }
  }
}
