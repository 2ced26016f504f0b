/// A pattern of files and folders that an enumeration leaves out; a folder is left out with all that is in it.
///
/// A pattern without a slash is compared with each name (`.DS_Store`, `*.tmp`), any other with the path below the folder in which
/// the input's patterns start (`drafts/**`, `/build`). A slash at the end restricts it to folders. The wildcards are those of
/// ``FileGlob``, except that they match hidden names as well.
public struct FileExclusion: Hashable, Sendable {
  /// The original pattern.
  public let pattern: String
  private let ways: [Way]
  private let isFoldersOnly: Bool

  private struct Way: Hashable {
    let levels: [FileGlob.Level]
    let isName: Bool
  }

  /// Reads `pattern`.
  public init(_ pattern: String) throws(GlobError) {
    self.pattern = pattern
    var parser = GlobParser(pattern)
    var isFoldersOnly = true
    var ways: [Way] = []
    for alternative in try parser.parse() {
      if alternative.last != .slash { isFoldersOnly = false }
      let inner = alternative.last == .slash ? alternative.dropLast() : alternative[...]
      let levels = try FileGlob.levels(of: Array(inner), in: pattern)
      guard !levels.isEmpty else {
        throw GlobError(position: 1, message: "the pattern is empty, expected a name or a path")
      }
      ways.append(Way(levels: levels, isName: !inner.contains(.slash) && levels.count == 1))
    }
    (self.ways, self.isFoldersOnly) = (ways, isFoldersOnly)
  }

  /// Whether the file or folder at `path`, below the folder in which the input's patterns start, is left out.
  public func matches(_ path: String, isFolder: Bool) -> Bool {
    guard isFolder || !isFoldersOnly else { return false }
    let names = path.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
    guard let last = names.last else { return false }
    return ways.contains { way in
      way.isName ? Self.matches(way.levels[0], last) : Self.matches(way.levels[...], names[...])
    }
  }

  /// Whether the file at `path` is left out, by itself or with a folder above it.
  public func leavesOut(file path: String) -> Bool {
    var end = path.startIndex
    while let slash = path[end...].firstIndex(of: "/") {
      if matches(String(path[..<slash]), isFolder: true) { return true }
      end = path.index(after: slash)
    }
    return matches(path, isFolder: false)
  }

  private static func matches(_ level: FileGlob.Level, _ name: [UInt8]) -> Bool {
    switch level {
    case .anyDepth: true
    case .name(let component):
      name.withUnsafeBufferPointer { component.matches($0, includingHidden: true) }
    }
  }

  private static func matches(
    _ levels: ArraySlice<FileGlob.Level>, _ names: ArraySlice<[UInt8]>
  ) -> Bool {
    guard let level = levels.first else { return names.isEmpty }
    if level == .anyDepth {
      return names.indices.contains { matches(levels.dropFirst(), names[$0...]) }
    }
    guard let name = names.first, matches(level, name) else { return false }
    return matches(levels.dropFirst(), names.dropFirst())
  }
}
