/// Provides the files that a document names with `use`.
public struct DocumentFiles: Sendable {
  package let read: @Sendable (String) throws(Refusal) -> [UInt8]
  private let list: @Sendable (String) -> [String]

  /// Why a file is not available.
  public struct Refusal: Error, Hashable, Sendable {
    /// The reason, as text to put after a colon; empty if it is unknown.
    public let reason: String
    /// The help text.
    public let help: String

    /// Describes the reason.
    public init(_ reason: String, help: String) { (self.reason, self.help) = (reason, help) }

    /// The file does not exist, or the system does not report why it cannot be read.
    public static let unreadable = Refusal(
      "", help: "paths are relative to the file that contains them")
  }

  /// Makes a source of files.
  ///
  /// `read` accepts a path relative to the folder of the loaded document, or an absolute one, without `.` and with `..` only
  /// at its start. It returns the file's bytes, or `nil` if it cannot be read. `list` accepts the path of a folder in the
  /// same form, empty for the document's own, and returns the names in it;
  /// those of folders end with a slash. Only editors ask for them.
  public init(
    _ read: @escaping @Sendable (String) -> [UInt8]?,
    list: @escaping @Sendable (String) -> [String] = { _ in [] }
  ) {
    self.list = list
    self.read = { (path: String) throws(Refusal) -> [UInt8] in
      guard let bytes = read(path) else { throw Refusal.unreadable }
      return bytes
    }
  }

  /// Makes a source of files that reports why a file is not available; otherwise like ``init(_:list:)``.
  public init(
    reading read: @escaping @Sendable (String) throws(Refusal) -> [UInt8],
    list: @escaping @Sendable (String) -> [String] = { _ in [] }
  ) { (self.read, self.list) = (read, list) }

  /// The names in a folder, in no order; those of folders end with a slash.
  public func entries(of folder: String) -> [String] { list(folder) }

  /// The text of a file; `nil` if it cannot be read.
  public func text(_ path: String) -> String? {
    (try? read(path)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// For documents that use no other files.
  public static let none = DocumentFiles { _ in nil }
}

package enum DocumentPath {
  /// `path` relative to the folder of `file`, with `.` and `..` resolved where possible.
  package static func resolve(_ path: String, from file: String) -> String {
    if path.hasPrefix("/") { return normal(path) }
    guard let slash = file.lastIndex(of: "/") else { return normal(path) }
    return normal(file[...slash] + path)
  }

  package static func lastName(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  private static func normal(_ path: some StringProtocol) -> String {
    var parts: [Substring] = []
    for part in String(path).split(separator: "/") {
      if part == "." { continue }
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}
