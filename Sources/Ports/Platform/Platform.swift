// The only file of the ports and the demo server that imports the system's libraries; its importers see them.
#if canImport(FoundationEssentials)
  @_exported import FoundationEssentials
#else
  @_exported import Foundation
#endif
#if canImport(Glibc)
  @_exported import Glibc
#else
  @_exported import Darwin
#endif

/// The metadata of a file.
package struct FileStatus: Hashable {
  package let size: Int64
  /// Nanoseconds since 1970 UTC.
  package let modified: Int64
  /// The time of the last change of any kind, which no program can set back.
  package let changed: Int64
  /// Number of the file on its device.
  package let inode, device: UInt64
  private let format: mode_t

  package init(_ raw: stat) {
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

  /// The file of an open descriptor; `nil` leaves the reason in `errno`.
  package init?(of descriptor: Int32) {
    var raw = stat()
    guard fstat(descriptor, &raw) == 0 else { return nil }
    self.init(raw)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  package var isRegular: Bool { format == S_IFREG }
  package var isDirectory: Bool { format == S_IFDIR }
  package var isSymbolicLink: Bool { format == S_IFLNK }

  /// How the file has changed since it was enumerated; `nil` if it has not.
  package func difference(fromSize size: Int64, modified: Int64) -> String? {
    if !isRegular { return "it is no longer a regular file" }
    if self.size != size { return "it had \(size) bytes and now has \(self.size)" }
    return self.modified == modified ? nil : "it was modified"
  }
}

/// The operating system's message for the error `code`, starting in lower case.
package func errorText(_ code: Int32) -> String {
  guard let text = strerror(code) else { return "error \(code)" }
  let words = String(cString: text)
  return words.prefix(1).lowercased() + words.dropFirst()
}
