/// An open file that is closed when its owner releases it.
struct Descriptor: ~Copyable, Sendable {
  let raw: Int32

  init(_ raw: Int32) { self.raw = raw }

  /// Opens `name` in `folder`; a failure starts with `what`, such as "cannot read", and shows `path`.
  init(
    _ name: String, in folder: Int32 = AT_FDCWD, _ flags: Int32, mode: mode_t = 0, _ what: String,
    _ path: String, source: String? = nil
  ) throws(FileFailure) {
    let raw = retrying { openat(folder, name, flags | O_CLOEXEC, mode) }
    guard raw >= 0 else { throw FileFailure.system(what, path, errno, source: source) }
    self.raw = raw
  }

  deinit { _ = systemClose(raw) }

  /// Closes now and returns `errno`: network file systems report a full disk only here.
  consuming func close() -> Int32 {
    let raw = raw
    discard self
    return systemClose(raw) == 0 ? 0 : errno
  }

  func status(_ path: String) throws(FileFailure) -> FileStatus { try FileStatus(of: raw, path) }

  /// Passes the bytes from the current position to the end to `receive`, which returns whether it needs more.
  func read(
    _ path: String, piece size: Int = 256 * 1024,
    _ receive: (ArraySlice<UInt8>) throws(FileFailure) -> Bool
  ) throws(FileFailure) {
    var buffer = [UInt8](repeating: 0, count: size)
    while true {
      let count = retrying { systemRead(raw, &buffer, size) }
      guard count >= 0 else { throw FileFailure.system("cannot read", path, errno) }
      guard count > 0 else { return }
      guard try receive(buffer[..<count]) else { return }
    }
  }
}

// Under other names, for a type that has methods of these names.
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
private func systemRead(_ descriptor: Int32, _ buffer: inout [UInt8], _ count: Int) -> Int {
  read(descriptor, &buffer, count)
}

extension FileStatus {
  init(of descriptor: Int32, _ path: String) throws(FileFailure) {
    guard let status = FileStatus(of: descriptor)
    else { throw FileFailure.system("cannot read", path, errno) }
    self = status
  }
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

@inline(__always) func retrying<Number: SignedInteger>(_ call: () -> Number) -> Number {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}
