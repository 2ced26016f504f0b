package import PipelineDocument

extension Construct.Name {
  package static let scenario: Self = .init("scenario") { Grammar.scenario }
  package static let device: Self = .init("device") { Grammar.device }
  static let allowance: Self = .init("allowance") { Grammar.allowance }
  static let resumeDelay: Self = .init("resume_delay") { Grammar.resumeDelay }
  static let transferRules: Self = .init("transfer_rules") { Grammar.transferRules }
  static let dayBudget: Self = .init("day_budget") { Grammar.dayBudget }
  static let discretion: Self = .init("discretion") { Grammar.discretion }
  static let scenarioItems: Self = .init("scenario_items") { Grammar.scenarioItems }
  static let sizeSpread: Self = .init("size_spread") { Grammar.sizeSpread }
  static let durationSpread: Self = .init("duration_spread") { Grammar.durationSpread }
  static let scenarioDisk: Self = .init("scenario_disk") { Grammar.scenarioDisk }
  static let conditions: Self = .init("conditions") { Grammar.conditions }
  static let timelineEntry: Self = .init("timeline_entry") { Grammar.timelineEntry }
  static let randomEntry: Self = .init("random_entry") { Grammar.randomEntry }
  static let scenarioServer: Self = .init("scenario_server") { Grammar.scenarioServer }
  static let faults: Self = .init("faults") { Grammar.faults }
  package static let property: Self = .init("property") { Grammar.property }

  /// Constructs of scenarios.
  package static let ofScenarios: [Self] = [
    .scenario, .device, .allowance, .resumeDelay, .transferRules, .dayBudget, .discretion,
    .scenarioItems, .sizeSpread, .durationSpread, .scenarioDisk, .conditions, .timelineEntry,
    .randomEntry, .scenarioServer, .faults, .property,
  ]
}
