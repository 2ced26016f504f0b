/// Gives the files that a document names with `use`.
public struct DocumentFiles: Sendable {
  package let read: @Sendable (String) throws(Refusal) -> [UInt8]

  /// Why a file is not given.
  public struct Refusal: Error, Hashable, Sendable {
    /// What is in the way, in words that go on after a colon; empty where nothing more is known.
    public let reason: String
    /// What to do about it.
    public let help: String

    /// Says why.
    public init(_ reason: String, help: String) {
      self.reason = reason
      self.help = help
    }

    /// The file is not there, or the system does not say why it cannot be read.
    public static let unreadable = Refusal(
      "", help: "paths are relative to the file that names them")
  }

  /// Makes a source of files.
  ///
  /// `read` is given a path relative to the folder of the document that is loaded, or an absolute one, without `.` and with
  /// `..` only at its beginning; it gives the file's bytes, `nil` where it cannot be read.
  public init(_ read: @escaping @Sendable (String) -> [UInt8]?) {
    self.read = { (path: String) throws(Refusal) -> [UInt8] in
      guard let bytes = read(path) else { throw Refusal.unreadable }
      return bytes
    }
  }

  /// Makes a source of files that says why it does not give one; otherwise as ``init(_:)``.
  public init(reading read: @escaping @Sendable (String) throws(Refusal) -> [UInt8]) {
    self.read = read
  }

  /// The text of a file; `nil` where it cannot be read.
  public func text(_ path: String) -> String? {
    (try? read(path)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// For documents that stand alone.
  public static let none = DocumentFiles { _ in nil }
}

/// Paths with slashes, as documents write them.
package enum DocumentPath {
  /// `path` as seen from the folder of `file`, with `.` and `..` taken out as far as possible.
  package static func resolve(_ path: String, from file: String) -> String {
    if path.hasPrefix("/") { return normal(path) }
    guard let slash = file.lastIndex(of: "/") else { return normal(path) }
    return normal(file[...slash] + path)
  }

  /// What stands behind the last slash.
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
