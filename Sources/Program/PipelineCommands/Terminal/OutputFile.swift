/// A file that an option names for output: it is replaced as a whole, through a link if need be; a device or a pipe is written to.
package struct OutputFile: Sendable {
  /// As it was named.
  package let path: String
  /// How messages introduce the path, such as `the heartbeat to `; empty if the path is clear enough.
  private let content: String
  private let place: String
  private let isReplaced: Bool

  /// Describes the file at `path`, which need not exist.
  package init(_ path: String, of content: String? = nil) {
    self.path = path
    self.content = content.map { "the \($0) to " } ?? ""
    var status = stat()
    let isOther = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    // The names of open descriptors: their openers keep them.
    isReplaced = !isOther && !path.hasPrefix("/dev/") && !path.hasPrefix("/proc/")
    place = isReplaced ? FileContents.destination(path) : path
  }

  /// Whether a regular file is there, whose contents would be lost.
  package var isFile: Bool { isReplaced && access(place, F_OK) == 0 }

  /// Why the file could not be written now, without a final full stop; `nil` if nothing prevents it.
  package var obstacle: String? {
    var status = stat()
    let exists = stat(place, &status) == 0
    if exists, status.st_mode & S_IFMT == S_IFDIR { return "it is a folder" }
    if exists, access(place, W_OK) != 0 { return FileContents.reason(errno) }
    guard isReplaced else { return exists ? nil : FileContents.reason(ENOENT) }
    let folder = place.split(separator: "/").dropLast().joined(separator: "/")
    guard access((place.hasPrefix("/") ? "/" : "./") + folder, W_OK) != 0 else { return nil }
    return "cannot write to its folder: \(FileContents.reason(errno))"
  }

  /// Writes what `body` puts, line by line: all of it, or nothing.
  package func write(
    _ body: (@escaping (String) -> Void) async throws -> Void
  ) async throws {
    let file = try begin()
    var code: Int32 = 0
    do {
      try await body { line in if code == 0, fputs(line + "\n", file) < 0 { code = errno } }
    } catch {
      fclose(file)
      if isReplaced { unlink(temporary) }
      throw error
    }
    try finish(file, code)
  }

  /// Writes a whole text, or nothing.
  package func write(_ text: String) throws(CommandFailure) {
    let file = try begin()
    try finish(file, FileContents.write(text, to: fileno(file)))
  }

  private var temporary: String { isReplaced ? "\(place).\(getpid()).part" : place }

  private func begin() throws(CommandFailure) -> UnsafeMutablePointer<FILE> {
    var status = stat()
    // A program must not gain or lose the right to read what it replaces.
    let mode = stat(place, &status) == 0 ? status.st_mode & 0o777 : nil
    let descriptor = open(
      temporary,
      isReplaced ? O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC : O_WRONLY | O_NONBLOCK | O_CLOEXEC,
      0o666)
    guard descriptor >= 0, let file = fdopen(descriptor, "w") else { throw failure(errno) }
    if isReplaced, let mode { _ = fchmod(descriptor, mode) }
    // Only opening must not wait, for a pipe that no one reads.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    return file
  }

  /// Closes the file, and puts it in place unless `code`, an error of the system, is not 0.
  private func finish(
    _ file: UnsafeMutablePointer<FILE>, _ code: Int32
  ) throws(CommandFailure) {
    var code = code
    func note(_ isDone: Bool) { if !isDone, code == 0 { code = errno } }
    note(fflush(file) == 0)
    if isReplaced { note(fsync(fileno(file)) == 0) }
    note(fclose(file) == 0)
    if isReplaced, code == 0 { note(rename(temporary, place) == 0) }
    guard code != 0 else { return }
    if isReplaced { unlink(temporary) }
    throw failure(code)
  }

  private func failure(_ code: Int32) -> CommandFailure {
    let reason = code == ENXIO ? "no program reads from it" : FileContents.reason(code)
    return CommandFailure.environment("cannot write \(content)'\(path)': \(reason)")
  }
}
