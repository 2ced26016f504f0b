import ArgumentParser
import PipelineEngine
import PipelineHTTP

@main
struct PipelineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pipeline",
    abstract: "Runs multi-step upload workflows that are written in YAML, and survives anything.",
    discussion: """
      EXAMPLES
        pipeline run Pipelines/photos.yaml --demo       upload sample photos to an embedded server
        pipeline run photos.yaml --input server=https://photos.example.com
        pipeline resume                                 go on with the newest run
        pipeline explain                                why does it wait?
        pipeline validate Pipelines/*.yaml              check before you run

      \(ExitStatus.help)

      Shell completion: pipeline --generate-completion-script bash|zsh|fish
      """,
    version: Version.current,
    groupedSubcommands: [
      CommandGroup(
        name: "Runs",
        subcommands: [
          RunCommand.self, ResumeCommand.self, RetryCommand.self, PauseCommand.self,
          CancelCommand.self,
        ]),
      CommandGroup(
        name: "Reports",
        subcommands: [
          RunsCommand.self, StatusCommand.self, ExplainCommand.self, HistoryCommand.self,
        ]),
      CommandGroup(
        name: "Authoring",
        subcommands: [
          ValidateCommand.self, GraphCommand.self, EvalCommand.self, SchemaCommand.self,
          LanguageServerCommand.self, DemoServerCommand.self,
        ]),
    ])

  /// Every way out goes through here, so that each has a documented status and plain words.
  static func main() async {
    do {
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch let failure as CommandFailure {
      end(with: failure)
    } catch let failure as StoreFailure {
      end(with: CommandFailure(storeFailure: failure))
    } catch let failure as FileFailure {
      end(with: CommandFailure(.environment, failure.message))
    } catch let error as HTTPConfigurationError {
      end(with: CommandFailure(.invalid, error.description))
    } catch {
      exit(withError: error)
    }
  }

  private static func end(with failure: CommandFailure) -> Never {
    if let message = failure.message { Terminal.error("pipeline: error: \(message)") }
    if let note = failure.note { Terminal.print(note) }
    exit(withError: failure.status.exitCode)
  }
}
