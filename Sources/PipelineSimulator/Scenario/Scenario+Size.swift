import PipelineCore
import PipelineDocument
import PipelineScenarios

/// What a scenario may ask for, so that its simulation comes to an end.
extension Scenario {
  /// Items beyond which the simulation would need more memory than machines have.
  static let itemLimit = 1_000_000
  /// Happenings beyond which a scenario is a mistake.
  static let happeningLimit = 200_000
  /// Conditions that hold at the same time, added up over all changes.
  private static let overlapLimit = 20_000_000.0

  /// Refuses a scenario that cannot be lived through.
  func checkSize() throws(SimulationProblem) {
    guard items.count <= Self.itemLimit else {
      throw SimulationProblem(
        "\(items.count) items are too many to simulate",
        help: "write at most \(Self.itemLimit): what holds them up shows with fewer")
    }
    var happenings = 0.0
    var overlapping = 0.0
    let length = Double(length.milliseconds)
    func count(_ number: Double, _ happening: ScenarioHappening) {
      happenings += number
      guard case .conditions(_, let lasts) = happening, length > 0 else { return }
      overlapping += number * Distribution(lasts).mean / length
    }
    for entry in timeline {
      switch entry.time {
      case .after, .day: count(1, entry.happening)
      case .daily: count(length / 86_400_000 * entry.chance, entry.happening)
      }
    }
    for entry in random {
      count(length / Double(max(entry.every.milliseconds, 1)), entry.happening)
    }
    guard happenings <= Double(Self.happeningLimit) else {
      throw SimulationProblem(
        "the scenario has about \(Self.text(happenings)) happenings, of which "
          + "\(Self.happeningLimit) can be simulated",
        help: "let it be shorter, or its events rarer")
    }
    guard happenings * overlapping <= Self.overlapLimit else {
      throw SimulationProblem(
        "about \(Self.text(overlapping)) entries of conditions hold at the same time, "
          + "\(Self.text(happenings)) times over",
        help: "let each last no longer than it takes to the next")
    }
  }

  private static func text(_ number: Double) -> String {
    number < 1e15 ? "\(Int64(number.rounded()))" : "\(number)"
  }
}
