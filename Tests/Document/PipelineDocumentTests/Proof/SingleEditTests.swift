import Foundation
import PipelineCore
import PipelineAuthoring
import PipelineDocument
import TestSupport
import Testing

/// Every single edit of a shipped file is reported, or proven to do no harm.
struct SingleEditTests {
  private struct Tally {
    var caught = 0
    var equal = 0
    var simulated = 0
    var missed: [SingleEdits.Edit] = []

    var total: Int { caught + equal + simulated + missed.count }
    var rate: Double { 100 * Double(total - missed.count) / Double(max(total, 1)) }

    static func + (left: Self, right: Self) -> Self {
      Tally(
        caught: left.caught + right.caught, equal: left.equal + right.equal,
        simulated: left.simulated + right.simulated, missed: left.missed + right.missed)
    }
  }

  private static func shipped() throws -> [(name: String, text: String)] {
    try TestFiles.yaml(in: TestFiles.repository.appending(path: "Pipelines"))
      .filter { !$0.name.hasSuffix(".test.yaml") }
      + PipelineTemplate.all.map { ($0.name, try $0.text()) }
  }

  @Test func `an edit is reported or does no harm`() throws {
    var all = Tally()
    var report = ""
    for (name, text) in try Self.shipped() {
      let tally = try Self.examine(name, text)
      all = all + tally
      report += Self.line(name, tally)
      for edit in tally.missed { report += "    \(edit.kind.rawValue): \(edit.what)\n" }
    }
    report += Self.line("all", all)
    let kinds = Dictionary(grouping: all.missed, by: \.kind)
    for kind in SingleEdits.Kind.allCases where kinds[kind] != nil {
      report += "    \(kind.rawValue): \(kinds[kind]?.count ?? 0) missed\n"
    }
    print(report)
    // A part of the edits may by chance contain more mistakes that no checker can detect.
    #expect(all.total > (TestFiles.isThorough ? 2000 : 40))
    #expect(all.rate >= (TestFiles.isThorough ? 95 : 90), "\(report)")
  }

  private static func line(_ name: String, _ tally: Tally) -> String {
    """
    \(name): \(String(format: "%.1f", tally.rate)) % of \(tally.total) edits \
    (\(tally.caught) reported, \(tally.equal) mean the same, \(tally.simulated) simulated, \
    \(tally.missed.count) missed)

    """
  }

  private static func examine(_ name: String, _ text: String) throws -> Tally {
    let original = try #require(PipelineDocument.load(text: text, file: name).pipeline)
    let meaning = ModelComparison.meaning(of: original)
    let disk = original.budgets.diskBytes
    let expected = MutantRuns.outcomes(of: original, disk: disk)
    #expect(expected.allSatisfy { $0.contains(": true ") }, "\(expected)")
    #expect(expected.allSatisfy { $0.contains("duplicates 0 leaks [] within true") }, "\(expected)")
    var tally = Tally()
    let edits = SingleEdits(text).edits
    for index in stride(from: 0, to: edits.count, by: TestFiles.isThorough ? 1 : 41) {
      let edit = edits[index]
      let result = PipelineDocument.load(text: edit.text, file: name)
      guard result.diagnostics.isEmpty, let pipeline = result.pipeline else {
        tally.caught += 1
        continue
      }
      if ModelComparison.meaning(of: pipeline) == meaning {
        tally.equal += 1
      } else if MutantRuns.outcomes(of: pipeline, disk: disk, until: expected) == expected {
        tally.simulated += 1
      } else {
        tally.missed.append(edit)
      }
    }
    return tally
  }
}
