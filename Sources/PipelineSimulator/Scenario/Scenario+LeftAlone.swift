import PipelineDocument
import PipelineScenarios

extension Scenario {
  /// What `pipeline simulate` takes where no scenario is named: the app is opened once and then left.
  ///
  /// A transfer takes longer than any allowance, so that each must be waited for asleep: what a design
  /// comes to when nobody helps it along shows here, and the closed form of RL1 holds to the second.
  public static let leftAlone: Self = {
    var base = ScenarioConditions()
    base.network = .wifi
    base.bandwidth = 1_000_000
    base.hasPower = true
    base.battery = 1
    return Self(
      name: "left-alone", profile: .ios17, length: .seconds(30 * 86400), opening: .seconds(10),
      items: ScenarioItems(count: 100, size: .constant(250_000_000)), conditions: base,
      timeline: [])
  }()
}
