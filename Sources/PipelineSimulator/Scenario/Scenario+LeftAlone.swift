import PipelineDocument
import PipelineScenarios

extension Scenario {
  /// The default scenario of `pipeline simulate`: the app is opened once and then left alone.
  ///
  /// A transfer takes longer than any allowance, so the app is suspended during each of them. This shows how a
  /// design performs without a user's help, and the closed form of RL1 holds to the second.
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
