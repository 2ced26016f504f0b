/// A file to which many tasks append whole lines; it is closed with its last owner.
final class JournalFile: Sendable {
  private let descriptor: Int32

  init(path: String) throws(DemoServerError) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw DemoServerError("cannot open the journal file", errno) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Appends one line with one write, which the system keeps in one piece, so no lock is needed.
  func append(_ line: [UInt8]) { _ = line.withUnsafeBytes { writeAll($0, to: descriptor) } }
}

/// Whether all bytes were written; otherwise `errno` contains the reason.
func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
  var written = 0
  while written < bytes.count {
    let count = write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
    if count > 0 { written += count } else if errno != EINTR { return false }
  }
  return true
}
