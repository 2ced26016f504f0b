/// An open source file that is the one that was enumerated: with the same size and, within a tick of the clock, the same time.
struct OpenSource: ~Copyable {
  private let descriptor: Descriptor
  private let file: FileValue
  /// The time of its last change of any kind, as of its opening.
  private var lastChange: Int64?

  init(_ descriptor: consuming Descriptor, is file: FileValue) throws(FileFailure) {
    self.descriptor = descriptor
    self.file = file
    lastChange = try check()
  }

  var raw: Int32 { descriptor.raw }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(FileFailure) -> Int {
    let count = retrying { pread(descriptor.raw, buffer.baseAddress, buffer.count, off_t(offset)) }
    guard count >= 0 else { throw FileFailure.system("cannot read", file.path, errno) }
    guard count > 0 else { throw changed("it ends at byte \(offset)") }
    return count
  }

  /// Compares the file's metadata with the enumerated ones; must be called before and after reading the bytes.
  func checkUnchanged() throws(FileFailure) {
    guard try check() == lastChange else { throw changed("it was changed while it was read") }
  }

  private func check() throws(FileFailure) -> Int64 {
    let status = try descriptor.status(file.path)
    if let how = status.difference(fromSize: file.size, modified: file.modified) {
      throw changed(how)
    }
    return status.changed
  }

  func content(offset: Int64, length: Int64) throws(FileFailure) -> FileContent {
    let status = try descriptor.status(file.path)
    return FileContent(
      path: file.path, device: Int64(bitPattern: status.device),
      inode: Int64(bitPattern: status.inode), size: status.size, modified: status.modified,
      offset: offset, length: length)
  }

  private func changed(_ how: String) -> FileFailure {
    FileFailure(
      .changed, message: "'\(file.path)' has changed since the run started: \(how)",
      source: file.path)
  }
}
