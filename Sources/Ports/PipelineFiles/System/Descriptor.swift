/// An open file that is closed when its owner releases it.
struct Descriptor: ~Copyable, Sendable {
  let raw: Int32

  init(_ raw: Int32) { self.raw = raw }

  deinit { _ = systemClose(raw) }

  /// Closes now and returns `errno`: network file systems report a full disk only here.
  consuming func close() -> Int32 {
    let raw = raw
    discard self
    return systemClose(raw) == 0 ? 0 : errno
  }

  func status(_ path: String) throws(FileFailure) -> FileStatus {
    try FileStatus(of: raw, path)
  }
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

struct FileStatus: Hashable {
  let size: Int64
  /// Nanoseconds since 1970 UTC.
  let modified: Int64
  /// The time of the last change of any kind, which no program can set back.
  let changed: Int64
  /// Number of the file on its device.
  let inode, device: UInt64
  private let format: mode_t

  init(of descriptor: Int32, _ path: String) throws(FileFailure) {
    var raw = stat()
    guard fstat(descriptor, &raw) == 0 else { throw FileFailure.system("cannot read", path, errno) }
    self.init(raw)
  }

  init(_ raw: stat) {
    size = Int64(raw.st_size)
    #if canImport(Glibc)
      (modified, changed) = (Self.nanoseconds(raw.st_mtim), Self.nanoseconds(raw.st_ctim))
    #else
      (modified, changed) = (
        Self.nanoseconds(raw.st_mtimespec), Self.nanoseconds(raw.st_ctimespec)
      )
    #endif
    inode = UInt64(raw.st_ino)
    device = UInt64(bitPattern: Int64(raw.st_dev))
    format = raw.st_mode & S_IFMT
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  var isRegular: Bool { format == S_IFREG }
  var isDirectory: Bool { format == S_IFDIR }
  var isSymbolicLink: Bool { format == S_IFLNK }
}

extension FileFailure {
  /// The failure of a call that left `code` in `errno`: `what 'path': no such file or directory`.
  static func system(
    _ what: String, _ path: String, _ code: Int32, source: String? = nil
  ) -> FileFailure {
    FileFailure(kind(of: code), message: "\(what) '\(path)': \(errorText(code))", source: source)
  }

  private static func kind(of code: Int32) -> Kind {
    switch code {
    case ENOSPC, EDQUOT: .noSpace
    case EMFILE, ENFILE: .tooManyOpenFiles
    case ENOENT, ENOTDIR: .missing
    case EACCES, EPERM: .unreadable
    default: .system
    }
  }
}

/// The operating system's message for the error `code`, beginning in lower case.
func errorText(_ code: Int32) -> String {
  guard let text = strerror(code) else { return "error \(code)" }
  let words = String(cString: text)
  return words.prefix(1).lowercased() + words.dropFirst()
}

@inline(__always) func retrying<Number: SignedInteger>(_ call: () -> Number) -> Number {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}
