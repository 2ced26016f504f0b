import Foundation
import Swarm
import TestSupport
import Testing

struct CrossCheckTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test func `verify finds the duplicates and omissions of a simulation of the same pipeline`()
    throws
  {
    let check = CrossCheck(try PipelineLibrary(root: Self.root))
    var doubled = 0
    for seed in UInt64(1)...(TestFiles.isThorough ? 2000 : 30) {
      let outcome = try check.outcome(of: seed)
      // The derived server follows the drawn protocol, so no file is left in pieces.
      #expect(outcome.shortfall == nil, "seed \(seed)\n\(outcome.text)")
      guard let step = outcome.doubled else { continue }
      doubled += 1
      #expect(outcome.isFound, "seed \(seed): '\(step)' is carried out twice\n\(outcome.text)")
    }
    // Every other pipeline has lost its key.
    #expect(doubled > 0)
  }
}
