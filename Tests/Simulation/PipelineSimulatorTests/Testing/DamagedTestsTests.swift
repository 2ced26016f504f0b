import Basics
import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import Testing

/// Tests that were damaged at random are refused or run, and never end the process.
struct DamagedTestsTests {
  /// Deletes, doubles or swaps lines, or puts other words into them.
  private func damage(_ text: String, _ random: inout SplitMix64) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let words = ["-1", "599", "[]", "{}", "null", "${{ now }}", "9999d", "\"", "*", "timeout", "{"]
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let index = Int.random(in: 0..<lines.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: lines.remove(at: index)
      case 1: lines.insert(lines[index], at: index)
      case 2: lines.swapAt(index, Int.random(in: 0..<lines.count, using: &random))
      case 3:
        let word = words[Int.random(in: 0..<words.count, using: &random)]
        if let colon = lines[index].firstIndex(of: ":") {
          lines[index] = String(lines[index][...colon]) + " " + word
        }
      default:
        let place = Int.random(in: 0...lines[index].count, using: &random)
        lines[index] = String(lines[index].prefix(place))
      }
    }
    return lines.joined(separator: "\n")
  }

  @Test(arguments: ["photos", "documents"])
  func `a damaged test is refused at a place in it, or runs to an end`(name: String) throws {
    let file = "Pipelines/\(name).test.yaml"
    let text = try TestFiles.text(file)
    let pipeline = Array(try TestFiles.text("Pipelines/\(name).yaml").utf8)
    let lineCount = text.split(separator: "\n", omittingEmptySubsequences: false).count
    var random = SplitMix64(seed: 11)
    var refused = 0
    var accepted = 0
    for _ in 0..<120 {
      let damaged = damage(text, &random)
      let result = TestDocument.load(
        bytes: damaged.utf8, file: file,
        files: DocumentFiles { $0 == "\(name).yaml" ? pipeline : nil })
      for diagnostic in result.diagnostics where diagnostic.range.file == file {
        #expect((1...lineCount + 4).contains(diagnostic.range.start.line))
      }
      guard let document = result.document else {
        refused += 1
        #expect(result.diagnostics.contains { $0.severity == .error })
        continue
      }
      accepted += 1
      // A case without its limit may wait for thirty days.
      guard accepted <= 5 else { continue }
      let results = TestRunner(document).results()
      #expect(results.count == document.cases.count)
    }
    #expect(refused > 20 && accepted > 5, "\(refused) refused, \(accepted) accepted")
  }
}
