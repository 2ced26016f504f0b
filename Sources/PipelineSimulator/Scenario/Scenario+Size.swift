import PipelineCore
import PipelineDocument
import PipelineScenarios

/// Limits on a scenario, so that its simulation ends.
extension Scenario {
  /// Maximum number of items; more would need more memory than machines have.
  static let itemLimit = 1_000_000
  /// Maximum number of events; more are taken as a mistake.
  static let happeningLimit = 200_000
  /// Maximum number of conditions that hold at the same time, added up over all changes.
  private static let overlapLimit = 20_000_000.0

  /// Rejects a scenario that is too large to simulate.
  func checkSize() throws(SimulationProblem) {
    guard items.count <= Self.itemLimit else {
      throw SimulationProblem(
        "\(items.count) items are too many to simulate",
        help: "use at most \(Self.itemLimit); fewer items show the same delays")
    }
    var happenings = 0.0
    var overlapping = 0.0
    let length = Double(length.milliseconds)
    func count(_ number: Double, _ happening: ScenarioHappening) {
      happenings += number
      guard case .conditions(_, let lasts) = happening, length > 0 else { return }
      overlapping += number * lasts.mean / length
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
        "the scenario has about \(Self.text(happenings)) events, more than the "
          + "\(Self.happeningLimit) that can be simulated",
        help: "make it shorter, or its events rarer")
    }
    guard happenings * overlapping <= Self.overlapLimit else {
      throw SimulationProblem(
        "about \(Self.text(overlapping)) condition entries overlap, at "
          + "\(Self.text(happenings)) times", help: "end each one before the next begins")
    }
  }

  private static func text(_ number: Double) -> String {
    number < 1e15 ? "\(Int64(number.rounded()))" : "\(number)"
  }
}
