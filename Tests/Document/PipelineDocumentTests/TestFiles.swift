import Foundation
import TestSupport

/// Documents to check.
extension TestFiles {
  static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Fixtures")

  /// The texts in `folder` whose name ends with `.yaml`, by name.
  static func yaml(in folder: URL) throws -> [(name: String, text: String)] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".yaml") }.sorted()
      .map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
  }

  /// Every YAML text without mistakes: fixtures and shipped files.
  static func valid() throws -> [(name: String, text: String)] {
    try yaml(in: fixtures.appending(path: "ok"))
      + yaml(in: repository.appending(path: "Pipelines"))
      .filter { !$0.name.hasSuffix(".test.yaml") }
  }
}
