import PipelineCommands

/// Keeps other processes that ask for it out of a folder; the system releases it when the process ends.
final class FolderLock {
  private let descriptor: Int32

  /// Waits until no other process has the lock of the folder at `path`.
  init(_ path: String) throws(CommandFailure) {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    var isTaken = descriptor >= 0 && flock(descriptor, LOCK_EX) == 0
    while !isTaken, descriptor >= 0, errno == EINTR { isTaken = flock(descriptor, LOCK_EX) == 0 }
    guard isTaken else {
      throw CommandFailure(.environment, "cannot lock '\(path)': \(FileContents.reason(errno))")
    }
  }

  /// Takes the lock of the folder at `path`, unless another process has it.
  init?(ifFree path: String) throws(CommandFailure) {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CommandFailure(.environment, "cannot lock '\(path)': \(FileContents.reason(errno))")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Whether a process has the lock of the folder at `path`.
  static func isHeld(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0
  }
}
