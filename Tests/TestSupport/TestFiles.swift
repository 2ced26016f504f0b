public import Foundation

/// Files of the repository, and the environment's settings for tests.
public enum TestFiles {
  /// The root of the package.
  public static let repository = CommandRunner.packageRoot
  /// The schema of pipelines for editors.
  public static let schema = repository.appending(path: "Schemas/pipeline.schema.json")

  /// Whether tests that draw at random use all of their time (`FUZZ=full`).
  public static var isThorough: Bool { ProcessInfo.processInfo.environment["FUZZ"] == "full" }

  /// Whether a variable is 1.
  public static func isSet(_ variable: String) -> Bool {
    ProcessInfo.processInfo.environment[variable] == "1"
  }
}
