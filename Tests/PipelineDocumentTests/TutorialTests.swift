import Foundation
import PipelineDocument
import Testing

/// The YAML in the documentation: whole pipelines are in order, wrong ones say what stands under them.
struct TutorialTests {
  /// A fenced block of a page.
  private struct Block {
    /// What stands behind the fence, such as `yaml wrong`.
    let kind: String
    let text: String
  }

  private static let pages = ["docs/writing-pipelines.md", "docs/language.md", "README.md"]

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

  @Test(arguments: pages) func `every whole pipeline of a page is in order`(_ page: String) throws {
    let whole = try Self.blocks(page).filter { $0.kind == "yaml" }
    #expect(!whole.isEmpty)
    for block in whole { #expect(Self.report(block.text) == "", "\(block.text)") }
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
