import ArgumentParser
import PipelineCommands
import PipelineCore
import PipelineEngine

struct ResumeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Continue a run that was stopped, killed or paused.",
    discussion: """
      Without a name, continues the newest run that is not finished and that no other process is working on. \
      The run keeps the definition it began with. If the file has changed since, the command shows what changed \
      and asks for --accept-changes or --keep-definition. Secrets are not stored, so you must give them again.

      EXAMPLES
        pipeline resume
        PIPELINE_INPUT_PASSWORD=… pipeline resume photos-20260314-101502-k3f9

      \(ExitStatus.working)
      """)

  @OptionGroup var target: RunTarget

  func run() async throws {
    let folder =
      try target.run == nil
      ? await target.state.folder.newestUnfinished() : target.state.folder.find(target.run)
    try await target.proceed(on: folder) { _ in [] }
  }
}

struct RetryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Try paused and failed items again.",
    discussion: """
      An item whose file has changed since the run began fails again, unless you pass --accept-changed-files. The item \
      then starts over with the file as it is now and with new idempotency keys.

      EXAMPLES
        pipeline retry                       all paused and failed items of the newest run
        pipeline retry 0/12 0/40             two items of the newest run
        pipeline retry RUN 0/12              one item of another run
        pipeline retry 0/12 --accept-changed-files
        pipeline retry 0/12 -vv               with headers and bodies of each exchange

      \(ExitStatus.working)
      """)

  @OptionGroup var target: RunTarget

  @Argument(help: "Items, as `pipeline explain` names them (default: all).")
  var items: [String] = []

  @Flag(help: "Accept files that have changed since the run began.")
  var acceptChangedFiles = false

  func run() async throws {
    let arguments = try ItemArguments(run: target.run, items: items)
    let keys = arguments.items
    let folder = try target.state.folder.find(arguments.run)
    try await target.proceed(on: folder) { opened in
      guard opened.state.status != .cancelled, opened.state.status != .cancelling else {
        throw CommandFailure(
          .invalid, "run '\(folder.id)' was cancelled; start a new one with `pipeline run`")
      }
      if acceptChangedFiles {
        let accepted = try await ChangedFiles(opened: opened).accept(keys.isEmpty ? nil : keys)
        Terminal.error("\(ReportFormatting.count(accepted, "changed file")) accepted")
      }
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

extension ItemKey {
  /// Reads `LOOP/NUMBER`.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let loop = parts[0], let ordinal = parts[1], loop >= 0, ordinal >= 0
    else { return nil }
    self.init(loop: loop, ordinal: ordinal)
  }
}
