/// The type of a folder's entry, as far as the folder itself contains it.
enum EntryKind: UInt8 {
  case file, folder, symbolicLink
  /// A socket, a pipe, a device.
  case other
}

struct OpenFolder: ~Copyable {
  private let stream: DirectoryStream
  let descriptor: Int32

  /// Opens `name` in `parent`; `nil` leaves the reason in `errno`.
  init?(_ name: UnsafePointer<CChar>, in parent: Int32, followingLinks: Bool) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followingLinks ? 0 : O_NOFOLLOW)
    let raw = retrying { openat(parent, name, flags) }
    guard raw >= 0 else { return nil }
    guard let stream = fdopendir(raw) else {
      close(raw)
      return nil
    }
    self.stream = stream
    descriptor = raw
  }

  deinit { closedir(stream) }

  /// Reads the entries that `isWanted`, without `.` and `..`, and returns the error that ended the reading early, or 0.
  func read(
    into listing: inout DirectoryListing,
    where isWanted: (UnsafeBufferPointer<UInt8>, EntryKind) -> Bool = { _, _ in true }
  ) -> Int32 {
    while true {
      errno = 0
      guard let entry = readdir(stream) else { return errno }
      withUnsafePointer(to: &entry.pointee.d_name) { field in
        let start = UnsafeRawPointer(field).assumingMemoryBound(to: UInt8.self)
        let name = UnsafeBufferPointer(
          start: start, count: strlen(UnsafeRawPointer(field).assumingMemoryBound(to: CChar.self)))
        if name.count <= 2, name.allSatisfy({ $0 == UInt8(ascii: ".") }) { return }
        let kind = entryKind(of: name, type: Int32(entry.pointee.d_type))
        if isWanted(name, kind) { listing.append(name, kind) }
      }
    }
  }

  private func entryKind(of name: UnsafeBufferPointer<UInt8>, type: Int32) -> EntryKind {
    switch type {
    case Int32(DT_REG): return .file
    case Int32(DT_DIR): return .folder
    case Int32(DT_LNK): return .symbolicLink
    case Int32(DT_UNKNOWN):
      // Some file systems do not report the type.
      var raw = stat()
      guard let start = name.baseAddress,
        fstatat(
          descriptor, UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self), &raw,
          AT_SYMLINK_NOFOLLOW) == 0
      else { return .other }
      let status = FileStatus(raw)
      if status.isRegular { return .file }
      if status.isDirectory { return .folder }
      return status.isSymbolicLink ? .symbolicLink : .other
    default: return .other
    }
  }
}

#if canImport(Glibc)
  private typealias DirectoryStream = OpaquePointer
#else
  private typealias DirectoryStream = UnsafeMutablePointer<DIR>
#endif

/// Names of a folder's entries, packed into one block: a folder may hold a million.
struct DirectoryListing {
  private struct Entry {
    let offset: Int
    let length: UInt16
    let kind: EntryKind
  }

  /// The names, each followed by NUL, so that they can be passed to the system directly.
  private var names: [UInt8] = []
  private var entries: [Entry] = []
  var count: Int { entries.count }

  mutating func append(_ name: some Collection<UInt8>, _ kind: EntryKind) {
    entries.append(Entry(offset: names.count, length: UInt16(clamping: name.count), kind: kind))
    names.append(contentsOf: name)
    names.append(0)
  }

  mutating func sort() {
    names.withUnsafeBytes { names in
      guard let base = names.baseAddress else { return }
      entries.sort { left, right in
        let shorter = Int(min(left.length, right.length))
        let order = memcmp(base + left.offset, base + right.offset, shorter)
        return order == 0 ? left.length < right.length : order < 0
      }
    }
  }

  func kind(at index: Int) -> EntryKind { entries[index].kind }

  /// Passes the name without its NUL; a NUL follows.
  func withName<Result, Failure: Error>(
    at index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let entry = entries[index]
    return try names.withUnsafeBufferPointer { names throws(Failure) in
      try body(
        UnsafeBufferPointer(rebasing: names[entry.offset..<entry.offset + Int(entry.length)]))
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The name for the system; only for names of a ``DirectoryListing``, which are never empty and end in a NUL.
  func withSystemName<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result? {
    guard let baseAddress else { return nil }
    return body(UnsafeRawPointer(baseAddress).assumingMemoryBound(to: CChar.self))
  }
}
