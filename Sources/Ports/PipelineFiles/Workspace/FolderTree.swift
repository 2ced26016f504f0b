/// A folder that we own; each component below it is opened separately and never through a symbolic link.
struct FolderTree: ~Copyable, Sendable {
  private static let openFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
  let path: String
  private let root: Descriptor

  init(path: String) throws(FileFailure) {
    self.path = path
    try Self.makeFolders(path)
    root = try Descriptor(path, Self.openFlags, "cannot open", path)
  }

  var descriptor: Int32 { root.raw }

  func withFolder<Result: ~Copyable>(
    of path: WorkspacePath, creating: Bool, _ body: (Int32) throws(FileFailure) -> Result
  ) throws(FileFailure) -> Result {
    guard !path.folders.isEmpty else { return try body(root.raw) }
    var current = try Self.openFolder(path.folders[path.folders.startIndex], in: root.raw, creating)
    for name in path.folders.dropFirst() {
      current = try Self.openFolder(name, in: current.raw, creating)
    }
    return try body(current.raw)
  }

  func openFile(_ text: String) throws(FileFailure) -> Descriptor {
    let path = try WorkspacePath(text)
    return try withFolder(of: path, creating: false) { folder throws(FileFailure) in
      try Descriptor(
        path.name, in: folder, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, "cannot open", text,
        source: text)
    }
  }

  private static func openFolder(
    _ name: String, in parent: Int32, _ creating: Bool
  ) throws(FileFailure) -> Descriptor {
    // Another process may delete the folder between our creating and our opening it; a few rounds settle that.
    for _ in 0..<4 {
      let raw = retrying { openat(parent, name, openFlags | O_NOFOLLOW) }
      if raw >= 0 { return Descriptor(raw) }
      guard errno == ENOENT, creating else { break }
      if mkdirat(parent, name, 0o700) != 0, errno != EEXIST {
        throw FileFailure.system("cannot create folder", name, errno)
      }
    }
    let code = errno
    if code == ELOOP || code == ENOTDIR {
      throw FileFailure(.system, message: "'\(name)' in the run's folder is not a folder")
    }
    throw FileFailure.system("cannot open folder", name, code)
  }

  private static func makeFolders(_ path: String) throws(FileFailure) {
    guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0)
    else { throw FileFailure(.system, message: "'\(path)' is not an absolute path") }
    try TargetFolder.makeFolders(path, nil)
  }
}
