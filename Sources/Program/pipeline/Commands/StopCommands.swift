struct PauseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "pause", "Stop a run at its next checkpoint; continue with `pipeline resume`.",
    status: ExitStatus.help([
      (.done, "no process is working on the run any more"), (.invalid, "there is no such run"),
      (.environment, "the process that is working on the run has not stopped yet"),
      (.usage, ExitStatus.usage.meaning),
    ]))

  @OptionGroup var state: StateOptions
  @OptionGroup var database: StoreOption

  @Argument(help: "The run: its ID, the start of that, or its name (default: the newest run).")
  var run: String?

  func run() async throws {
    if let database = try await database.connect() {
      return try await DatabaseControl(database: database).pause(run)
    }
    let folder = try state.folder.find(run)
    guard RunLock.isHeld(folder) else {
      return Terminal.print("no process is working on run '\(folder.id)'; there is nothing to stop")
    }
    try RunRequest.pause.leave(for: folder)
    for _ in 0..<100 where RunLock.isHeld(folder) { try await Task.sleep(for: .milliseconds(100)) }
    guard !RunLock.isHeld(folder) else { throw await stillWorking(folder) }
    RunRequest.pause.remove(for: folder)
    Terminal.print(try await Self.outcome(of: folder))
  }

  private func stillWorking(_ folder: RunFolder) async -> CommandFailure {
    let holder = RunLock.holder(of: folder).map { " (process \($0))" } ?? ""
    let status = (try? await folder.summary())?.status
    let isGivenUp = status == .cancelling || RunRequest.cancel.isLeft(for: folder)
    return CommandFailure.environment(
      isGivenUp
        ? "run '\(folder.id)' is being cancelled, and the process that does so\(holder) continues to the end"
        : "the process that is working on run '\(folder.id)'\(holder) has not stopped yet; it will stop as soon "
          + "as it sees the request")
  }

  private static func outcome(of folder: RunFolder) async throws -> String {
    let (id, resume) = (folder.id, folder.command("resume"))
    switch try await folder.summary().status {
    case .paused: return "run '\(id)' is paused; continue with `\(resume)`"
    case .running:
      return "the process that worked on run '\(id)' has ended; continue with `\(resume)`"
    case .finished: return "run '\(id)' finished before it could be paused"
    case .cancelling:
      return "run '\(id)' is being cancelled; continue with `\(folder.command("cancel"))`"
    case .cancelled: return "run '\(id)' was cancelled"
    }
  }
}

struct CancelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "cancel", "Cancel a run and roll back its unfinished items on the server.",
    status: ExitStatus.help([
      (.done, "the run is cancelled, or the process that works on it will cancel it"),
      (.incomplete, "something is left at the server"), (.invalid, ExitStatus.invalid.meaning),
      (.environment, ExitStatus.environment.meaning), (.usage, ExitStatus.usage.meaning),
      (.interrupted, "stopped by Ctrl-C; continue with `pipeline cancel`"),
    ]))

  @OptionGroup var target: RunTarget

  func run() async throws {
    if let database = try await target.database.connect() {
      return try await target.wish(.cancel, in: database)
    }
    guard try target.execution.worksHere(target.form.format) else { return }
    let folder = try target.state.folder.find(target.run)
    try await folder.requireKnownForm()
    var isLeft = false
    for attempt in 0..<50 {
      if let lock = try RunLock.takeIfFree(folder) {
        do { try await giveUp(folder, lock, isAsked: isLeft) } catch let failure as CommandFailure {
          // A command that cannot even start must not leave a request that it did not report.
          if isLeft, failure.status == .invalid { RunRequest.cancel.remove(for: folder) }
          throw failure
        }
        return
      }
      if attempt == 0 {
        try RunRequest.cancel.leave(for: folder)
        isLeft = true
      }
      let status = (try? await folder.summary())?.status
      if status == .cancelling || status == .cancelled {
        return try await target.say(
          "run '\(folder.id)' is being cancelled by the process that works on it", of: folder)
      }
      try await Task.sleep(for: .milliseconds(100))
    }
    try await target.say(
      "run '\(folder.id)' will be cancelled as soon as the process that works on it sees the request",
      of: folder)
  }

  private func giveUp(_ folder: RunFolder, _ lock: RunLock, isAsked: Bool) async throws {
    try await target.proceed(on: folder, cancels: true, lock: lock) { opened in
      guard !opened.state.canBeGivenUp else { return [] }
      RunRequest.cancel.remove(for: folder)
      if opened.state.status == .cancelled, isAsked {
        throw CommandFailure(
          .done, note: "run '\(folder.id)' was cancelled by the process that worked on it")
      }
      let word = opened.state.status == .cancelled ? "was already cancelled" : "is done"
      throw CommandFailure(.done, note: "run '\(folder.id)' \(word); there is nothing to cancel")
    }
  }
}
