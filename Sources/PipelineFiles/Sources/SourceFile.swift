/// A user's file, which the engine reads and never writes.
public enum SourceFile {
  /// Describes the regular file at `path`; links are followed.
  public static func describe(_ path: String, in base: String) throws(FileFailure) -> FileValue {
    let absolute = absolutePath(path, in: base)
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw FileFailure(.missing, message: "'\(path)' is not a valid path")
    }
    var raw = stat()
    guard stat(absolute, &raw) == 0 else {
      throw FileFailure.system("cannot read", absolute, errno)
    }
    let status = FileStatus(raw)
    guard status.isRegular else {
      let noun = status.isDirectory ? "a folder" : "not a regular file"
      throw FileFailure(.system, message: "'\(absolute)' is \(noun), expected a file")
    }
    guard access(absolute, R_OK) == 0 else {
      throw FileFailure.system("cannot read", absolute, errno)
    }
    return value(path: absolute, status: status)
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
