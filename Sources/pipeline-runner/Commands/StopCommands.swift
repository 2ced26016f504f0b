import ArgumentParser
import PipelineCommands
import PipelineCore
import PipelineEngine
import PipelineSQLite

struct PauseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause",
    abstract: "Stop a run after a checkpoint; `pipeline resume` goes on.",
    discussion: """
      The request is durable: a process that has not come to it yet, for example because it asks for a password, \
      honours it when it does.

      EXAMPLES
        pipeline pause                       the newest run
        pipeline pause photos-20260314

      \(ExitStatus.help([
        (.done, "no process works on the run any more"), (.invalid, "there is no such run"),
        (.environment, "the process that works on the run has not stopped yet"),
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
    guard !RunLock.isHeld(folder) else { throw await stillWorking(folder) }
    RunRequest.pause.remove(for: folder)
    Terminal.print(try await Self.outcome(of: folder))
  }

  private func stillWorking(_ folder: RunFolder) async -> CommandFailure {
    let holder = RunLock.holder(of: folder).map { " (process \($0))" } ?? ""
    let status = (try? await SQLiteCheckpointStore.peek(path: folder.databasePath))?.status
    let isGivenUp = status == .cancelling || RunRequest.cancel.isLeft(for: folder)
    return CommandFailure(
      .environment,
      isGivenUp
        ? "run '\(folder.id)' is being given up, and the process that does that\(holder) goes on to its end"
        : "the process that works on run '\(folder.id)'\(holder) has not stopped yet; it stops as soon as it "
          + "comes to the request")
  }

  /// How the run rests now that nobody works on it.
  private static func outcome(of folder: RunFolder) async throws -> String {
    let status: RunState.Status
    do {
      status = try await SQLiteCheckpointStore.peek(path: folder.databasePath).status
    } catch {
      throw CommandFailure(storeFailure: error)
    }
    let id = folder.id
    switch status {
    case .paused: return "run '\(id)' is paused; `pipeline resume \(id)` goes on"
    case .running:
      return "the process that worked on run '\(id)' has ended; `pipeline resume \(id)` goes on"
    case .finished: return "run '\(id)' had finished before it could be paused"
    case .cancelling:
      return "run '\(id)' is being given up; `pipeline cancel \(id)` goes on with it"
    case .cancelled: return "run '\(id)' was given up"
    }
  }
}

struct CancelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel",
    abstract: "Give a run up, and undo at the server what its open items left there.",
    discussion: """
      Items that are done stay done. For the others the requests of `on_abandon` are sent, and retried as the policy \
      `standard` says. Items of which something is left at the server after that have failed, with the reason; another \
      `pipeline cancel` tries them again.

      The request is durable when the command returns: whoever works on the run gives it up, also after a restart.

      EXAMPLES
        pipeline cancel                      the newest run
        PIPELINE_INPUT_PASSWORD=… pipeline cancel photos-20260314-101502-k3f9

      \(ExitStatus.help([
        (.done, "the run is given up, or the process that works on it does that"),
        (.incomplete, "something is left at the server"), (.invalid, ExitStatus.invalid.meaning),
        (.environment, ExitStatus.environment.meaning), (.usage, ExitStatus.usage.meaning),
        (.interrupted, "stopped by Ctrl-C; `pipeline cancel` goes on"),
      ]))
      """)

  @OptionGroup var target: RunTarget

  func run() async throws {
    let folder = try target.state.folder.find(target.run)
    var isLeft = false
    for attempt in 0..<50 {
      if let lock = try RunLock.takeIfFree(folder) {
        do {
          try await giveUp(folder, lock, isAsked: isLeft)
        } catch let failure as CommandFailure {
          // Whoever could not even begin must not leave a request behind that it has not said.
          if isLeft, failure.status == .invalid { RunRequest.cancel.remove(for: folder) }
          throw failure
        }
        return
      }
      if attempt == 0 {
        try RunRequest.cancel.leave(for: folder)
        isLeft = true
      }
      let status = (try? await SQLiteCheckpointStore.peek(path: folder.databasePath))?.status
      if status == .cancelling || status == .cancelled {
        Terminal.print("run '\(folder.id)' is being cancelled by the process that works on it")
        return
      }
      try await Task.sleep(for: .milliseconds(100))
    }
    Terminal.print(
      "run '\(folder.id)' will be cancelled by the process that works on it as soon as it comes to the request"
    )
  }

  private func giveUp(_ folder: RunFolder, _ lock: RunLock, isAsked: Bool) async throws {
    try await target.proceed(on: folder, cancels: true, lock: lock) { opened in
      guard !RunSession.canBeGivenUp(opened.state) else { return [] }
      RunRequest.cancel.remove(for: folder)
      if opened.state.status == .cancelled, isAsked {
        throw CommandFailure(
          .done, note: "run '\(folder.id)' was given up by the process that worked on it")
      }
      let word = opened.state.status == .cancelled ? "was given up already" : "is done"
      throw CommandFailure(
        .done, note: "run '\(folder.id)' \(word); there is nothing to give up")
    }
  }
}
