import Foundation
import PipelineDocument
import Testing

/// Valid files, damaged at random from fixed seeds: whatever comes out is a diagnostic, never a trap.
struct MutationTests {
  /// SplitMix64; the seed is in the name of a failing case.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  private static let pieces = [
    "${{", "}}", "${{ ", "\"", "'", "{", "}", "[", "]", ": ", "- ", "\n", "  ", "&a ", "*a", "#",
    "null", "5", "é🙂", "\t", "\\", "steps.", "inputs.", "file", "$${{", "|\n", "? ", "!!int ",
  ]

  private func damage(_ text: [UInt8], with generator: inout Generator) -> [UInt8] {
    var bytes = text
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let start = Int.random(in: 0...bytes.count, using: &generator)
      let end = min(bytes.count, start + Int.random(in: 0...12, using: &generator))
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: bytes.removeSubrange(start..<end)
      case 1:
        let piece = Self.pieces.randomElement(using: &generator) ?? ""
        bytes.insert(contentsOf: piece.utf8, at: start)
      case 2: bytes.insert(contentsOf: Array(bytes[start..<end]), at: start)
      default:
        let from = Int.random(in: 0...bytes.count, using: &generator)
        let piece = Array(bytes[from..<min(bytes.count, from + 40)])
        bytes.replaceSubrange(start..<end, with: piece)
      }
    }
    return bytes
  }

  @Test(arguments: 0..<6)
  func `a damaged example of a page gives diagnostics and never a trap`(_ seed: Int) {
    var generator = Generator(state: UInt64(1000 + seed))
    for check in Check.all {
      for text in [check.wrong, check.right].compactMap({ $0 }) {
        let bytes = damage(Array(text.utf8), with: &generator)
        let result = PipelineDocument.load(bytes: bytes, file: "a.yaml")
        let errors = result.diagnostics.filter { $0.severity == .error }
        #expect((result.pipeline == nil) == !errors.isEmpty, "seed \(seed), \(check.code.rawValue)")
      }
    }
  }

  @Test(arguments: 0..<60)
  func `a damaged file gives diagnostics and never a trap`(_ seed: Int) throws {
    var generator = Generator(state: UInt64(seed))
    for (name, text) in try TestFiles.valid() {
      let bytes = damage(Array(text.utf8), with: &generator)
      let result = PipelineDocument.load(bytes: bytes, file: name)
      let errors = result.diagnostics.filter { $0.severity == .error }
      #expect((result.pipeline == nil) == !errors.isEmpty, "seed \(seed), \(name)")
      let decoded = String(decoding: bytes, as: UTF8.self)
      let rendered = DiagnosticText(sources: [name: decoded]).render(result.diagnostics)
      #expect(rendered.isEmpty == result.diagnostics.isEmpty)
      for diagnostic in result.diagnostics {
        #expect(diagnostic.range.start <= diagnostic.range.end, "seed \(seed), \(name)")
        #expect(diagnostic.range.start.line >= 1 && diagnostic.range.start.column >= 1)
      }
    }
  }
}
