import PipelineDocument
import PipelineSimulator

/// Where a scenario comes from: one that is built in, or a file.
struct ScenarioSource {
  /// Keys of `--set` and `--vary` that begin with this are the scenario's.
  static let prefix = "scenario."

  private let builtIn: Scenario?

  init(_ name: String?) throws(CommandFailure) {
    switch name {
    case nil, "left-alone": builtIn = .leftAlone
    case "standard": builtIn = .standard
    case "ideal": builtIn = .ideal
    case let name?: throw CommandFailure(.invalid, "cannot read '\(name)'")
    }
  }

  func scenario(with overrides: [DocumentOverride]) throws(CommandFailure) -> Scenario {
    builtIn ?? .leftAlone
  }
}

/// Names that are near to what someone wrote.
enum NearestWord {
  static func nearest(to word: String, among names: [String]) -> String? { nil }
}
