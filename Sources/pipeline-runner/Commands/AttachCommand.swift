import ArgumentParser
import Foundation
import PipelineCommands
import PipelineCore
import PipelineEngine

struct AttachCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attach",
    abstract: "Show the progress of a run that another process works on, until it ends.",
    discussion: """
      The other process may be in the background (`run --detach`), in another terminal, or a service. Ctrl-C ends only the \
      display: the run goes on. If no process works on the run, the command says how it ended.

      EXAMPLES
        pipeline run photos.yaml --demo --detach
        pipeline attach                      the newest run that a process works on
        pipeline attach holidays --progress plain

      \(ExitStatus.help([
        (.done, "all items are done"), (.incomplete, "some items failed or are paused, or the run is not finished"),
        (.invalid, "the run does not exist"), (.environment, "the run's store cannot be read"),
        (.usage, ExitStatus.usage.meaning), (.interrupted, "stopped by Ctrl-C; the run goes on"),
      ]))
      """)

  @OptionGroup var view: RunView

  @Option(
    help:
      "Progress display: live on a terminal, otherwise plain lines; json is NDJSON on standard output."
  )
  var progress: ProgressMode = .auto

  /// How long a look at a run is good for.
  private static let interval: Duration = .milliseconds(200)

  func run() async throws {
    let folder = try chosen()
    let signals = InterruptSignals.process
    if RunLock.isHeld(folder) { try await watch(folder, signals) }
    guard !signals.wasInterrupted else {
      Terminal.error(
        "run \(folder.id) goes on; `pipeline attach \(folder.id)` shows it again, `pipeline pause \(folder.id)` stops it"
      )
      throw CommandFailure(.interrupted)
    }
    let opened = try await view.open(folder.id.rawValue)
    let report = await opened.report()
    // What follows lines of JSON is one of them.
    report.print(progress == .json ? .json : view.form.format)
    if !report.isComplete { throw CommandFailure(.incomplete) }
  }

  private func chosen() throws(CommandFailure) -> RunFolder {
    let state = view.state.folder
    guard view.run == nil else { return try state.find(view.run) }
    if let active = state.folders().last(where: RunLock.isHeld) { return active }
    return try state.find(nil)
  }

  /// Shows what the process that works on the run writes, until it ends or the user has seen enough.
  private func watch(_ folder: RunFolder, _ signals: InterruptSignals) async throws {
    let display = progress.display
    display.begin(folder.id)
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

  /// What of a run's progress was shown.
  private struct Seen {
    private var at: String?
    private var lines: Set<String> = []
    private var notices: Set<String> = []

    /// What was not shown yet; `nil` if nothing has changed.
    mutating func news(
      in facts: ProgressFacts
    ) -> (lines: [FailureTally.Line], notices: [String])? {
      guard facts.at != at else { return nil }
      at = facts.at
      let new = facts.causes.flatMap { cause in
        cause.lines.filter { lines.insert($0).inserted }
          .map { FailureTally.Line(status: cause.status, text: $0) }
      }
      return (new, facts.notices.filter { notices.insert($0).inserted })
    }
  }
}
