import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import TestSupport
import Testing

/// The statements of the page about simulation about scenarios hold.
struct ScenarioPageTests {
  /// The YAML blocks of the page that are scenarios.
  private func scenarios() throws -> [String] {
    let page = try TestFiles.text("docs/simulation.md")
    return page.split(separator: "```yaml\n").dropFirst()
      .map { String($0.prefix(upTo: $0.firstRange(of: "```")?.lowerBound ?? $0.endIndex)) }
      .filter { ScenarioDocument.isScenario(file: "page.yaml", bytes: Array($0.utf8)) }
  }

  @Test func `the scenarios of the page are right, and photos can be simulated in them`() throws {
    let texts = try scenarios()
    #expect(texts.count >= 3)
    for text in texts {
      let result = ScenarioDocument.load(bytes: text.utf8, file: "page.yaml")
      #expect(result.diagnostics == [])
      let scenario = Scenario(try #require(result.document))
      let simulation = try Simulation(try SimulationTests.pipeline("photos"), scenario)
      #expect(simulation.run(seed: 8).summary.items == scenario.items.count)
    }
  }

  @Test func `every variable and every action has its place on the page`() throws {
    let page = try TestFiles.text("docs/simulation.md")
    for action in ScenarioAction.allCases { #expect(page.contains("`\(action.rawValue)`")) }
    for (name, _) in ScenarioProperty.worldVariables + ScenarioProperty.requestVariables {
      let last = name.split(separator: ".").last.map(String.init) ?? name
      #expect(
        page.contains("`\(name)`") || page.contains("`.\(last)`") || page.contains("`\(name)["),
        "\(name)")
    }
  }

  @Test func `every shipped scenario has its place on the page`() throws {
    let page = try TestFiles.text("docs/simulation.md")
    for name in ShippedScenariosTests.names { #expect(page.contains("`\(name).yaml`")) }
  }
}
