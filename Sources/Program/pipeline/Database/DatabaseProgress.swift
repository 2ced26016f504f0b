/// Reports periodically the progress of a run in a database, by all workers.
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
    guard mode.isTalkative || mode == .json, let run else { return }
    task.withLock {
      $0 = Task { [database, mode] in
        // Programs get a line at once.
        var isFirst = mode == .json
        var last: String?
        while true {
          if !isFirst, (try? await Task.sleep(for: Self.interval)) == nil { return }
          isFirst = false
          guard let shards = try? await database.runs.shards(of: run) else { continue }
          if mode == .json {
            Terminal.print(EncodedJSON.of(Self.line(run, shards)))
          } else {
            let text = Self.text(shards)
            if text != last || shards.contains(where: { $0.worker != nil }) { Terminal.error(text) }
            last = text
          }
        }
      }
    }
  }

  func end() { task.withLock { $0?.cancel() } }

  private static func line(_ run: StoredRun, _ shards: [StoredShard]) -> WorkerProgressForm {
    WorkerProgressForm {
      $0.run = run.id.rawValue
      $0.items = ReportFormatting.items(shards.map(\.summary.counts).sums, isAtRest: false)
      $0.shards = run.shards
      $0.shards_at_work = shards.count { $0.worker != nil }
      $0.workers = Set(shards.compactMap(\.worker)).count
    }
  }

  private static func text(_ shards: [StoredShard]) -> String {
    let counts = shards.map(\.summary.counts).sums
    let total = counts.values.reduce(0, +)
    let over = [Item.Status.done, .skipped].reduce(0) { $0 + (counts[$1] ?? 0) }
    let workers = Set(shards.compactMap(\.worker)).count
    return
      "\(total > 0 ? over * 100 / total : 0) %: \(ReportFormatting.counts(counts, isAtRest: workers == 0)); "
      + "\(ReportFormatting.count(shards.count { $0.worker != nil }, "shard")) of \(shards.count) at work, \(ReportFormatting.count(workers, "worker"))"
  }
}
