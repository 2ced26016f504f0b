struct DatabaseControl {
  let database: RunDatabase

  /// Asks all workers to stop working on a run, and waits some seconds for them.
  func pause(_ name: String?) async throws {
    let run = try await database.find(name)
    if let word = try await DatabaseRuns(database: database).end(of: run) {
      return Terminal.print("run '\(run.displayName)' is \(word); there is nothing to stop")
    }
    try await database.runs.pause(run, RunReport.pausedByUser)
    for _ in 0..<100 where try await workers(of: run) > 0 {
      try await Task.sleep(for: .milliseconds(100))
    }
    let working = try await workers(of: run)
    let state =
      working == 0
      ? "is paused"
      : "will be paused when its workers have seen the request (\(ReportFormatting.count(working, "shard")) at work)"
    Terminal.print(
      "run '\(run.displayName)' \(state); continue with `\(database.command(["resume", run.displayName]))`"
    )
  }

  /// Shows the progress of a run, by all workers, until nothing is left to do.
  func attach(_ name: String?, _ mode: ProgressMode, _ format: ReportFormat) async throws {
    let run = try await database.find(name)
    let progress = DatabaseProgress(database, run, mode)
    progress.begin()
    while try await !database.runs.isAtRest(run) { try await Task.sleep(for: .seconds(1)) }
    progress.end()
    let report = try await ShardedReport(DatabaseView(database).shards(of: run))
    report.print(after: mode, format)
    if !report.isComplete { throw CommandFailure(.incomplete) }
  }

  private func workers(of run: StoredRun) async throws -> Int {
    try await database.runs.shards(of: run).count { $0.worker != nil }
  }
}

struct DatabaseRuns {
  let database: RunDatabase

  /// - Parameter statuses: Only runs in one of these states, in words; empty means all.
  func print(_ format: ReportFormat, pipeline: String?, statuses: [RunStatusName]) async throws {
    var rows: [DatabaseRunForm] = []
    for run in try await database.runs.all() where pipeline == nil || run.pipeline == pipeline {
      let row = Self.row(run, try await database.runs.shards(of: run))
      if statuses.isEmpty || statuses.contains(where: row.isIn) { rows.append(row) }
    }
    guard format == .text else { return Terminal.print(EncodedJSON.of(rows)) }
    guard !rows.isEmpty else {
      let isFiltered = pipeline != nil || !statuses.isEmpty
      return Terminal.print("no \(isFiltered ? "such " : "")runs in the database")
    }
    let titles = ["RUN", "STATE", "SHARDS", "AT WORK", "PIPELINE", "NAME", "ITEMS"]
    let columns = rows.map { row in
      [
        row.run, row.status, "\(row.shards)", "\(row.shards_at_work)", row.pipeline,
        row.name ?? "-", ReportFormatting.counts(row.items),
      ]
    }
    TextTable.lines(titles, columns).forEach(Terminal.print)
  }

  func remove(_ names: [String], isForced: Bool) async throws {
    var found: [StoredRun] = []
    for name in names {
      let run = try await database.find(name)
      guard !found.contains(where: { $0.id == run.id }) else { continue }
      if !isForced { try await refuseUnfinished(run) }
      found.append(run)
    }
    for run in found {
      guard try await database.runs.remove(run) else {
        throw CommandFailure.environment(
          "run '\(run.displayName)' is being worked on; pause it first: `\(database.command(["pause", run.displayName]))`"
        )
      }
      Terminal.print("run '\(run.id)' removed")
    }
  }

  /// Removes finished runs that are old, the oldest first.
  func prune(_ retention: Retention, _ pipeline: String?, isForced: Bool, isDry: Bool) async throws
  {
    var finished: [(run: StoredRun, ended: Instant)] = []
    for run in try await database.runs.all() where pipeline == nil || run.pipeline == pipeline {
      let shards = try await database.runs.shards(of: run)
      guard shards.allSatisfy({ $0.worker == nil }) else { continue }
      if !isForced, (try? await refuseUnfinished(run)) == nil { continue }
      let ends = shards.map { $0.summary.ended ?? $0.summary.began }
      finished.append((run, ends.max() ?? .wallClock))
    }
    var count = 0
    for (run, ended) in finished.dropLast(retention.count ?? 0)
    where retention.age.map({ Instant.wallClock - ended >= $0 }) ?? true {
      if !isDry, try await !database.runs.remove(run) { continue }
      count += 1
      Terminal.print("\(run.id)  \(run.displayName)")
    }
    Terminal.print(
      "\(ReportFormatting.count(count, "run")) \(isDry ? "would be removed" : "removed")")
  }

  /// Refuses to remove runs that some command could still continue or undo.
  private func refuseUnfinished(_ run: StoredRun) async throws {
    guard let word = try await end(of: run) else {
      let state = Self.status(run, try await database.runs.shards(of: run))
      throw CommandFailure.invalid(
        "run '\(run.displayName)' is \(state); --force removes it anyway")
    }
    let report = try await ShardedReport(DatabaseView(database).shards(of: run))
    guard let rest = report.rest else { return }
    let verb = word == "cancelled" ? "cancel" : "retry"
    throw CommandFailure.invalid(
      "run '\(run.displayName)' is not complete (\(rest)): `\(database.command([verb, run.displayName]))` retries it, --force removes it anyway"
    )
  }

  /// How a run has ended, in one word; `nil` if it has not, or if it is asked to continue.
  func end(of run: StoredRun) async throws -> String? {
    let shards = try await database.runs.shards(of: run)
    guard shards.allSatisfy({ $0.wish == nil && $0.worker == nil }) else { return nil }
    let word = Self.status(run, shards)
    return ["finished", "cancelled"].contains(word) ? word : nil
  }

  private static func row(_ run: StoredRun, _ shards: [StoredShard]) -> DatabaseRunForm {
    let counts = shards.map(\.summary.counts).sums
    let working = shards.count { $0.worker != nil }
    return DatabaseRunForm {
      $0.run = run.id.rawValue
      $0.name = run.name
      $0.pipeline = run.pipeline
      $0.status = status(run, shards)
      $0.shards = run.shards
      $0.shards_at_work = working
      $0.items = ReportFormatting.items(counts, isAtRest: working == 0)
    }
  }

  private static func status(_ run: StoredRun, _ shards: [StoredShard]) -> String {
    guard run.isLoaded else { return "loading" }
    let states = Set(shards.map(\.summary.status))
    let isAsked = shards.contains { $0.wish != nil }
    if states.isSubset(of: [.finished]), !isAsked { return "finished" }
    if states.isSubset(of: [.finished, .cancelled]), !isAsked { return "cancelled" }
    if states.contains(.cancelling) { return "cancelling" }
    if run.pauseReason != nil { return "paused" }
    if shards.contains(where: { $0.worker != nil }) { return "running" }
    let open = shards.filter { $0.summary.status == .running || $0.wish != nil }
    if !open.isEmpty, open.allSatisfy({ $0.trouble != nil }) { return ReportFormatting.failedToRun }
    return states.contains(.running) || isAsked ? "waiting" : "paused"
  }
}

extension DatabaseRunForm {
  fileprivate func isIn(_ name: RunStatusName) -> Bool {
    guard name == .unfinished else { return status == name.rawValue }
    let rest = ["failed", "paused"].reduce(0) { $0 + (items[$1] ?? 0) }
    return !["finished", "cancelled"].contains(status) || rest > 0
  }
}
