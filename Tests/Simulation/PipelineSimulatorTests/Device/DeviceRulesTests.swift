import Foundation
import TestSupport
import Testing

/// `docs/simulation.md` and the tests cover the same rules.
struct DeviceRulesTests {
  /// How many rules each family has.
  static let families = ["BT": 10, "TX": 24, "RL": 8, "DI": 8, "FQ": 6]

  private func rows() throws -> [(rule: String, isModelled: Bool)] {
    try TestFiles.text("docs/simulation.md").split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3, cells[0].wholeMatch(of: /[A-Z]{2}\d+/) != nil else { return nil }
      return (cells[0], cells[1] == "modelled")
    }
  }

  @Test func `the page lists each rule once`() throws {
    let expected = Self.families.flatMap { family, count in (1...count).map { "\(family)\($0)" } }
    #expect(try rows().map(\.rule).sorted() == expected.sorted())
  }

  @Test func `each rule that is modelled has a test with its id`() throws {
    let folder = TestFiles.root.appending(path: "Tests/Simulation/PipelineSimulatorTests/Device")
      .path
    var named: Set<String> = []
    for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let text = try TestFiles.text("Tests/Simulation/PipelineSimulatorTests/Device/\(file)")
      for match in text.matches(of: /func `([^`]*):/) {
        for id in match.output.1.matches(of: /[A-Z]{2}\d+/) { named.insert(String(id.output)) }
      }
    }
    let missing = try rows().filter { $0.isModelled && !named.contains($0.rule) }.map(\.rule)
    #expect(missing == [])
    let unmodelled = try rows().filter { !$0.isModelled && named.contains($0.rule) }.map(\.rule)
    #expect(unmodelled == [])
  }
}
