import Foundation

/// A folder of its own for one test, removed with the last reference.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory
      .appending(path: "store-tests-\(UUID().uuidString)").path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Path of a file or folder inside.
  func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// Bytes of every file directly inside, by name.
  func contents() throws -> [String: Data] {
    var result: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      result[name] = try Data(contentsOf: URL(filePath: self(name)))
    }
    return result
  }
}
