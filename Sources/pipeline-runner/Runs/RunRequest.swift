import Foundation
import PipelineCommands

/// What a process can ask of another that works on a run: a file in the run's folder, which stays until what it
/// asks for is durable.
///
/// Whoever works on the run honours it, also one that takes the run over later.
enum RunRequest: String {
  case pause, cancel

  private func path(in folder: RunFolder) -> String { folder.path + "/request-\(rawValue)" }

  /// Leaves the request where the process that works on the run finds it; durable when the call returns.
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

  /// Whether the request waits to be honoured.
  func isLeft(for folder: RunFolder) -> Bool { access(path(in: folder), F_OK) == 0 }

  /// Takes the request back, because it was honoured or cannot be.
  func remove(for folder: RunFolder) { unlink(path(in: folder)) }
}
