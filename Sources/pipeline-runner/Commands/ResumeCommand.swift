import ArgumentParser
import PipelineCommands
import PipelineCore
import PipelineEngine
import PipelineSQLite

struct ResumeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Go on with a run that was stopped, killed or paused.",
    discussion: """
      The run goes on with the definition it began with. If the file has changed since, the command says what changed \
      and asks for --accept-changes or --keep-definition. Secrets are not in the store: give them again.

      EXAMPLES
        pipeline resume
        PIPELINE_INPUT_PASSWORD=… pipeline resume photos-20260314-101502-k3f9

      \(ExitStatus.working)
      """)

  @OptionGroup var target: RunTarget

  func run() async throws {
    try await target.proceed(on: target.run) { _ in [] }
  }
}

struct RetryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Try paused and failed items again.",
    discussion: """
      EXAMPLES
        pipeline retry                       all paused and failed items of the newest run
        pipeline retry 0/12 0/40             two items of the newest run
        pipeline retry RUN 0/12              one item of another run

      \(ExitStatus.working)
      """)

  @OptionGroup var target: RunTarget

  @Argument(help: "Items, as `pipeline explain` names them; all when left out.")
  var items: [String] = []

  func run() async throws {
    let arguments = try ItemArguments(run: target.run, items: items)
    let keys = arguments.items
    try await target.proceed(on: arguments.run) { opened in
      let requeued = try await opened.store.requeue(
        keys.isEmpty ? nil : keys, epoch: opened.epoch)
      let count = requeued.reduce(0) { $0 + $1.paused + $1.failed }
      guard count > 0 || opened.state.status != .finished else {
        throw CommandFailure(.done, nil, note: "no item is paused or has failed")
      }
      return requeued.map { .itemsRequeued(loop: $0.loop, paused: $0.paused, failed: $0.failed) }
    }
  }
}

struct PauseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause",
    abstract: "Stop a run after a checkpoint; `pipeline resume` goes on.",
    discussion: """
      EXAMPLES
        pipeline pause                       the newest run
        pipeline pause photos-20260314

      \(ExitStatus.help([
        (.done, "no process works on the run any more"), (.invalid, "there is no such run"),
        (.environment, "the process that works on the run does not answer"),
        (.usage, ExitStatus.usage.meaning),
      ]))
      """)

  @OptionGroup var state: StateOptions

  @Argument(help: "The run; the newest when left out.")
  var run: String?

  func run() async throws {
    let folder = try state.folder.find(run)
    guard RunLock.isHeld(folder) else {
      Terminal.print("no process works on run '\(folder.id)'; it rests already")
      return
    }
    try RunRequest.pause.leave(for: folder)
    for _ in 0..<100 where RunLock.isHeld(folder) {
      try await Task.sleep(for: .milliseconds(100))
    }
    guard !RunLock.isHeld(folder) else {
      throw CommandFailure(
        .environment, "the process that works on run '\(folder.id)' does not answer")
    }
    Terminal.print("run '\(folder.id)' is paused; `pipeline resume \(folder.id)` goes on")
  }
}

struct CancelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel",
    abstract: "Give a run up, and undo at the server what its open items left there.",
    discussion: """
      Items that are done stay done. For the others the requests of `on_abandon` are sent.

      EXAMPLES
        pipeline cancel                      the newest run
        PIPELINE_INPUT_PASSWORD=… pipeline cancel photos-20260314-101502-k3f9

      \(ExitStatus.working)
      """)

  @OptionGroup var target: RunTarget

  func run() async throws {
    let folder = try target.state.folder.find(target.run)
    if RunLock.isHeld(folder) {
      try RunRequest.cancel.leave(for: folder)
      Terminal.print("run '\(folder.id)' is being cancelled by the process that works on it")
      return
    }
    try await target.proceed(on: target.run, cancels: true) { opened in
      let open = [Item.Status.pending, .active, .paused, .failed]
      guard
        opened.state.status == .finished,
        opened.state.loops.allSatisfy({ loop in open.allSatisfy { loop.counts[$0] == 0 } })
      else { return [] }
      throw CommandFailure(.done, note: "run '\(folder.id)' is done; there is nothing to give up")
    }
  }
}

extension ItemKey {
  /// Reads `LOOP/NUMBER`.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let loop = parts[0], let ordinal = parts[1], loop >= 0, ordinal >= 0
    else { return nil }
    self.init(loop: loop, ordinal: ordinal)
  }
}
