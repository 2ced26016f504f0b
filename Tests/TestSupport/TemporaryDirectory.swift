public import Foundation

/// A folder of a test's own, removed with its last owner.
public final class TemporaryDirectory: Sendable {
  /// Where the folder is; an absolute path without symbolic links.
  public let url: URL

  /// Makes an empty folder below the system's folder for temporary files.
  public init() throws {
    let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    url = base.appending(path: "pipeline-test-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The absolute path of the entry called `name`, there or not.
  public func path(_ name: String = "") -> String {
    name.isEmpty
      ? url.path(percentEncoded: false) : url.appending(path: name).path(percentEncoded: false)
  }

  /// Writes a file, with the folders above it, and returns its absolute path.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try write(Data(text.utf8), to: name)
  }

  /// Writes a file, with the folders above it, and returns its absolute path.
  @discardableResult
  public func write(_ data: Data, to name: String) throws -> String {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
    return file.path(percentEncoded: false)
  }

  /// The text of the file called `name`; empty where it is not there.
  public func text(of name: String) -> String {
    guard let data = FileManager.default.contents(atPath: path(name)) else { return "" }
    return String(decoding: data, as: UTF8.self)
  }
}
