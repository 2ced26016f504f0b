/// Gives the files that a document names with `use`.
public struct DocumentFiles: Sendable {
  let read: @Sendable (String) -> [UInt8]?

  /// Makes a source of files.
  ///
  /// `read` is given a path relative to the folder of the document that is loaded, or an absolute one, without `.` and with
  /// `..` only at its beginning; it gives the file's bytes, `nil` where it cannot be read.
  public init(_ read: @escaping @Sendable (String) -> [UInt8]?) { self.read = read }

  /// The text of a file; `nil` where it cannot be read.
  public func text(_ path: String) -> String? {
    read(path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// For documents that stand alone.
  public static let none = DocumentFiles { _ in nil }
}

/// Paths with slashes, as documents write them.
enum DocumentPath {
  /// `path` as seen from the folder of `file`, with `.` and `..` taken out as far as possible.
  static func resolve(_ path: String, from file: String) -> String {
    if path.hasPrefix("/") { return normal(path) }
    guard let slash = file.lastIndex(of: "/") else { return normal(path) }
    return normal(file[...slash] + path)
  }

  /// What stands behind the last slash.
  static func lastName(of path: String) -> String {
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
