/// A scenario of `Pipelines/scenarios`, embedded in the program so that its name is enough.
///
/// The texts in `Shipped/` are generated from the files; a test compares them.
public struct ShippedScenario: Hashable, Sendable {
  /// The file's name without its extension.
  public let name: String
  /// The text of the file, without comment lines.
  public let text: String

  /// The scenario called `name`.
  public static func named(_ name: String) -> Self? { all.first { $0.name == name } }
}
