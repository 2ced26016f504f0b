import PipelineDocument
import PipelineSimulator
import TestSupport
import Testing

/// The pipelines of the tutorial: none has a counterexample.
struct TutorialCertificateTests {
  struct Block: Sendable, CustomTestStringConvertible {
    let number: Int
    let text: String
    var testDescription: String { "\(number): \(text.prefix { $0 != "\n" })" }
  }

  /// The complete pipelines that the page does not show for a mistake.
  private static let blocks = blocks { $0.kind == "yaml" }

  private static func blocks(_ isWanted: (FencedBlock) -> Bool) -> [Block] {
    let all = (try? FencedBlock.all(of: "docs/writing-pipelines.md")) ?? []
    return all.filter { $0.isPipeline && isWanted($0) }.enumerated().map {
      Block(number: $0 + 1, text: $1.text)
    }
  }

  @Test(arguments: blocks)
  func `a pipeline of the tutorial is certified, or lists its assumptions`(
    _ block: Block
  ) throws {
    let safety = try CrashVerifierTests.verify(
      block.text, pairs: TestSupport.TestFiles.isThorough ? 200 : 0)
    #expect(safety.counterexamples.isEmpty, "\(safety.counterexamples.map(\.message))")
    for step in safety.steps {
      #expect(step.grade == .shown || step.grade == .assumed, "\(step.id)")
      #expect(
        (step.grade == .assumed) == !step.assumptions.isEmpty, "\(step.id)")
    }
  }

  /// A misspelled key, and a step that creates something without a key or a probe.
  @Test func `only the two pipelines with a mistake are not verified`() throws {
    #expect(Self.blocks.count >= 12)
    let wrong = Self.blocks { $0.kind != "yaml" }
    let codes = wrong.map { block in
      PipelineDocument.load(text: block.text, file: "photos.yaml").diagnostics.map(\.code)
    }
    #expect(codes.count == 2 && codes[0].contains(.unknownKey) && codes[1] == [.unsafeCreate])
  }
}
