/// The folder of a file that stays, below one that the user named; each is opened in the one before it and never through a link.
enum TargetFolder {
  private static let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC

  static func open(_ plan: SavePlan, making mode: mode_t?) throws(FileFailure) -> Descriptor {
    if let mode { try makeFolders(plan.folder, mode) }
    var current = try Descriptor(plan.folder, flags, "cannot open folder", plan.folder)
    for name in plan.components.dropLast() {
      current = try open(name, in: current.raw, plan, making: mode)
    }
    return current
  }

  static func openIfThere(_ plan: SavePlan) throws(FileFailure) -> Descriptor? {
    do throws(FileFailure) { return try open(plan, making: nil) } catch {
      if error.kind == .missing { return nil }
      throw error
    }
  }

  private static func open(
    _ name: String, in parent: Int32, _ plan: SavePlan, making mode: mode_t?
  ) throws(FileFailure) -> Descriptor {
    // Another process may delete the folder between our creating and our opening it; a few rounds settle that.
    var isOurs = false
    for _ in 0..<4 {
      let raw = retrying { openat(parent, name, flags | O_NOFOLLOW) }
      if raw >= 0 {
        if isOurs, let mode {
          fchmod(raw, mode)
          fsync(parent)
        }
        return Descriptor(raw)
      }
      guard errno == ENOENT, mode != nil else { break }
      isOurs = mkdirat(parent, name, 0o700) == 0
      guard isOurs || errno == EEXIST else { break }
    }
    throw refusal(of: name, plan, errno)
  }

  static func refusal(of name: String, _ plan: SavePlan, _ code: Int32) -> FileFailure {
    switch code {
    case ELOOP, ENOTDIR:
      FileFailure(
        .refused,
        message: "'\(name)' in '\(plan.folder)' is not a folder; a link there is not followed")
    case ENAMETOOLONG, EILSEQ, EINVAL:
      FileFailure(
        .refused,
        message: "'\(name)' in '\(plan.folder)' cannot be the name of a file: \(errorText(code))")
    default: FileFailure.system("cannot open '\(name)' in", plan.folder, code)
    }
  }

  /// Creates a folder with those above it; new ones get the permissions `mode`, regardless of the mask.
  static func makeFolders(_ path: String, _ mode: mode_t?) throws(FileFailure) {
    var current = ""
    for component in path.utf8.split(separator: UInt8(ascii: "/")) {
      current += "/" + (String(component) ?? "")
      if mkdir(current, 0o700) == 0 {
        if let mode { chmod(current, mode) }
        continue
      }
      // A parent that we may not write to is fine if it exists (EACCES, EROFS before EEXIST).
      let code = errno
      if code != EEXIST, access(current, F_OK) != 0 {
        throw FileFailure.system("cannot create folder", current, code)
      }
    }
  }

  /// The metadata of a name in a folder, not of a link's destination; `nil` if there is nothing.
  static func status(
    of name: String, in folder: Int32, _ plan: SavePlan
  ) throws(FileFailure) -> FileStatus? {
    var raw = stat()
    if fstatat(folder, name, &raw, AT_SYMLINK_NOFOLLOW) == 0 { return FileStatus(raw) }
    guard errno == ENOENT else { throw refusal(of: name, plan, errno) }
    return nil
  }
}

/// Renames within a folder.
enum Rename {
  /// Sets a file's name, which must be free, in one step; returns `errno`, which is `EEXIST` if something has it.
  static func unlessTaken(_ old: String, to new: String, in folder: Int32) -> Int32 {
    let code = rename(old, new, in: folder, noReplace)
    guard code == EINVAL || code == ENOSYS || code == ENOTSUP else { return code }
    // A file system without it has links, which are not made where something is either.
    guard linkat(folder, old, folder, new, 0) == 0 else { return errno }
    return unlinkat(folder, old, 0) == 0 ? 0 : errno
  }

  /// Swaps two files in one step; returns `errno`.
  static func exchanging(_ one: String, and other: String, in folder: Int32) -> Int32 {
    rename(one, other, in: folder, exchange)
  }

  #if canImport(Glibc)
    // <linux/fs.h>
    private static let (noReplace, exchange) = (UInt32(1), UInt32(2))

    private typealias Function =
      @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

    /// `renameat2`, which the module of the C library does not declare; `nil` in a C library without it.
    private static let function: Function? =
      dlsym(nil, "renameat2").map { unsafeBitCast($0, to: Function.self) }

    private static func rename(
      _ old: String, _ new: String, in folder: Int32, _ flags: UInt32
    ) -> Int32 {
      guard let function else { return ENOSYS }
      return function(folder, old, folder, new, flags) == 0 ? 0 : errno
    }
  #else
    private static let (noReplace, exchange) = (UInt32(RENAME_EXCL), UInt32(RENAME_SWAP))

    private static func rename(
      _ old: String, _ new: String, in folder: Int32, _ flags: UInt32
    ) -> Int32 { renameatx_np(folder, old, folder, new, flags) == 0 ? 0 : errno }
  #endif
}
