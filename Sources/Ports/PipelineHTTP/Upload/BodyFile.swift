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
      throw .fileUnreadable("cannot read '\(expected.path)': \(errorText(errno))")
    }
    (self.descriptor, self.expected) = (descriptor, expected)
    do throws(ExchangeFailure) {
      changed = try Self.check(descriptor, expected)
      var byte: UInt8 = 0
      if expected.size == 0, pread(descriptor, &byte, 1, 0) > 0 {
        // As in /proc, where the content is made when it is read.
        throw .fileUnreadable("cannot read '\(expected.path)': its size is 0, but it has content")
      }
    } catch {
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
        throw .fileUnreadable("cannot read '\(expected.path)': \(errorText(errno))")
      }
      read += got
    }
  }

  func checkUnchanged() throws(ExchangeFailure) {
    guard try Self.check(descriptor, expected) == changed
    else { throw .fileChanged("'\(expected.path)' was changed while it was sent") }
  }

  /// Compares the open file with its description, and returns when it was changed last.
  private static func check(
    _ descriptor: Int32, _ expected: FileValue
  ) throws(ExchangeFailure) -> Int64 {
    guard let status = FileStatus(of: descriptor)
    else { throw .fileUnreadable("cannot read '\(expected.path)': \(errorText(errno))") }
    if let how = status.difference(fromSize: expected.size, modified: expected.modified) {
      throw .fileChanged("'\(expected.path)' has changed since the run started: \(how)")
    }
    return status.changed
  }
}
