import PipelineCommands

/// A request from one process to the one that works on a run: a file in the run's folder, which stays until the
/// requested change is durable.
///
/// Any process that works on the run honours it, even one that takes the run over later.
enum RunRequest: String {
  case pause, cancel

  private func path(in folder: RunFolder) -> String { folder.path + "/request-\(rawValue)" }

  /// Writes the request where the process that works on the run finds it; it is durable when the call returns.
  func leave(for folder: RunFolder) throws(CommandFailure) {
    let path = path(in: folder)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure(
        .environment, "cannot write to '\(folder.path)': \(FileContents.reason(errno))")
    }
    fsync(descriptor)
    close(descriptor)
    RunFolder.sync(folder.path)
  }

  func isLeft(for folder: RunFolder) -> Bool { access(path(in: folder), F_OK) == 0 }

  func remove(for folder: RunFolder) { unlink(path(in: folder)) }
}
