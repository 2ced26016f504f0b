import ArgumentParser
import PipelineCommands
import PipelineEngine
import PipelineHTTP

@main
struct PipelineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pipeline",
    abstract: "Run multi-step upload workflows written in YAML. Runs survive crashes and restarts.",
    discussion: """
      EXAMPLES
        pipeline run Pipelines/photos.yaml --demo       upload sample photos to an embedded server
        pipeline run photos.yaml --input server=https://photos.example.com
        pipeline resume                                 continue the newest run
        pipeline explain                                show what it waits for
        pipeline validate Pipelines/*.yaml              check before you run

      \(ExitStatus.help)

      Shell completion: pipeline --generate-completion-script bash|zsh|fish
      """,
    version: Version.current,
    groupedSubcommands: [
      CommandGroup(
        name: "Runs",
        subcommands: [
          RunCommand.self, AttachCommand.self, ResumeCommand.self, RetryCommand.self,
          RerunCommand.self,
          PauseCommand.self, CancelCommand.self, ServiceCommand.self, ChangeKeyCommand.self,
        ]),
      CommandGroup(
        name: "Reports",
        subcommands: [
          RunsCommand.self, StatusCommand.self, ItemsCommand.self, ExplainCommand.self,
          HistoryCommand.self,
        ]),
      CommandGroup(
        name: "Authoring",
        subcommands: AuthoringCommands.all + [
          EvalCommand.self, GraphCommand.self, DemoServerCommand.self,
        ]),
    ])

  static func main() async {
    Detachment.prepare()
    HTTPTransport.prepareProcess()
    PrivateProcess.disableCoreDumps()
    do throws(CommandFailure) {
      try Settings.check(Array(CommandLine.arguments.dropFirst()))
    } catch {
      Program.end(error)
    }
    await Program.run(Self.self) { error in
      switch error {
      case let failure as CommandFailure: failure
      case let failure as StoreFailure: CommandFailure(storeFailure: failure)
      case let failure as FileFailure: CommandFailure(.environment, failure.message)
      case let failure as HTTPConfigurationError: CommandFailure(.invalid, failure.description)
      default: nil
      }
    }
  }
}
