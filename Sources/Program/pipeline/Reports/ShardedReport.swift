struct ShardedReport {
  private let run: ShardedRun
  private var reports: [RunReport] = []

  init(_ run: ShardedRun) async throws {
    self.run = run
    if let shard = run.parts.first?.folder.shard {
      reports = try await shard.database.reports(of: run.parts, shard.run)
      return
    }
    var reports: [RunReport] = []
    try await run.each { opened, _ in reports.append(await opened.report()) }
    self.reports = reports
  }

  private var counts: [Item.Status: Int] {
    reports.reduce(into: [:]) { $0.merge($1.counts, uniquingKeysWith: +) }
  }

  private var leftAtServer: Int { reports.reduce(0) { $0 + $1.leftAtServer } }

  private var leftInWords: String {
    "\(ReportFormatting.count(leftAtServer, "item")) left something at the server"
  }

  private var bytesMoved: Int64 {
    reports.reduce(0) { $0 + ($1.progress?.bytesMoved ?? $1.bytesMoved) }
  }

  /// `3 finished, 1 running`; the lead is named if it is not like all others.
  private var states: String {
    let order =
      RunState.Status.allCases.map(\.rawValue) + [
        "waiting", "interrupted", ReportFormatting.failedToRun,
      ]
    let others = reports.filter { $0.shard?.isLead != true }
    let shards = others.isEmpty ? reports : others
    var states = order.compactMap { word in
      let count = shards.count { $0.statusWord == word }
      return count > 0 ? "\(count) \(word)" : nil
    }
    if !others.isEmpty, let lead = reports.first(where: { $0.shard?.isLead == true }),
      shards.contains(where: { $0.statusWord != lead.statusWord })
    {
      states.append("the lead \(lead.statusWord)")
    }
    return states.joined(separator: ", ")
  }

  private var title: String { reports.first?.name.map { "'\($0)'" } ?? reports[0].pipeline }
  var isWorkedOn: Bool { reports.contains { $0.isWorkedOn == true } }
  var isComplete: Bool { run.missing.isEmpty && reports.allSatisfy(\.isComplete) }

  /// Whether each shard has ended, and nothing is left at the server.
  var isGivenUp: Bool {
    reports.allSatisfy { [.finished, .cancelled].contains($0.status) && $0.leftAtServer == 0 }
  }

  /// What some command could still try again or undo, such as `6 failed`; `nil` if there is nothing.
  var rest: String? {
    let open = counts.filter { [.failed, .paused].contains($0.key) && $0.value > 0 }
    if !open.isEmpty { return ReportFormatting.counts(open, isAtRest: true) }
    return leftAtServer > 0 ? leftInWords : nil
  }

  private static let titles = ["SHARD", "STATE", "ITEMS", "MOVED", "RUN", "REASON"]

  /// Prints the report as the last of the lines that `--progress json` prints, or else in `format`.
  func print(after progress: ProgressMode, _ format: ReportFormat) {
    if progress == .json { Terminal.print(json("ended")) } else { print(format) }
  }

  func print(_ format: ReportFormat) {
    guard format == .text else { return Terminal.print(json()) }
    // Items in progress count as such if any shard is worked on.
    let isAtRest = reports.allSatisfy { $0.isWorkedOn != true }
    Terminal.print(
      "run \(title) in \(run.count) shards: \(states): \(ReportFormatting.counts(counts, isAtRest: isAtRest)), "
        + ReportFormatting.bytes(bytesMoved))
    if let remark = run.remark { Terminal.print("  \(remark)") }
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
    guard let folder = reports.first?.folder, folder.shard != nil else { return [] }
    let explain = "`\(folder.command("explain"))` shows why"
    if folder.shard?.isPaused == true, reports.contains(where: { $0.statusWord == "paused" }) {
      let left = (counts[.failed] ?? 0) + (counts[.paused] ?? 0)
      return ["continue with `\(folder.command(left > 0 ? "retry" : "resume"))`"]
    }
    if leftAtServer > 0, reports.contains(where: { $0.status == .cancelled }) {
      return ["\(leftInWords): \(explain), `\(folder.command("cancel"))` tries to undo it again"]
    }
    let count = (counts[.failed] ?? 0) + (counts[.paused] ?? 0)
    guard count > 0, reports.allSatisfy({ [.finished, .paused].contains($0.status) }) else {
      return []
    }
    return ["\(explain); `\(folder.command("retry"))` tries them again"]
  }

  func json(_ event: String? = nil) -> String {
    // Of each shard by itself, since active items of one that no process works on are interrupted.
    let items = reports.reduce(into: [String: Int]()) { sum, report in
      sum.merge(
        ReportFormatting.items(report.counts, isAtRest: report.isWorkedOn != true),
        uniquingKeysWith: +)
    }
    return EncodedJSON.of(
      ShardedRunForm {
        $0.event = event
        $0.name = reports[0].name
        $0.pipeline = reports[0].pipeline
        $0.shards = run.count
        $0.missing = run.missing
        $0.items = items
        $0.bytes_moved = bytesMoved
        $0.left_at_server = leftAtServer
        $0.each = reports.map { $0.form() }
      })
  }
}

extension RunDatabase {
  /// The reports of shards, with one query.
  func reports(of parts: [ShardedRun.Part], _ run: StoredRun) async throws -> [RunReport] {
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
