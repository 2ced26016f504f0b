import Basics
import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import TestSupport
import Testing

struct PropertyTests {
  /// An hour at home in which ten files are uploaded, with additional `lines`.
  static func scenario(_ lines: String) throws -> Scenario {
    let result = ScenarioDocument.load(
      bytes: """
        scenario: hour
        days: 1
        opening: always
        items: { count: 10, size: 1 MB }
        conditions: { network: wifi, bandwidth: 1 MB/s, power: true }

        """.utf8 + Array(lines.utf8), file: "hour.yaml")
    #expect(result.diagnostics == [])
    return Scenario(try #require(result.document))
  }

  static func simulation(_ lines: String, _ name: String = "one-by-one") throws -> Simulation {
    try Simulation(try SimulationTests.pipeline(name), try scenario(lines))
  }

  struct Case: Sendable {
    let property: String
    let at: Duration?
    let explanation: String?
    var isVacuous = false
  }

  static let cases: [Case] = [
    Case(
      property: "never: \"${{ items.completed >= 3 }}\"", at: .seconds(3),
      explanation: "is true: items.completed is 3"),
    Case(property: "never: \"${{ items.completed > 10 }}\"", at: nil, explanation: nil),
    Case(
      property: "always: \"${{ bytes.sent < 5000000 }}\"", at: .seconds(5),
      explanation: "is false: bytes.sent is 5000000"),
    Case(
      property: "eventually: \"${{ items.completed == items.count }}\"", at: nil, explanation: nil),
    Case(
      property: "eventually: \"${{ items.completed == items.count }}\", within: 9s",
      at: .seconds(9),
      explanation: "was never true; at the end, items.completed is 10, items.count is 10"),
    Case(
      property: "never: \"${{ device.wakes > 0 }}\"", at: nil, explanation: nil, isVacuous: true),
    Case(
      property: "at_most_once: \"${{ request.step == 'upload' }}\"", at: nil, explanation: nil),
    Case(
      property: "at_most_once: \"${{ request.step == 'uplaod' }}\"", at: nil, explanation: nil,
      isVacuous: true),
    Case(
      property: "at_most_once: \"${{ request.step == 'upload' }}\", per: run", at: .seconds(2),
      explanation: "'upload' of item 2 got status 200 a second time, first after 1.000s"),
    Case(
      property: "never: \"${{ reissues['upload'] > 0 }}\"", at: nil, explanation: nil,
      isVacuous: true),
    Case(
      property: "always: \"${{ 10 / items.completed > 0 }}\"", at: .zero,
      explanation: "it cannot be evaluated: division by zero"),
  ]

  @Test(arguments: cases)
  func `a property is checked when its inputs have changed`(test: Case) throws {
    let simulation = try Self.simulation("properties: [{ name: p, \(test.property) }]\n")
    let result = simulation.run(seed: 1)
    let property = try #require(result.properties.first)
    #expect(property.holds == (test.at == nil))
    #expect(property.violatedAt == test.at)
    #expect(property.explanation == test.explanation)
    #expect(property.isVacuous == test.isVacuous)
    #expect(result.isSound == property.holds)
  }

  @Test func `a step that the pipeline does not have is refused`() throws {
    let never = "properties: [{ name: p, never: \"${{ reissues['finalize'] > 0 }}\" }]\n"
    let problem = try #require(throws: SimulationProblem.self) { try Self.simulation(never) }
    #expect(problem.range?.start == SourcePosition(line: 6, column: 22))
    #expect(problem.help == "its steps are upload")
    #expect(throws: Never.self) { try Self.simulation(never, "photos") }
  }

  @Test func `the life of a step that the pipeline does not have is refused`() throws {
    let problem = try #require(throws: SimulationProblem.self) {
      try Self.simulation("server: { lifetimes: { alocate: 1h } }\n", "photos")
    }
    #expect(
      problem.description
        == "hour.yaml:6:24: no step of the pipeline 'photos' has the id 'alocate'")
  }

  @Test(arguments: [
    ("inputs: { serve: x }", "no input of the pipeline 'one-by-one' has the name 'serve'"),
    ("inputs: { server: x }", "input 'server': "),
    ("inputs: { files: x }", "'files' uses the scenario's items, not paths"),
  ])
  func `an input that does not fit is refused at its place`(line: String, said: String) throws {
    let problem = try #require(throws: SimulationProblem.self) {
      try Self.simulation(line + "\n")
    }
    #expect(problem.message.hasPrefix(said), "\(problem.message)")
    #expect(problem.range?.start == SourcePosition(line: 6, column: 11))
  }

  // MARK: Obstacles

  struct Way: Sendable {
    let lines: String
    let message: String
    let rule: String?
    var isPermanent = true
  }

  @Test(arguments: [
    Way(
      lines: "timeline: [{ after: 0s, for: 1d, network: none }]",
      message: "there is never any network for 'upload'", rule: "DI8"),
    Way(
      lines: "timeline: [{ after: 3s, do: force_quit }]",
      message: "the app was swiped away and is not opened again", rule: "FQ1"),
    Way(
      lines:
        "timeline: [{ after: 20m, for: 1d, network: none }]\nrandom: [{ every: 2s, do: lose_task }]",
      message: "waits for the transfer of 'upload'", rule: nil),
  ])
  func `the obstacle is named`(way: Way) throws {
    let result = try Self.simulation(way.lines + "\n").run(seed: 1)
    let obstacle = try #require(result.obstacles.first)
    #expect(obstacle.message == way.message)
    #expect(obstacle.rule == way.rule)
    #expect(obstacle.isPermanent == way.isPermanent)
    #expect(result.summary.counts[.done] ?? 0 < 10)
  }
}
