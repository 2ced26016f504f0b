public import Foundation

/// Files of the official suites under `Tests/Conformance`, found from this file's own place.
public enum Conformance {
  /// The folder that holds one sub-folder per suite.
  public static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Conformance")

  /// The bytes of the file at `path`, relative to ``folder``.
  public static func data(_ path: String) throws -> Data {
    try Data(contentsOf: folder.appending(path: path))
  }

  /// The JSON files directly inside the sub-folder `path`, by name.
  public static func jsonFiles(in path: String) throws -> [URL] {
    try FileManager.default
      .contentsOfDirectory(at: folder.appending(path: path), includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "json" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }
}
