import CEL
import PipelineCore
import PipelineDocument
import PipelineSimulator
import Testing

struct SeedStatisticsTests {
  @Test func `quantiles are the least number that this many are at or below`() {
    let spread = SeedStatistics.Spread([4, 1, 3, 2])
    #expect(spread.quantile(0.5) == 2)
    #expect(spread.quantile(0.51) == 3)
    #expect(spread.quantile(1) == 4)
    #expect(spread.quantile(0) == 1)
    #expect(spread.mean == 2.5)
  }

  @Test func `a time that never came counts as later than every other`() {
    let spread = SeedStatistics.Spread([1, 2, 3], never: 1)
    #expect(spread.quantile(0.75) == 3)
    #expect(spread.quantile(0.9) == nil)
    #expect(spread.neverPart == 0.25)
    #expect(SeedStatistics.Spread([]).quantile(0.5) == nil)
  }

  @Test func `items that never were complete are part of the distribution`() throws {
    var scene = try ReportScene(oneByOne: 10)
    scene.scenario.length = .seconds(3000)
    let statistics = try scene.statistics()
    #expect(statistics.itemCompletion.never == 3 * 5)
    #expect(statistics.runCompletion.never == 3)
    #expect(statistics.completedPart == 0.5)
    let report = SeedReport(scene.heading, statistics)
    #expect(report.text().contains("3 seeds (1 to 3)"))
    #expect(report.text().contains("never"))
    #expect(try ReportScene.findings(in: report.json()) == [])
  }

  @Test func `the report of many seeds does not depend on chance`() throws {
    let scene = try ReportScene(ReportScene.shortLived, items: 6, profile: .worst)
    let first = SeedReport(scene.heading, try scene.statistics())
    let second = SeedReport(scene.heading, try scene.statistics())
    #expect(first.text() == second.text())
    #expect(first.json() == second.json())
    #expect(first.html() == second.html())
  }
}

struct SimulationComparisonTests {
  private func entry(
    items: Int, concurrency: Int, value: String? = nil
  ) throws -> SimulationComparison.Case {
    try ReportScene(oneByOne: items, concurrency: concurrency)
      .entry(.init("concurrency", value ?? "\(concurrency)"))
  }

  @Test func `the variant that completes more is better, and the loss of the next one is shown`()
    throws
  {
    let comparison = SimulationComparison([
      try entry(items: 20, concurrency: 1), try entry(items: 20, concurrency: 20),
    ])
    #expect(comparison.ranking == [1, 0])
    #expect(comparison.verdict.hasPrefix("best: concurrency=20. 100 % of the items are complete"))
    #expect(comparison.verdict.contains("leaves 25 % more of the items incomplete"))
    #expect(try ReportScene.findings(in: comparison.json()) == [])
  }

  @Test func `among those that complete as much the earlier is better`() throws {
    let comparison = SimulationComparison([
      try entry(items: 6, concurrency: 2), try entry(items: 6, concurrency: 3),
      try entry(items: 6, concurrency: 1),
    ])
    #expect(comparison.ranking == [1, 0, 2])
    #expect(comparison.verdict.contains("Next is concurrency=2, which needs "))
    #expect(comparison.text().contains("\n*  3 "), "\(comparison.text())")
  }

  @Test func `of equal ones the first is named, and that they are equal`() throws {
    let comparison = SimulationComparison([
      try entry(items: 3, concurrency: 3, value: "three"),
      try entry(items: 3, concurrency: 3, value: "also three"),
    ])
    #expect(comparison.ranking == [0, 1])
    #expect(comparison.verdict.hasSuffix("which is equally good; the first one listed wins."))
  }

  @Test func `a grid has a row for each case`() throws {
    var cases: [SimulationComparison.Case] = []
    for concurrency in [1, 2] {
      for items in [2, 3] {
        cases.append(
          try ReportScene(oneByOne: items, concurrency: concurrency)
            .entry(.init("concurrency", "\(concurrency)"), .init("items", "\(items)")))
      }
    }
    let comparison = SimulationComparison(cases)
    let html = comparison.html()
    #expect(html.pieces(by: "<tr").count == 1 + 1 + 4)
    for name in [(1, 2), (1, 3), (2, 2), (2, 3)].map({ "concurrency=\($0), items=\($1)" }) {
      #expect(html.contains(name + "</span>"), "\(name)")
    }
    #expect(comparison.text().split(separator: "\n").count == 1 + 1 + 4 + 1)
  }
}

extension String {
  /// The parts between the occurrences of `text`.
  func pieces(by text: String) -> [Substring] {
    self.split(separator: text, omittingEmptySubsequences: false)
  }
}
