/// A user's file, which the engine reads and never writes.
public enum SourceFile {
  /// Describes the regular file at `path`; links are followed.
  public static func describe(_ path: String, in base: String) throws(FileFailure) -> FileValue {
    let absolute = absolutePath(path, in: base)
    guard !path.isEmpty, !path.utf8.contains(0)
    else { throw FileFailure(.missing, message: "'\(path)' is not a valid path") }
    var raw = stat()
    guard stat(absolute, &raw) == 0
    else { throw FileFailure.system("cannot read", absolute, errno) }
    let status = FileStatus(raw)
    guard status.isRegular else {
      let noun = status.isDirectory ? "a folder" : "not a regular file"
      throw FileFailure(.system, message: "'\(absolute)' is \(noun), expected a file")
    }
    guard access(absolute, R_OK) == 0
    else { throw FileFailure.system("cannot read", absolute, errno) }
    return value(path: absolute, status: status)
  }

  /// The same, or, if it exists and cannot be read, the file with its ``/PipelineCore/FileValue/problem``.
  static func describeNamed(_ path: String, in base: String) throws(FileFailure) -> FileValue {
    do throws(FileFailure) { return try describe(path, in: base) } catch {
      guard error.kind != .missing else { throw error }
      return unreadable(absolutePath(path, in: base), error)
    }
  }

  /// The SHA-256 of a user's file, which must not have changed.
  public static func sha256(of file: FileValue) throws(FileFailure) -> String {
    // O_NONBLOCK, because a user's file that was replaced by a pipe would block forever.
    let source = try OpenSource(
      Descriptor(file.path, O_RDONLY | O_NONBLOCK, "cannot read", file.path, source: file.path),
      is: file)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    var digester = Digester([.sha256])
    var offset: Int64 = 0
    while offset < file.size {
      let count = try source.read(into: buffer, at: offset)
      digester.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += Int64(count)
    }
    try source.checkUnchanged()
    return digester.finish()[.sha256] ?? ""
  }

  /// This machine's copy of a file of another machine, if only its time differs, and it has the digest that was recorded of the other.
  public static func copy(of file: FileValue) -> FileValue? {
    guard let digest = file.digests[.sha256], file.isUsers, file.problem == nil,
      let here = try? describe(file.path, in: "/"), here.size == file.size,
      here.modified != file.modified, (try? sha256(of: here)) == digest
    else { return nil }
    return file.with(modified: here.modified)
  }

  /// Something that was named and cannot be read.
  public static func unreadable(_ path: String, _ failure: FileFailure) -> FileValue {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return FileValue(path: path, name: name, size: 0, modified: 0, problem: failure.message)
  }

  /// Why a name that is not UTF-8 cannot be sent: no expression and no server could have it.
  public static let notUTF8 = FileFailure(.system, message: "its name is not UTF-8")

  static let irregular = FileFailure(.system, message: "it is a pipe, a socket or a device")

  /// A name that is not UTF-8, with all bytes outside ASCII as `\xE9`.
  public static func escaped(_ name: some Sequence<UInt8>) -> String {
    name.reduce(into: "") { text, byte in
      text +=
        byte < 0x80
        ? String(Unicode.Scalar(byte)) : "\\x" + String(byte, radix: 16, uppercase: true)
    }
  }

  /// The path without links; `nil` if it leads nowhere.
  static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(validatingCString: resolved)
  }

  static func absolutePath(_ path: String, in base: String) -> String {
    if path.utf8.first == UInt8(ascii: "/") { return path }
    return base.utf8.last == UInt8(ascii: "/") ? base + path : base + "/" + path
  }

  static func value(path: String, status: FileStatus) -> FileValue {
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map {
      String(path[path.utf8.index(after: $0)...])
    }
    return FileValue(
      path: path, name: name ?? path, size: status.size, modified: status.modified,
      contentType: MediaType.guess(fromName: name ?? path))
  }
}
