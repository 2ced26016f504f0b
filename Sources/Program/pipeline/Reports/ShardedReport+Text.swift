extension ShardedReport: PrintedReport {
  init(_ run: ShardedRun) async throws {
    var reports: [RunReport] = []
    if let shard = run.parts.first?.folder.shard {
      reports = try await shard.database.reports(of: run.parts, shard.run)
    } else {
      try await run.each { opened, _ in reports.append(await opened.report()) }
    }
    self.init(reports, of: run.count, missing: run.missing)
  }

  private static let titles = ["SHARD", "STATE", "ITEMS", "MOVED", "RUN", "REASON"]

  func printText() {
    // Items in progress count as such if any shard is worked on.
    let isAtRest = reports.allSatisfy { $0.isWorkedOn != true }
    Terminal.print(
      "run \(title) in \(count) shards: \(states): \(ReportFormatting.counts(counts, isAtRest: isAtRest)), "
        + ReportFormatting.bytes(bytesMoved))
    if let remark = ShardedRun.remark(missing, of: count) { Terminal.print("  \(remark)") }
    TextTable.print(
      Self.titles,
      reports.map { report in
        let columns = [
          report.shard?.description ?? "", report.statusWord,
          ReportFormatting.counts(report.counts, isAtRest: report.isWorkedOn != true),
          ReportFormatting.bytes(report.progress?.bytesMoved ?? report.bytesMoved),
          report.id.rawValue, report.reasonInWords ?? "",
        ]
        let word = report.statusWord
        return (columns, word, ReportFormatting.paint(word, isComplete: report.isComplete))
      })
    hints.forEach { Terminal.print("  \($0)") }
  }

  /// What to do next with a run of a database; shards in folders have their own commands.
  private var hints: [String] {
    guard let place = reports.first?.place, let shard = place.shardPlace else { return [] }
    let explain = "`\(place.command("explain"))` shows why"
    if shard.isPaused, reports.contains(where: { $0.statusWord == "paused" }) {
      let left = (counts[.failed] ?? 0) + (counts[.paused] ?? 0)
      return ["continue with `\(place.command(left > 0 ? "retry" : "resume"))`"]
    }
    if leftAtServer > 0, reports.contains(where: { $0.status == .cancelled }) {
      return ["\(leftInWords): \(explain), `\(place.command("cancel"))` tries to undo it again"]
    }
    let count = (counts[.failed] ?? 0) + (counts[.paused] ?? 0)
    guard count > 0, reports.allSatisfy({ [.finished, .paused].contains($0.status) }) else {
      return []
    }
    return ["\(explain); `\(place.command("retry"))` tries them again"]
  }
}

extension RunDatabase {
  /// The reports of shards, with one query.
  fileprivate func reports(of parts: [ShardedRun.Part], _ run: StoredRun) async throws
    -> [RunReport]
  {
    guard let first = parts.first else { return [] }
    let pipeline = try await Definition.kept(first.folder, warns: false).pipeline
    let states = try await runs.states(of: run, pipeline: pipeline)
    return parts.compactMap { part in
      guard let shard = part.folder.shard, let (state, idle) = states[shard.number] else {
        return nil
      }
      var report = RunReport(state: state, pipeline: pipeline, in: part.folder)
      report.isWorkedOn = shard.worker != nil
      report.idle = idle
      return report
    }
  }
}
