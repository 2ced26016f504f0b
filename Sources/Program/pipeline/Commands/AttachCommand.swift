struct AttachCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "attach", "Show the progress of a run that another process is working on, until it ends.",
    status: ExitStatus.help([
      (.done, "all items are done"),
      (.incomplete, "some items failed or are paused, or the run is not finished"),
      (.invalid, "the run does not exist"), (.environment, "the run's store cannot be read"),
      (.usage, ExitStatus.usage.meaning), (.interrupted, "stopped by Ctrl-C; the run continues"),
    ]))

  @OptionGroup var view: RunView

  @Option(
    help:
      "Progress display: live on a terminal, otherwise plain lines; json is NDJSON on standard output."
  ) var progress: ProgressMode = .auto
  /// How long an observation of a run is valid.
  private static let interval: Duration = .milliseconds(200)

  func validate() throws { _ = try view.state.only() }

  func run() async throws {
    if let database = try await view.database.connect() {
      return try await DatabaseControl(database: database).attach(
        view.run, progress, view.form.format)
    }
    switch try chosen() {
    case .run(let folder): try await show(folder)
    case .series(let series): try await follow(series)
    }
  }

  private enum Choice {
    case run(RunFolder)
    case series(KnownSeries)
  }

  private func chosen() throws(CommandFailure) -> Choice {
    let state = view.state.folders[0]
    if let name = view.run {
      if let series = KnownSeries.find(name, in: state) { return .series(series) }
      return .run(try state.find(name))
    }
    if let active = state.folders().last(where: RunLock.isHeld) { return .run(active) }
    if let series = KnownSeries.all(in: state).first(where: \.isWatched) { return .series(series) }
    return .run(try state.find(nil))
  }

  private func show(_ folder: RunFolder) async throws {
    let signals = InterruptSignals.process
    if RunLock.isHeld(folder) { try await watch(folder, signals) }
    guard !signals.wasInterrupted else {
      Terminal.error(
        "run \(folder.id) continues in the background; `\(folder.command("attach"))` shows it again, `\(folder.command("pause"))` stops it"
      )
      throw CommandFailure(.interrupted)
    }
    if try await !report(folder).isComplete { throw CommandFailure(.incomplete) }
  }

  private func report(_ folder: RunFolder) async throws -> RunReport {
    let opened = try await view.open(folder.id.rawValue)
    let report = await opened.report()
    await opened.store.close()
    report.print(after: progress, view.form.format)
    return report
  }

  /// Shows the runs of a series in turn, until no process watches for it.
  private func follow(_ series: KnownSeries) async throws {
    let (state, signals) = (view.state.folders[0], InterruptSignals.process)
    guard series.isWatched else {
      guard let newest = series.runs(in: state).last else {
        throw CommandFailure.invalid(
          "no process watches for '\(series.note.key)', and there are no runs of it")
      }
      Terminal.error("no process watches for '\(series.note.key)'; its newest run:")
      return try await show(newest)
    }
    if progress.isTalkative {
      Terminal.error(
        "\(series.holder) watches for '\(series.note.key)'; Ctrl-C ends the display only")
    }
    while series.isWatched, !signals.wasInterrupted {
      if let active = series.runs(in: state).last(where: RunLock.isHeld) {
        try await watch(active, signals)
        if !signals.wasInterrupted { _ = try await report(active) }
      } else {
        try await Task.sleep(for: Self.interval)
      }
    }
    guard signals.wasInterrupted else {
      return Terminal.error("\(series.holder) no longer watches")
    }
    Terminal.error(
      "\(series.holder) continues in the background; `\(series.command("attach"))` shows it again, `kill \(series.note.process)` ends it"
    )
    throw CommandFailure(.interrupted)
  }

  /// Shows the output of the process that works on the run, until it ends or the user has seen enough.
  private func watch(_ folder: RunFolder, _ signals: InterruptSignals) async throws {
    let display = progress.display
    display.begin(folder)
    var seen = Seen()
    var isHeld = true
    while isHeld, !signals.wasInterrupted {
      // Asked first, so that the last facts are read after the end.
      isHeld = RunLock.isHeld(folder)
      if let facts = SharedProgress.read(folder), let news = seen.news(in: facts) {
        display.itemsLeft([], news.lines)
        display.progressed(facts, news: news.notices)
      }
      if isHeld { try await Task.sleep(for: Self.interval) }
    }
    display.end()
  }

  private struct Seen {
    private var at: Instant?
    private var lines: Set<String> = []
    private var notices: Set<String> = []

    /// The lines that were not shown yet; `nil` if nothing has changed.
    mutating func news(in facts: ProgressFacts) -> (lines: [FailureTally.Line], notices: [String])?
    {
      guard facts.at != at else { return nil }
      at = facts.at
      let new = facts.causes.flatMap { cause in
        cause.lines.filter { lines.insert($0).inserted }.map {
          FailureTally.Line(status: cause.status, text: $0)
        }
      }
      return (new, facts.notices.filter { notices.insert($0).inserted })
    }
  }
}
