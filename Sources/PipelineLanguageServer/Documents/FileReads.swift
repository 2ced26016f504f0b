import Synchronization

/// The absolute paths of the files that one analysis has asked for.
final class FileReads: Sendable {
  private let paths = Mutex<Set<String>>([])

  func note(_ path: String) { paths.withLock { _ = $0.insert(path) } }
  func contains(_ path: String) -> Bool { paths.withLock { $0.contains(path) } }
}
