public import Foundation

/// Files of the repository, and what the environment asks of tests.
public enum TestFiles {
  /// The root of the package.
  public static let repository = CommandRunner.packageRoot
  /// The schema that editors know pipelines by.
  public static let schema = repository.appending(path: "Schemas/pipeline.schema.json")

  /// Whether tests that draw at random take all the time they can use (`FUZZ=full`).
  public static var isThorough: Bool { ProcessInfo.processInfo.environment["FUZZ"] == "full" }

  /// Whether a variable is 1.
  public static func isSet(_ variable: String) -> Bool {
    ProcessInfo.processInfo.environment[variable] == "1"
  }
}
