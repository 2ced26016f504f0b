import PipelineCommands
import PipelineCore
import Synchronization

/// The progress of a run for other processes: a file in its folder.
///
/// It is not durable, because only what is true now matters; whether a process still works on the run, its lock tells. The last
/// of it stays, so that who watched misses nothing.
final class SharedProgress: Sendable {
  /// Work changes ten times a second; a person who watches needs less.
  private static let interval: Duration = .milliseconds(250)

  private let folder: RunFolder
  private let last = Mutex<ContinuousClock.Instant?>(nil)

  init(_ folder: RunFolder) {
    self.folder = folder
    // What an earlier process has left is not true any more.
    unlink(Self.path(in: folder))
  }

  private static func path(in folder: RunFolder) -> String { folder.path + "/progress.json" }

  /// Replaces what other processes read, unless that was done just now.
  func write(_ facts: ProgressFacts) {
    let isDue = last.withLock { last in
      let now = ContinuousClock.now
      if !facts.isAtRest, let last, now - last < Self.interval { return false }
      last = now
      return true
    }
    guard isDue else { return }
    let (path, next) = (Self.path(in: folder), Self.path(in: folder) + ".next")
    // A process that cannot write shows its progress all the same.
    guard let file = fopen(next, "we") else { return }
    let isWhole = EncodedJSON.of(facts).withCString { fputs($0, file) } >= 0
    guard fclose(file) == 0, isWhole else { return }
    rename(next, path)
  }

  /// What the process that works on a run has written last; `nil` if it has written nothing yet.
  static func read(_ folder: RunFolder) -> ProgressFacts? {
    guard let data = try? Data(contentsOf: URL(filePath: path(in: folder))) else { return nil }
    return try? JSONDecoder().decode(ProgressFacts.self, from: data)
  }
}
