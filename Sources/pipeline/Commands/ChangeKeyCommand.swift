import ArgumentParser
import PipelineCommands
import PipelineCore
import PipelineEngine
import PipelineFiles

struct ChangeKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "change-key", "Encrypt the sealed values of runs with another key.",
    """
    The old key is that of --key-command, --key-file, PIPELINE_KEY or your configuration folder; the new one is that of \
    --new-key-command or --new-key-file. A value that the old key does not open stays as it is, and is made again when \
    the run continues. A killed command can be repeated: values that have the new key already are opened with it.

    EXAMPLES
      pipeline change-key --new-key-file ~/.config/pipeline/key-2026
      pipeline change-key photos-20260314 --new-key-command "secret-tool lookup service pipeline"

    \(ExitStatus.help([
        (.done, "all sealed values have the new key"), (.invalid, "the run was not found, or a key is invalid"),
        (.environment, "another process is working on a run, or a store cannot be written"),
        (.usage, ExitStatus.usage.meaning),
      ]))
    """)

  @OptionGroup var state: StateOptions
  @OptionGroup var key: SealKeyOptions
  @Option(help: .help("Command that prints the new key.", "command")) var newKeyCommand: String?
  @Option(help: .help("File with the new key.", "file")) var newKeyFile: String?
  @Argument(help: "The run (default: all runs).") var run: String?

  func validate() throws {
    guard (newKeyCommand == nil) != (newKeyFile == nil) else {
      throw ValidationError("Give the new key with --new-key-command or --new-key-file.")
    }
  }

  func run() async throws {
    PrivateProcess.keepFiles()
    let new = try SealKey(command: newKeyCommand, file: newKeyFile, variable: nil)
      .text(outside: state.folder)
    guard let new else { return }
    let sealer = try SealKey.sealer(new, earlier: try key.text(outside: state.folder))
    let folders = try run.map { [try state.folder.find($0)] } ?? state.folder.folders()
    for folder in folders { try await change(folder, sealer) }
  }

  private func change(_ folder: RunFolder, _ sealer: AESGCMSealer) async throws {
    let pipeline = try await Definition.kept(folder).pipeline
    guard pipeline.sealsOutputs else { return }
    let lock = try RunLock.take(folder)
    defer { withExtendedLifetime(lock) {} }
    let store = try await folder.openStore(pipeline, sealer: sealer)
    let epoch = try await store.claim()
    let count = try await Resealing(store: store, pipeline: pipeline).run(epoch: epoch)
    await store.close()
    Terminal.print(
      "\(folder.id): \(ReportFormatting.count(count.changed, "sealed value")) changed"
        + (count.lost == 0 ? "" : ", \(count.lost) could not be opened"))
  }
}
