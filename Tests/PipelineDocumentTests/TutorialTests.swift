import Foundation
import PipelineDocument
import PipelineScenarios
import TestSupport
import Testing

/// The YAML in the documentation: whole pipelines are in order, wrong ones say what stands under them.
struct TutorialTests {
  /// A fenced block of a page.
  private struct Block {
    /// What stands behind the fence, such as `yaml wrong`.
    let kind: String
    let text: String
  }

  /// All pages with YAML but `docs/checks.md`, which is made of examples that are tested one by one.
  private static let pages: [String] = {
    let docs = TestFiles.repository.appending(path: "docs")
    let names = FileManager.default.enumerator(atPath: docs.path)?.compactMap { $0 as? String }
    let all = ["README.md", "CONTRIBUTING.md"] + (names ?? []).sorted().map { "docs/" + $0 }
    return all.filter { page in
      guard page.hasSuffix(".md"), page != "docs/checks.md" else { return false }
      return (try? blocks(page).contains { $0.kind.hasPrefix("yaml") || $0.kind.hasPrefix("yml") })
        != false
    }
  }()

  private static func blocks(_ page: String) throws -> [Block] {
    let text = try String(
      contentsOf: TestFiles.repository.appending(path: page), encoding: .utf8)
    var blocks: [Block] = []
    var kind: String?
    var lines: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("```") else {
        lines.append(line)
        continue
      }
      if let open = kind {
        blocks.append(Block(kind: open, text: lines.map { $0 + "\n" }.joined()))
        kind = nil
      } else {
        kind = String(line.dropFirst(3))
      }
      lines = []
    }
    return blocks
  }

  private static func report(_ text: String) -> String {
    let result = PipelineDocument.load(text: text, file: "photos.yaml")
    return DiagnosticText(sources: ["photos.yaml": text]).render(result.diagnostics)
  }

  @Test(arguments: pages)
  func `every whole document of a page is in order`(_ page: String) throws {
    let blocks = try Self.blocks(page)
    let kinds = Set(blocks.map(\.kind).filter { $0.contains("yaml") || $0.contains("yml") })
    #expect(kinds.isSubset(of: ["yaml", "yaml part", "yaml wrong"]))
    let whole = blocks.filter { $0.kind == "yaml" }.map(\.text)
    #expect(!whole.isEmpty)
    let pipelines = whole.filter { Self.begins($0, "pipeline:") }
    for text in pipelines { #expect(Self.report(text) == "", "\(text)") }
    for text in whole where !pipelines.contains(text) {
      let diagnostics: [Diagnostic]
      if Self.begins(text, "scenario:") {
        diagnostics = ScenarioDocument.load(bytes: text.utf8, file: "page.yaml").diagnostics
      } else {
        // What it tests stands before it on the page.
        #expect(Self.begins(text, "test:"), "\(text)")
        let files = DocumentFiles { _ in pipelines.first.map { Array($0.utf8) } }
        diagnostics =
          TestDocument.load(bytes: text.utf8, file: "page.test.yaml", files: files).diagnostics
      }
      #expect(diagnostics.isEmpty, "\(diagnostics)\n\(text)")
    }
  }

  @Test func `the pages with YAML are known`() {
    #expect(Self.pages.count >= 5, "\(Self.pages)")
  }

  /// Whether the first line that is no comment begins with `key`.
  private static func begins(_ text: String, _ key: String) -> Bool {
    text.split(separator: "\n").first { !$0.hasPrefix("#") }?.hasPrefix(key) == true
  }

  @Test func `under a wrong pipeline stands what the checker says about it`() throws {
    let blocks = try Self.blocks("docs/writing-pipelines.md")
    var wrong = 0
    for (block, next) in zip(blocks, blocks.dropFirst()) where block.kind == "yaml wrong" {
      wrong += 1
      #expect(next.kind == "text")
      #expect(next.text == Self.report(block.text))
      #expect(!next.text.isEmpty)
    }
    #expect(wrong == 2)
  }

  @Test func `without its comment the ignored check is reported as the page shows`() throws {
    let blocks = try Self.blocks("docs/writing-pipelines.md")
    let index = try #require(blocks.firstIndex { $0.text.contains("# pipeline: ignore[") })
    let lines = blocks[index].text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.contains("# pipeline: ignore[") }
    #expect(blocks[index + 1].text == Self.report(lines.joined(separator: "\n")))
  }

  @Test func `a part of a pipeline stands as it is in a whole one of the page`() throws {
    let blocks = try Self.blocks("docs/writing-pipelines.md")
    let whole = blocks.filter { $0.kind == "yaml" }.map(\.text)
    let parts = blocks.filter { $0.kind == "yaml part" }.map(\.text)
    #expect(parts.count >= 5)
    for part in parts { #expect(whole.contains { $0.contains(part) }, "\(part)") }
  }
}
