/// A scenario of `Pipelines/scenarios`, embedded in the program so that its name is enough.
public struct ShippedScenario: Hashable, Sendable {
  /// Every scenario that ships, by name.
  public static let all = EmbeddedTexts.scenarios.map { file in
    let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("#") }
    return Self(name: file.name, text: lines.drop { $0.isEmpty }.joined(separator: "\n"))
  }

  /// The file's name without its extension, and its text without comment lines.
  public let name, text: String

  /// The scenario called `name`.
  public static func named(_ name: String) -> Self? { all.first { $0.name == name } }
}
