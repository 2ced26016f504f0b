@testable import PipelineLanguageServer
import TestSupport
import Testing

/// The table of lines follows edits.
struct PlaceTableTests {
  private static let pieces = [
    "", "a", "\n", "\r", "\r\n", "🙂", "é\n漢", "\n\r", "x\r\ny\n",
    String(repeating: "é🙂", count: 1500), String(repeating: "a\n", count: 20),
  ]

  @Test(arguments: 0..<(TestFiles.isThorough ? 20 : 4))
  func `after any edits it is the table of the new text`(_ seed: Int) {
    var generator = MutationTests.Generator(state: UInt64(seed))
    var bytes: [UInt8] = []
    var table = PlaceTable(bytes)
    for _ in 0..<200 {
      let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
      let start = generator.below(scalars.count + 1)
      let end = start + generator.below(min(scalars.count - start, 40) + 1)
      func offset(_ index: Int) -> Int { scalars[..<index].reduce(0) { $0 + UTF8.width($1) } }
      let range = offset(start)..<offset(end)
      let piece = generator.pick(Self.pieces, or: "")
      bytes.replaceSubrange(range, with: piece.utf8)
      table.replace(range, with: piece.utf8.count, in: bytes)
      #expect(table == PlaceTable(bytes), "seed \(seed)")
    }
  }
}
