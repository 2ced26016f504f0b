/// Reads whole files; a failure carries the system's own reason.
package enum FileContents {
  /// Why a file cannot be read, without a final full stop.
  package struct Problem: Error { package let reason: String }

  /// The text with a leading `~`, by itself or before a slash, replaced by the home folder.
  package static func withHome(_ text: String) -> String {
    guard text == "~" || text.hasPrefix("~/"), let home = Terminal.environment("HOME") else {
      return text
    }
    return home + text.dropFirst()
  }

  /// The bytes of the file that an argument names; `-` is standard input; at most `limit` are read.
  package static func argument(
    _ file: String, atMost limit: Int = .max
  ) throws(CommandFailure) -> [UInt8] {
    do throws(Problem) {
      return file == "-"
        ? try bytes(of: STDIN_FILENO, atMost: limit) : try bytes(file, atMost: limit)
    } catch { throw CommandFailure.invalid("cannot read '\(file)': \(error.reason)") }
  }

  package static func bytes(_ path: String, atMost limit: Int = .max) throws(Problem) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Problem(reason: reason(errno)) }
    defer { close(descriptor) }
    return try bytes(of: descriptor, atMost: limit)
  }

  /// The bytes of a regular file that a document names, which must be below `root` after following all links, with at most `limit` bytes.
  package static func bytes(
    _ path: String, below root: String, atMost limit: Int
  ) throws(Problem) -> [UInt8] {
    // Checked before existence, so that the message does not reveal which files exist.
    guard try isBelow(destination(path), root) else {
      throw Problem(reason: "it is outside '\(root)'")
    }
    let path = try resolved(path)
    guard try isBelow(path, root) else { throw Problem(reason: "it is outside '\(root)'") }
    // Do not wait for a pipe that has no writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw Problem(reason: reason(errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Problem(reason: reason(errno)) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Problem(reason: "it is not a regular file")
    }
    let large = Problem(reason: "it has more than \(limit) bytes")
    guard status.st_size <= limit else { throw large }
    // A file may grow, and system files report no size.
    let bytes = try bytes(of: descriptor, atMost: limit + 1)
    guard bytes.count <= limit else { throw large }
    return bytes
  }

  package static func isBelow(_ path: String, _ root: String) throws(Problem) -> Bool {
    let root = try resolved(root)
    return root == "/" || path.hasPrefix(root + "/")
  }

  /// The names in a folder below `root`, those of folders with a slash at their end; none if it cannot be read.
  package static func names(in folder: String, below root: String) -> [String] {
    guard let path = try? resolved(folder), let root = try? resolved(root),
      path == root || root == "/" || path.hasPrefix(root + "/"), let stream = opendir(path)
    else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: entry.pointee.d_name) { place in
        place.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      var status = stat()
      let isFolder = stat("\(path)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      names.append(isFolder ? name + "/" : name)
    }
    return names
  }

  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// The absolute path of the running program; `nil` if the system does not report it.
  package static var program: String? {
    // Where there is no `/proc`, the first argument has the path, unless a shell looked it up.
    (try? resolved("/proc/self/exe")) ?? (try? resolved(CommandLine.arguments[0]))
  }

  package static func resolved(_ path: String) throws(Problem) -> String {
    guard let found = realpath(path, nil) else { throw Problem(reason: reason(errno)) }
    defer { free(found) }
    return String(cString: found)
  }

  /// The path with links resolved in the part that exists, followed by the rest.
  package static func destination(_ path: String, links: Int = 40) -> String {
    if let found = try? resolved(path) { return found }
    let components = path.split(separator: "/", omittingEmptySubsequences: true)
    guard let last = components.last, path != "." else { return path }
    let start = path.hasPrefix("/") ? "/" : ""
    let folder = start + components.dropLast().joined(separator: "/")
    if links > 0, let target = target(ofLink: path) {
      let next = target.hasPrefix("/") ? target : (folder.isEmpty ? "." : folder) + "/" + target
      return destination(next, links: links - 1)
    }
    let parent = destination(folder.isEmpty ? (start.isEmpty ? "." : "/") : folder, links: links)
    guard last != ".." else {
      return "/" + parent.split(separator: "/").dropLast().joined(separator: "/")
    }
    return parent == "/" ? "/\(last)" : "\(parent)/\(last)"
  }

  /// The target of a symbolic link; `nil` for anything else.
  private static func target(ofLink path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    guard count >= 0 else { return nil }
    return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Writes text to the file at `path`, or to standard output if that is `-`.
  package static func write(_ text: String, to path: String) throws(CommandFailure) {
    if path == "-" { return Terminal.write(text, to: STDOUT_FILENO) }
    try OutputFile(path).write(text)
  }

  /// Writes all of a text; returns the system's error, or 0.
  package static func write(_ text: String, to descriptor: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  /// Writes all bytes; returns the system's error, or 0.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var offset = 0
    while offset < bytes.count {
      let count = systemWrite(
        descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
      if count < 0, errno != EINTR, errno != EAGAIN { return errno }
      offset += max(count, 0)
    }
    return 0
  }

  package static func systemWrite(
    _ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int
  ) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, start, count)
    #else
      Darwin.write(descriptor, start, count)
    #endif
  }

  /// The bytes that can be read from a descriptor until its end.
  package static func bytes(
    of descriptor: Int32, atMost limit: Int = .max
  ) throws(Problem) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count > 0 {
        bytes += buffer[..<count]
        if bytes.count >= limit { return bytes }
      } else if errno != EINTR {
        throw Problem(reason: reason(errno))
      }
    }
  }

  /// The system's description of an error, worded for the middle of a sentence.
  package static func reason(_ code: Int32) -> String {
    switch code {
    case ENOENT: return "no such file or folder"
    case EISDIR: return "it is a folder"
    default:
      let text = String(cString: strerror(code))
      return text.prefix(1).lowercased() + text.dropFirst()
    }
  }
}
