extension FileGlob {
  /// Calls `visit` with each regular file that the pattern matches: once, folder by folder, in the byte order of names.
  ///
  /// The call blocks; memory is one folder's names per level. Symbolic links to files count as files. What cannot be read is
  /// visited as well, with its ``/PipelineCore/FileValue/problem``. A pattern that is a folder means all that is in it,
  /// hidden or not.
  @discardableResult public func enumerate(
    in base: String, _ options: GlobOptions = GlobOptions(), below lead: String = "",
    entering: @escaping (String) throws -> Void = { _ in }, _ visit: (FileValue) throws -> Void
  ) throws -> GlobReport {
    var walk: GlobWalk
    if isPlain {
      let path = plainPath(in: base)
      guard try Self.isFolder(path) else {
        try entering(try folder(in: base))
        return try enumerate(only: path, options, below: lead, visit)
      }
      var options = options
      options.includesHidden = true
      walk = GlobWalk(
        [ways[0] + [.anyDepth, .name(GlobComponent([[.anything]]))]], options, entering)
      try walk.begin(at: isAbsolute ? "/" : base, level: ways[0].count, below: lead, visit)
    } else {
      walk = GlobWalk(ways, options, entering)
      try walk.begin(at: isAbsolute ? "/" : base, level: beginning, below: lead, visit)
    }
    return walk.report
  }

  /// The folder that the pattern starts in: the part before its first wildcard, or of a path without wildcards the folder that it
  /// names, or that its file is in.
  public func folder(in base: String) throws(FileFailure) -> String {
    var isFile = false
    if isPlain { isFile = try !Self.isFolder(plainPath(in: base)) }
    return path(of: isFile ? startNames.dropLast() : startNames[...], in: base)
  }

  /// The path before the first wildcard, or the whole path if there is none; nothing is read.
  public func start(in base: String) -> String { path(of: startNames[...], in: base) }

  private var startNames: [String] {
    ways[0].prefix(isPlain ? ways[0].count : beginning).compactMap(Self.text)
  }

  private func path(of names: ArraySlice<String>, in base: String) -> String {
    let start =
      isAbsolute ? "" : base.utf8.last == UInt8(ascii: "/") ? String(base.dropLast()) : base
    let path = ([start] + names).joined(separator: "/")
    return path.isEmpty ? "/" : path
  }

  private func enumerate(
    only path: String, _ options: GlobOptions, below lead: String,
    _ visit: (FileValue) throws -> Void
  ) throws -> GlobReport {
    let file = try SourceFile.describeNamed(path, in: "/")
    var walk = GlobWalk([], options) { _ in }
    try walk.deliver(file.with(relative: lead + file.name), visit)
    return walk.report
  }

  private func plainPath(in base: String) -> String {
    isAbsolute ? "/" + plainPath : SourceFile.absolutePath(plainPath, in: base)
  }

  private static func text(_ level: Level) -> String? {
    guard case .name(let component) = level, let literal = component.literal else { return nil }
    return String(decoding: literal, as: UTF8.self)
  }

  private var plainPath: String { ways[0].compactMap(Self.text).joined(separator: "/") }

  private static func isFolder(_ path: String) throws(FileFailure) -> Bool {
    var raw = stat()
    guard stat(path, &raw) == 0 else {
      let failure = FileFailure.system("cannot read", path, errno)
      guard failure.kind != .missing else { throw failure }
      return false
    }
    return FileStatus(raw).isDirectory
  }
}

/// Follows all branches of a pattern at once, so that a file matched by two of them is visited once, in a single order.
private struct GlobWalk {
  struct PatternPosition: Hashable {
    let way, level: Int
  }

  struct Place {
    let path: String
    /// The same below the folder in which the input's patterns start; empty there.
    let below: String
    let positions: [PatternPosition]
  }

  struct Identity: Hashable {
    let device, inode: UInt64
  }

  private let ways: [[FileGlob.Level]]
  private let options: GlobOptions
  /// The folder in which the walk starts, as the system identifies it; `nil` if it is not known.
  private var root: String?
  private let entering: (String) throws -> Void
  /// The folders above, if links to folders are entered.
  private var ancestors: [Identity] = []
  var report = GlobReport()

  init(
    _ ways: [[FileGlob.Level]], _ options: GlobOptions,
    _ entering: @escaping (String) throws -> Void
  ) {
    (self.ways, self.options, self.entering) = (ways, options, entering)
  }

  /// Walks below the folder `path`, from `level` on; the folders before it are the same in all branches, and must exist.
  mutating func begin(
    at path: String, level: Int, below: String, _ visit: (FileValue) throws -> Void
  ) throws {
    var prefix = path.utf8.last == UInt8(ascii: "/") ? path : path + "/"
    for case .name(let component) in ways[0].prefix(level) {
      prefix += String(decoding: component.literal ?? [], as: UTF8.self) + "/"
    }
    root = SourceFile.realPath(prefix)
    guard let folder = OpenFolder(prefix, in: AT_FDCWD, followingLinks: true) else {
      let failure = FileFailure.system("cannot read folder", prefix, errno)
      guard failure.kind != .missing else { throw failure }
      return try fail(String(prefix.dropLast()), below.isEmpty ? nil : below, failure, visit)
    }
    note(folder)
    let positions = ways.indices.map { PatternPosition(way: $0, level: level) }
    try walk(folder, Place(path: prefix, below: below, positions: closure(of: positions)), visit)
  }

  private mutating func walk(
    _ folder: borrowing OpenFolder, _ place: Place, _ visit: (FileValue) throws -> Void
  ) throws {
    try entering(place.path)
    var (listing, code) = list(folder, place)
    if code != 0 {
      let path = String(place.path.dropLast())
      let below = place.below.isEmpty ? nil : String(place.below.dropLast())
      try fail(path, below, .system("cannot read folder", path, code), visit)
    }
    listing.sort()
    for index in 0..<listing.count {
      try listing.withName(at: index) { name in
        try enter(name, listing.kind(at: index), of: folder, place, visit)
      }
    }
  }

  /// The entries that some branch matches, without reading the folder if each branch has an exact name, and the error that ended
  /// the reading early, or 0.
  private mutating func list(
    _ folder: borrowing OpenFolder, _ place: Place
  ) -> (DirectoryListing, Int32) {
    var listing = DirectoryListing()
    let literals = place.positions.map { place -> [UInt8]? in
      if case .name(let component) = ways[place.way][place.level] { component.literal } else { nil }
    }
    if !literals.contains(nil) {
      for literal in Set(literals.compactMap { $0 }) { listing.append(literal, .symbolicLink) }
      return (listing, 0)
    }
    var report = report
    let code = folder.read(into: &listing) { name, kind in
      let isWanted = place.positions.contains { wants(name, kind, at: $0) }
      if isWanted { return true }
      if let cause = cause(of: name, kind, place.positions, in: folder) {
        report.remark(place.below + String(decoding: name, as: UTF8.self), cause)
      }
      return false
    }
    self.report = report
    return (listing, code)
  }

  /// Why an entry that the pattern would lead to is not even looked at; `nil` if the pattern does not lead to it.
  private func cause(
    of name: UnsafeBufferPointer<UInt8>, _ kind: EntryKind, _ positions: [PatternPosition],
    in folder: borrowing OpenFolder
  ) -> GlobReport.Cause? {
    if name.first == UInt8(ascii: "."), !options.includesHidden {
      let isMeant = positions.contains { wants(name, kind, at: $0, includingHidden: true) }
      return isMeant ? .hidden : nil
    }
    guard kind == .symbolicLink, positions.contains(where: { ways[$0.way][$0.level] == .anyDepth })
    else { return nil }
    return isFolder(name, in: folder) ? .folderLink : nil
  }

  private func wants(
    _ name: UnsafeBufferPointer<UInt8>, _ kind: EntryKind, at place: PatternPosition,
    includingHidden: Bool = false
  ) -> Bool {
    let takesHidden = includingHidden || options.includesHidden
    switch ways[place.way][place.level] {
    case .anyDepth:
      guard takesHidden || name.first != UInt8(ascii: ".") else { return false }
      return kind == .folder || kind == .symbolicLink && options.followsLinks
    case .name(let component): return component.matches(name, includingHidden: takesHidden)
    }
  }

  private mutating func enter(
    _ name: UnsafeBufferPointer<UInt8>, _ kind: EntryKind, of folder: borrowing OpenFolder,
    _ place: Place, _ visit: (FileValue) throws -> Void
  ) throws {
    let (isWanted, next) = follow(name, kind, place.positions)
    guard let text = String(validating: name, as: UTF8.self) else {
      guard isWanted || !next.isEmpty else { return }
      let shown = SourceFile.escaped(name)
      return try fail(place.path + shown, place.below + shown, SourceFile.notUTF8, visit)
    }
    if kind == .folder {
      if !next.isEmpty {
        try descend(text, kind, of: folder, place, next, visit)
      } else if isWanted {
        report.remark(place.below + text, .folder)
      }
      return
    }
    var raw = stat()
    guard fstatat(folder.descriptor, text, &raw, 0) == 0 else {
      // An exact name that does not exist is not reported; a broken link is, and a file that has disappeared.
      let code = errno
      let path = place.path + text
      guard isWanted, kind != .symbolicLink || isLink(text, in: folder) else { return }
      let failure =
        kind == .symbolicLink && code == ENOENT
        ? FileFailure(.missing, message: "it is a link to a file that does not exist")
        : .system("cannot read", path, code)
      return try fail(path, place.below + text, failure, visit)
    }
    let status = FileStatus(raw)
    let isIncluded = status.isRegular ? isWanted : status.isDirectory && !next.isEmpty
    if isIncluded, kind == .symbolicLink { noteLink(text, in: folder, place) }
    if status.isRegular {
      guard isWanted else { return }
      if faccessat(folder.descriptor, text, R_OK, 0) == 0 {
        try deliver(
          FileValue(
            path: place.path + text, name: text, relative: place.below + text, size: status.size,
            modified: status.modified, contentType: MediaType.guess(fromName: text)), visit)
      } else {
        let path = place.path + text
        try fail(path, place.below + text, .system("cannot read", path, errno), visit)
      }
    } else if status.isDirectory {
      if !next.isEmpty {
        try descend(text, kind, of: folder, place, next, visit)
      } else if place.positions.contains(where: { ways[$0.way][$0.level] == .anyDepth }) {
        report.remark(place.below + text, .folderLink)
      } else if isWanted {
        report.remark(place.below + text, .folder)
      }
    } else if isWanted {
      try fail(place.path + text, place.below + text, SourceFile.irregular, visit)
    }
  }

  /// Visits unreadable entries; `below` is `nil` for the folder in which the walk starts.
  private mutating func fail(
    _ path: String, _ below: String?, _ failure: FileFailure, _ visit: (FileValue) throws -> Void
  ) throws {
    let file = SourceFile.unreadable(path, failure)
    try deliver(file.with(relative: below ?? file.name), visit)
  }

  /// Visits a file, unless it is left out.
  mutating func deliver(_ file: FileValue, _ visit: (FileValue) throws -> Void) throws {
    guard !options.excludes(file.relative, isFolder: false) else {
      report.remark(file.relative, .excluded)
      return
    }
    try visit(file)
    report.add(file)
  }

  /// Remarks on a link out of the folder in which the walk starts.
  private mutating func noteLink(
    _ name: String, in folder: borrowing OpenFolder, _ place: Place
  ) {
    guard let root, isLink(name, in: folder),
      let target = SourceFile.realPath(place.path + name), target != root,
      !target.hasPrefix(root == "/" ? root : root + "/"),
      !options.excludes(place.below + name, isFolder: false)
    else { return }
    report.remark(place.below + name, .outsideLink)
  }

  private mutating func descend(
    _ name: String, _ kind: EntryKind, of folder: borrowing OpenFolder, _ place: Place,
    _ positions: [PatternPosition], _ visit: (FileValue) throws -> Void
  ) throws {
    let below = place.below + name
    guard !options.excludes(below, isFolder: true) else {
      report.remark(below + "/", .excluded)
      return
    }
    guard let child = OpenFolder(name, in: folder.descriptor, followingLinks: true) else {
      let path = place.path + name
      return try fail(path, below, .system("cannot read folder", path, errno), visit)
    }
    guard note(child) else {
      report.remark(below, .cycle)
      return
    }
    try walk(
      child, Place(path: place.path + name + "/", below: below + "/", positions: positions), visit)
    if options.followsLinks { ancestors.removeLast() }
  }

  /// Remembers a folder that is entered; `false` if it is one of those above.
  @discardableResult private mutating func note(_ folder: borrowing OpenFolder) -> Bool {
    guard options.followsLinks else { return true }
    guard let status = FileStatus(of: folder.descriptor) else { return false }
    let identity = Identity(device: status.device, inode: status.inode)
    guard !ancestors.contains(identity) else { return false }
    ancestors.append(identity)
    return true
  }

  private func isFolder(
    _ name: UnsafeBufferPointer<UInt8>, in folder: borrowing OpenFolder
  ) -> Bool {
    guard let text = String(validating: name, as: UTF8.self) else { return false }
    var raw = stat()
    return fstatat(folder.descriptor, text, &raw, 0) == 0 && FileStatus(raw).isDirectory
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

  private func isLink(_ name: String, in folder: borrowing OpenFolder) -> Bool {
    var raw = stat()
    return fstatat(folder.descriptor, name, &raw, AT_SYMLINK_NOFOLLOW) == 0
      && FileStatus(raw).isSymbolicLink
  }
}
