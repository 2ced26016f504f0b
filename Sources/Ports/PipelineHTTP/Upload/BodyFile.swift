import NIOCore

/// A file of a body, opened once and checked against its description.
final class BodyFile: Sendable {
  private let descriptor: Int32
  private let expected: FileValue
  /// When the file was changed last in any way, as of its opening: a program can set the modification time back, but not this.
  private let changed: Int64

  /// Opens the file and compares it with `expected`; blocks.
  init(path: String, expected: FileValue) throws(ExchangeFailure) {
    // O_NONBLOCK: a pipe that has replaced the file must not block us forever.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR {
        throw .fileChanged("'\(expected.path)' no longer exists")
      }
      if errno == EMFILE || errno == ENFILE { throw .noDescriptor }
      throw .fileUnreadable("cannot read '\(expected.path)': \(Self.errorText)")
    }
    (self.descriptor, self.expected) = (descriptor, expected)
    do throws(ExchangeFailure) { changed = try Self.check(descriptor, expected) } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// Appends `count` bytes from `offset` to `buffer`; blocks.
  func read(into buffer: inout ByteBuffer, at offset: Int64, count: Int) throws(ExchangeFailure) {
    var read = 0
    while read < count {
      let rest = count - read
      let position = off_t(offset) + off_t(read)
      let got = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: rest) { space in
        max(0, pread(descriptor, space.baseAddress, rest, position))
      }
      guard got > 0 else {
        try checkUnchanged()
        throw .fileUnreadable("cannot read '\(expected.path)': \(Self.errorText)")
      }
      read += got
    }
  }

  func checkUnchanged() throws(ExchangeFailure) {
    guard try Self.check(descriptor, expected) == changed else {
      throw .fileChanged("'\(expected.path)' was changed while it was sent")
    }
  }

  /// Compares the open file with its description, and returns when it was changed last.
  private static func check(
    _ descriptor: Int32, _ expected: FileValue
  ) throws(ExchangeFailure) -> Int64 {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .fileUnreadable("cannot read '\(expected.path)': \(errorText)")
    }
    #if canImport(Glibc)
      let (modified, changed) = (nanoseconds(status.st_mtim), nanoseconds(status.st_ctim))
    #else
      let (modified, changed) = (nanoseconds(status.st_mtimespec), nanoseconds(status.st_ctimespec))
    #endif
    let size = Int64(status.st_size)
    let how: String
    if status.st_mode & S_IFMT != S_IFREG {
      how = "it is no longer a regular file"
    } else if size != expected.size {
      how = "it had \(expected.size) bytes and now has \(size)"
    } else if modified != expected.modified {
      how = "it was modified"
    } else {
      return changed
    }
    throw .fileChanged("'\(expected.path)' has changed since the run began: \(how)")
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  private static var errorText: String {
    let words = String(cString: strerror(errno))
    return words.prefix(1).lowercased() + words.dropFirst()
  }
}
