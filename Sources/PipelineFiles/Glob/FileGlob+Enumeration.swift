public import PipelineCore
import PipelineEngine

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension FileGlob {
  /// Calls `visit` with each regular file that the pattern matches: once, folder by folder, in the byte order of names.
  ///
  /// The call blocks; memory is one folder's names per level. Symbolic links to files count as files. Unreadable entries are
  /// in the report and do not end the enumeration.
  ///
  /// - Parameters:
  ///   - base: Absolute folder that relative patterns start in.
  ///   - visit: An error it throws ends the enumeration and is rethrown.
  /// - Throws: ``FileFailure`` if a path without wildcards, or the folder that a pattern starts with, cannot be read.
  @discardableResult
  public func enumerate(
    in base: String, _ visit: (FileValue) throws -> Void
  ) throws -> GlobReport {
    var levels = ways
    if isPlain {
      let path = isAbsolute ? "/" + plainPath : SourceFile.absolutePath(plainPath, in: base)
      if try Self.isFolder(path) {
        levels = [ways[0] + [.anyDepth, .name(GlobComponent([[.anything]]))]]
      } else {
        let file = try SourceFile.describe(path, in: base)
        try visit(file)
        var report = GlobReport()
        (report.files, report.bytes) = (1, file.size)
        return report
      }
    }
    var walk = GlobWalk(levels)
    let start = isAbsolute ? "/" : base
    try walk.begin(at: start, visit)
    return walk.report
  }

  /// The path of a pattern without wildcards.
  private var plainPath: String {
    let names = ways[0].compactMap { level -> String? in
      guard case .name(let component) = level, let literal = component.literal else { return nil }
      return String(decoding: literal, as: UTF8.self)
    }
    return names.joined(separator: "/")
  }

  private static func isFolder(_ path: String) throws(FileFailure) -> Bool {
    var raw = stat()
    guard stat(path, &raw) == 0 else { throw FileFailure.system("cannot read", path, errno) }
    return FileStatus(raw).isDirectory
  }
}

/// Follows all branches of a pattern at once, so that a file matched by two of them is visited once, in a single order.
private struct GlobWalk {
  /// A position in a branch: the next name must match `level`.
  struct PatternPosition: Hashable {
    let way: Int
    let level: Int
  }

  private let ways: [[FileGlob.Level]]
  var report = GlobReport()

  init(_ ways: [[FileGlob.Level]]) { self.ways = ways }

  /// Walks below the folder `path`.
  mutating func begin(at path: String, _ visit: (FileValue) throws -> Void) throws {
    var prefix = path.utf8.last == UInt8(ascii: "/") ? path : path + "/"
    var places = ways.indices.map { PatternPosition(way: $0, level: 0) }
    // The common prefix of all branches is walked by name: such a folder must exist, but need not be readable.
    if ways.count == 1 {
      var level = 0
      while level + 1 < ways[0].count, case .name(let component) = ways[0][level],
        let literal = component.literal
      {
        prefix += String(decoding: literal, as: UTF8.self) + "/"
        level += 1
      }
      places = [PatternPosition(way: 0, level: level)]
    }
    guard let folder = OpenFolder(prefix, in: AT_FDCWD, followingLinks: true) else {
      throw FileFailure.system("cannot read folder", prefix, errno)
    }
    try walk(folder, prefix: prefix, closure(of: places), visit)
  }

  private mutating func walk(
    _ folder: borrowing OpenFolder, prefix: String, _ places: [PatternPosition],
    _ visit: (FileValue) throws -> Void
  ) throws {
    var listing = list(folder, prefix: prefix, places)
    listing.sort()
    for index in 0..<listing.count {
      try listing.withName(at: index) { name in
        try enter(name, listing.kind(at: index), of: folder, prefix: prefix, places, visit)
      }
    }
  }

  /// The entries that some branch matches, without reading the folder if each branch gives an exact name.
  private mutating func list(
    _ folder: borrowing OpenFolder, prefix: String, _ places: [PatternPosition]
  ) -> DirectoryListing {
    var listing = DirectoryListing()
    let literals = places.map { place -> [UInt8]? in
      if case .name(let component) = ways[place.way][place.level] { component.literal } else { nil }
    }
    if !literals.contains(nil) {
      for literal in Set(literals.compactMap { $0 }) { listing.append(literal, .symbolicLink) }
      return listing
    }
    let code = folder.read(into: &listing) { name, kind in
      kind != .other && places.contains { wants(name, kind, at: $0) }
    }
    if code != 0 { report.warn(prefix, errorText(code)) }
    return listing
  }

  private func wants(
    _ name: UnsafeBufferPointer<UInt8>, _ kind: EntryKind, at place: PatternPosition
  ) -> Bool {
    switch ways[place.way][place.level] {
    case .anyDepth: kind == .folder && name.first != UInt8(ascii: ".")
    case .name(let component): component.matches(name)
    }
  }

  private mutating func enter(
    _ name: UnsafeBufferPointer<UInt8>, _ kind: EntryKind, of folder: borrowing OpenFolder,
    prefix: String, _ places: [PatternPosition], _ visit: (FileValue) throws -> Void
  ) throws {
    guard let text = String(validating: name, as: UTF8.self) else {
      report.warn(prefix + String(decoding: name, as: UTF8.self), "the name is not UTF-8")
      return
    }
    let (isWanted, next) = follow(name, kind, places)
    if kind == .folder {
      if !next.isEmpty { try descend(text, of: folder, prefix: prefix, next, visit) }
      return
    }
    var raw = stat()
    guard fstatat(folder.descriptor, text, &raw, 0) == 0 else {
      // An exact name that does not exist is not reported; a dangling link is.
      if kind != .symbolicLink || exists(text, in: folder) {
        report.warn(prefix + text, errorText(errno))
      }
      return
    }
    let status = FileStatus(raw)
    if status.isRegular, isWanted {
      let file = FileValue(
        path: prefix + text, name: text, size: status.size, modified: status.modified,
        contentType: MediaType.guess(fromName: text))
      report.files += 1
      report.bytes += status.size
      try visit(file)
    } else if status.isDirectory, !next.isEmpty {
      try descend(text, of: folder, prefix: prefix, next, visit)
    }
  }

  private mutating func descend(
    _ name: String, of folder: borrowing OpenFolder, prefix: String, _ places: [PatternPosition],
    _ visit: (FileValue) throws -> Void
  ) throws {
    guard let child = OpenFolder(name, in: folder.descriptor, followingLinks: true) else {
      report.warn(prefix + name, errorText(errno))
      return
    }
    try walk(child, prefix: prefix + name + "/", places, visit)
  }

  /// What `name` leads to: whether some branch matches it as a file, and the positions inside it if it is a folder.
  private func follow(
    _ name: UnsafeBufferPointer<UInt8>, _ kind: EntryKind, _ places: [PatternPosition]
  ) -> (isWanted: Bool, next: [PatternPosition]) {
    var isWanted = false
    var next: [PatternPosition] = []
    for place in places where wants(name, kind, at: place) {
      switch ways[place.way][place.level] {
      case .anyDepth: next.append(place)
      case .name where place.level + 1 == ways[place.way].count: isWanted = true
      case .name: next.append(PatternPosition(way: place.way, level: place.level + 1))
      }
    }
    return (isWanted, closure(of: next))
  }

  /// Adds to each position at a `**` the one after it, because `**` can match no folder at all.
  private func closure(of places: [PatternPosition]) -> [PatternPosition] {
    var all: [PatternPosition] = []
    for place in places {
      if !all.contains(place) { all.append(place) }
      guard case .anyDepth = ways[place.way][place.level] else { continue }
      let after = PatternPosition(way: place.way, level: place.level + 1)
      if !all.contains(after) { all.append(after) }
    }
    return all
  }

  private func exists(_ name: String, in folder: borrowing OpenFolder) -> Bool {
    let code = errno
    var raw = stat()
    let isThere = fstatat(folder.descriptor, name, &raw, AT_SYMLINK_NOFOLLOW) == 0
    errno = code
    return isThere
  }
}
