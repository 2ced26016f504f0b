struct RunsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "runs", "List runs, and remove old ones.", status: ExitStatus.reporting,
    subcommands: [ListRunsCommand.self, RemoveRunsCommand.self, PruneRunsCommand.self],
    defaultSubcommand: ListRunsCommand.self)
}

struct RunFilterOptions: ParsableArguments {
  @Option(
    name: .customLong("pipeline"), help: .help("Only runs of the pipeline with this name.", "name"))
  var pipeline: String?

  @Option(
    help: .help(
      "Only runs that ended longer ago than this, such as 12h or 30d; an unfinished run counts from its start.",
      "duration")) var olderThan: String?

  func validate() throws { _ = try age }

  var age: Duration? {
    get throws { try olderThan.map { try Arguments.duration($0, for: "--older-than") } }
  }
}

struct ListRunsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "list", of: "runs", "List the runs, newest last.", status: ExitStatus.reporting)

  @OptionGroup var state: StateOptions
  @OptionGroup var database: StoreOption
  @OptionGroup var form: FormatOptions
  @OptionGroup var filter: RunFilterOptions

  @Option(name: .customLong("status"), help: "Only runs in this state; repeat it for more.")
  var statuses: [RunStatusName] = []

  func validate() throws {
    if database.store != nil, filter.olderThan != nil {
      throw ValidationError("--older-than does not go with --store.")
    }
  }

  func run() async throws {
    if let database = try await database.connect() {
      return try await DatabaseRuns(database: database).print(
        form.format, pipeline: filter.pipeline, statuses: statuses)
    }
    let now = Instant.wallClock
    let age = try filter.age
    let runs = await KnownRun.all(state.folder).filter { run in
      (statuses.isEmpty || statuses.contains { $0.fits(run) })
        && (filter.pipeline == nil || run.summary?.pipeline == filter.pipeline)
        && (age == nil || run.age(at: now).map { $0 >= age ?? .zero } == true)
    }
    let rows = runs.map { ListedRunForm($0, at: now) }
    if form.format == .json {
      Terminal.print(EncodedJSON.of(rows))
    } else if rows.isEmpty {
      let isFiltered = filter.pipeline != nil || age != nil || !statuses.isEmpty
      Terminal.print("no \(isFiltered ? "such " : "")runs in '\(state.folder.path)'")
    } else {
      TextTable.print(
        ListedRunForm.titles,
        rows.map {
          ($0.columns, $0.status, ReportFormatting.paint($0.status, isComplete: !$0.unfinished))
        })
    }
    for series in KnownSeries.all(in: state.folder) where series.isWatched {
      Terminal.error(
        "\(series.holder) watches for '\(series.note.key)'; `\(series.command("attach"))` shows its progress"
      )
    }
    if let notice = await FinishedRuns(state: state.folder).notice() { Terminal.error(notice) }
  }
}

extension ListedRunForm {
  fileprivate static let titles = [
    "RUN", "STATE", "BEGAN", "TIME", "SIZE", "PIPELINE", "NAME", "ITEMS OR REASON",
  ]

  fileprivate var columns: [String] {
    let counts = ReportFormatting.counts(items ?? [:])
    return [
      run, status, began.map { $0.prefix(19) + "Z" } ?? "-",
      worked_seconds.map { ReportFormatting.duration(.milliseconds(Int64($0 * 1000))) } ?? "-",
      ReportFormatting.bytes(bytes_on_disk), pipeline ?? "-",
      name == nil && shard == nil ? "-" : [name, shard].compactMap { $0 }.joined(separator: " "),
      counts.isEmpty ? reason ?? "" : counts,
    ]
  }
}
