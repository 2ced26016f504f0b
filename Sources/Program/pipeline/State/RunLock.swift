/// Keeps other processes from working on the same run; released when the process ends, however it ends.
final class RunLock {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  static func take(
    _ folder: RunFolder, else hint: String? = nil
  ) throws(CommandFailure) -> RunLock {
    guard let lock = try takeIfFree(folder) else {
      let holder = Self.holder(of: folder).map { " (process \($0))" } ?? ""
      throw CommandFailure.environment(
        "run '\(folder.id)' is being worked on by another process\(holder); "
          + (hint ?? "`\(folder.command("status"))` shows its progress"))
    }
    return lock
  }

  /// Acquires the lock of `folder`, which only its user can; `nil` if another process holds it.
  static func takeIfFree(_ folder: RunFolder) throws(CommandFailure) -> RunLock? {
    let descriptor = open(folder.lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure.environment(
        "cannot write '\(folder.lockPath)': \(FileContents.reason(errno)); working on a run needs write "
          + "permission in its folder")
    }
    // Another process may hold it briefly, just to look.
    var isTaken = flock(descriptor, LOCK_EX | LOCK_NB) == 0
    for _ in 0..<5 where !isTaken {
      usleep(2000)
      isTaken = flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }
    guard isTaken else {
      close(descriptor)
      return nil
    }
    guard isPlace(folder.lockPath, of: descriptor) else {
      close(descriptor)
      throw CommandFailure.invalid("run '\(folder.id)' was removed by another process")
    }
    PrivateProcess.keep(folder)
    let text = "\(getpid())\n"
    ftruncate(descriptor, 0)
    _ = text.withCString { write(descriptor, $0, strlen($0)) }
    return RunLock(descriptor)
  }

  /// Whether the open file is still where it was opened: a run that is removed moves away under its lock.
  private static func isPlace(_ path: String, of descriptor: Int32) -> Bool {
    var (there, opened) = (stat(), stat())
    return stat(path, &there) == 0 && fstat(descriptor, &opened) == 0
      && there.st_ino == opened.st_ino && there.st_dev == opened.st_dev
  }

  static func isHeld(_ folder: RunFolder) -> Bool {
    folder.shard.map { $0.worker != nil } ?? FolderLock.isHeld(folder.lockPath)
  }

  /// The process that holds the lock, if it has recorded itself.
  static func holder(of folder: RunFolder) -> Int? {
    guard let file = fopen(folder.lockPath, "r") else { return nil }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 32)
    guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
    let text = buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
    return Int(String(decoding: text, as: UTF8.self))
  }
}

/// A request to any process that works on a run: a file in the run's folder, which stays until the requested change is durable.
enum RunRequest: String {
  case pause, cancel

  private func path(in folder: RunFolder) -> String { folder.path + "/request-\(rawValue)" }

  /// Writes the request where the process that works on the run finds it; it is durable when the call returns.
  func leave(for folder: RunFolder) throws(CommandFailure) {
    let descriptor = open(path(in: folder), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure.environment(
        "cannot write to '\(folder.path)': \(FileContents.reason(errno))")
    }
    fsync(descriptor)
    close(descriptor)
    RunFolder.sync(folder.path)
  }

  func isLeft(for folder: RunFolder) -> Bool { access(path(in: folder), F_OK) == 0 }
  func remove(for folder: RunFolder) { unlink(path(in: folder)) }
}

/// Keeps other processes that ask for it out of a folder; the system releases it when the process ends.
final class FolderLock {
  private let descriptor: Int32

  /// Waits until no other process has the lock of the folder at `path`.
  init(_ path: String) throws(CommandFailure) {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    var isTaken = descriptor >= 0 && flock(descriptor, LOCK_EX) == 0
    while !isTaken, descriptor >= 0, errno == EINTR { isTaken = flock(descriptor, LOCK_EX) == 0 }
    guard isTaken else {
      throw CommandFailure.environment("cannot lock '\(path)': \(FileContents.reason(errno))")
    }
  }

  /// Acquires the lock of the folder at `path`, unless another process has it.
  init?(ifFree path: String) throws(CommandFailure) {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CommandFailure.environment("cannot lock '\(path)': \(FileContents.reason(errno))")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Whether a process has the lock of the folder or the file at `path`.
  static func isHeld(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0
  }
}
