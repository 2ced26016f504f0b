/// Where a scenario comes from: built in, shipped with the project, or a file.
struct ScenarioSource {
  /// Keys of `--set` and `--vary` with this prefix belong to the scenario.
  static let prefix = "scenario."

  private enum Source {
    case builtIn(Scenario)
    case text(String, file: String)
  }

  private let source: Source

  /// Finds the scenario called `name`; a name that contains a dot or a slash is a file's.
  init(_ name: String?) throws(CommandFailure) {
    switch name {
    case nil, "left-alone": source = .builtIn(.leftAlone)
    case "standard": source = .builtIn(.standard)
    case "ideal": source = .builtIn(.ideal)
    case let name?:
      if let shipped = ShippedScenario.named(name) {
        source = .text(shipped.text, file: "\(name).yaml")
      } else {
        source = .text(try Self.text(name), file: name)
      }
    }
  }

  private static func text(_ name: String) throws(CommandFailure) -> String {
    let isFile = name == "-" || name.contains("/") || name.contains(".")
    guard !isFile, (try? FileContents.bytes(name)) == nil else {
      return String(decoding: try FileContents.argument(name), as: UTF8.self)
    }
    let names = ["left-alone", "standard", "ideal"] + ShippedScenario.all.map(\.name)
    let meant = NearestWord.nearest(to: name, among: names).map { "did you mean '\($0)'? " } ?? ""
    throw CommandFailure.invalid(
      "no scenario is called '\(name)'; \(meant)expected \(names.joined(separator: ", ")), or the "
        + "name of a file")
  }

  func scenario(with overrides: [DocumentOverride]) throws(CommandFailure) -> Scenario {
    let overrides = overrides.map {
      DocumentOverride(key: String($0.key.dropFirst(Self.prefix.count)), value: $0.value)
    }
    switch source {
    case .builtIn(let scenario):
      guard !overrides.isEmpty else { return scenario }
      return try self.scenario(
        in: scenario.document(note: "This scenario is built in."), scenario.name, overrides)
    case .text(let text, let file): return try self.scenario(in: text, file, overrides)
    }
  }

  private func scenario(
    in text: String, _ file: String, _ overrides: [DocumentOverride]
  ) throws(CommandFailure) -> Scenario {
    let (changed, new) = try SimulationGrid.apply(overrides, to: text, in: file)
    let result = ScenarioDocument.load(bytes: changed.utf8, file: file)
    guard let document = result.document else {
      throw SimulationGrid.unusable(result.diagnostics, [file: changed], new, file)
    }
    return Scenario(document)
  }
}
