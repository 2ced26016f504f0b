import PipelineCommands
import PipelineCore
import PipelineEngine
import PipelinePostgreSQL
import Synchronization

/// Says from time to time how far a run in a database is, whoever works on it.
final class DatabaseProgress: Sendable {
  private let database: RunDatabase
  private let run: StoredRun?
  private let mode: ProgressMode
  private let task = Mutex<Task<Void, Never>?>(nil)

  private static let interval: Duration = .seconds(5)

  init(_ database: RunDatabase, _ run: StoredRun?, _ mode: ProgressMode) {
    (self.database, self.run, self.mode) = (database, run, mode)
  }

  func begin() {
    guard mode.isTalkative, let run else { return }
    task.withLock {
      $0 = Task { [database] in
        while (try? await Task.sleep(for: Self.interval)) != nil {
          guard let shards = try? await database.runs.shards(of: run) else { continue }
          Terminal.error(Self.line(shards))
        }
      }
    }
  }

  func end() { task.withLock { $0?.cancel() } }

  private static func line(_ shards: [StoredShard]) -> String {
    var counts: [Item.Status: Int] = [:]
    for shard in shards {
      for status in Item.Status.allCases {
        counts[status, default: 0] += shard.summary.counts[status]
      }
    }
    counts = counts.filter { $0.value > 0 }
    let total = counts.values.reduce(0, +)
    let over = [Item.Status.done, .skipped, .cancelled, .failed].reduce(0) {
      $0 + (counts[$1] ?? 0)
    }
    let workers = Set(shards.compactMap(\.worker)).count
    return
      "\(total > 0 ? over * 100 / total : 0) %: \(ReportFormatting.counts(counts, isAtRest: false)); "
      + "\(ReportFormatting.count(shards.count { $0.worker != nil }, "shard")) of \(shards.count) at work, \(ReportFormatting.count(workers, "worker"))"
  }
}
