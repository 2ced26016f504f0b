import ArgumentParser
import Dispatch
import PipelineHTTP

@main struct PipelineCommand: AsyncParsableCommand {
  /// Not `async`: that would create a thread even for command lines that need no parser.
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    AuthoringCommands.validateFiles(arguments)
    refuseFewDescriptors()
    Task.detached {
      if let command = arguments.first.flatMap(AuthoringCommands.named) {
        await Program.run(command, Array(arguments.dropFirst()))
      }
      await run(arguments)
    }
    // The command ends the process.
    dispatchMain()
  }

  static let configuration = CommandConfiguration(
    commandName: "pipeline",
    abstract: "Run multi-step upload workflows written in YAML. Runs survive crashes and restarts.",
    discussion: """
      EXAMPLES
        pipeline run Pipelines/photos.yaml --demo  # upload sample photos
        pipeline run photos.yaml --input server=https://photos.example.com
        pipeline resume  # continue the newest run
        pipeline explain  # show why it is waiting
        pipeline validate Pipelines/*.yaml  # check before you run

      \(ExitStatus.help)

      Shell completion: pipeline --generate-completion-script bash|zsh|fish
      """, version: Version.current,
    groupedSubcommands: [
      CommandGroup(name: "Runs", subcommands: runs.map(\.type)),
      CommandGroup(name: "Reports", subcommands: reports.map(\.type)),
      CommandGroup(name: "Authoring", subcommands: AuthoringCommands.all + authoring.map(\.type)),
    ])

  // Asking the types for their configuration would build all of them.
  private static let runs: [(name: String, type: any ParsableCommand.Type)] = [
    ("run", RunCommand.self), ("work", WorkCommand.self), ("attach", AttachCommand.self),
    ("resume", ResumeCommand.self), ("retry", RetryCommand.self), ("rerun", RerunCommand.self),
    ("pause", PauseCommand.self), ("cancel", CancelCommand.self), ("service", ServiceCommand.self),
    ("credentials", CredentialsCommand.self), ("change-key", ChangeKeyCommand.self),
  ]
  private static let reports: [(name: String, type: any ParsableCommand.Type)] = [
    ("runs", RunsCommand.self), ("status", StatusCommand.self), ("items", ItemsCommand.self),
    ("explain", ExplainCommand.self), ("history", HistoryCommand.self), ("view", ViewCommand.self),
  ]
  private static let authoring: [(name: String, type: any ParsableCommand.Type)] = [
    ("eval", EvalCommand.self), ("graph", GraphCommand.self),
    ("demo-server", DemoServerCommand.self),
  ]

  /// The command called `name`, so that a run need not build the options of all the others: that is slower than starting it.
  private static func command(named name: String) -> (any ParsableCommand.Type)? {
    (runs + reports + authoring).first { $0.name == name }?.type
  }

  /// Keeps glibc from having up to eight heaps per processor: in a run of 10,000 parts, they need 5 MiB.
  private static func limitHeaps() {
    #if canImport(Glibc)
      // Swift's module of glibc has no malloc.h; there, M_ARENA_MAX is -8.
      guard let symbol = dlsym(nil, "mallopt") else { return }
      typealias Option = @convention(c) (_ parameter: Int32, _ value: Int32) -> Int32
      _ = unsafeBitCast(symbol, to: Option.self)(
        -8, Int32(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 2)))
    #endif
  }

  /// Ends the process before the first thread, because threads need descriptors and end it with a signal without them.
  private static func refuseFewDescriptors() {
    let limit = OpenFileLimit.raise().count
    let least = OpenFileLimit.least(loops: HTTPTransport.loopCount)
    guard limit < least else { return }
    Program.end(
      CommandFailure.environment(
        "this process may open \(limit) files, and needs at least \(least); raise the limit with `ulimit -n`"
      ))
  }

  /// Ends the process if no command has the name.
  private static func refuseUnknown(_ name: String) {
    let names = configuration.subcommands.compactMap { $0.configuration.commandName }
    guard !name.hasPrefix("-"), name != "help", !names.contains(name) else { return }
    let nearest = nearestName(to: name, among: names).map { "did you mean '\($0)'? " } ?? ""
    Program.end(
      CommandFailure(
        .usage, "no command is called '\(name)'; \(nearest)`pipeline --help` lists them"))
  }

  private static func run(_ arguments: [String]) async -> Never {
    Detachment.prepare()
    limitHeaps()
    HTTPTransport.prepareProcess()
    PrivateProcess.disableCoreDumps()
    do throws(CommandFailure) { try Settings.check(arguments) } catch { Program.end(error) }
    let command = arguments.first.flatMap(command)
    if command == nil, let name = arguments.first { refuseUnknown(name) }
    await Program.run(
      command ?? Self.self, command == nil ? arguments : Array(arguments.dropFirst())
    ) { error in
      switch error {
      case let failure as CommandFailure: failure
      case let failure as StoreFailure: CommandFailure(storeFailure: failure)
      case let failure as CredentialFailure: CommandFailure.environment(failure.message)
      case let failure as FileFailure: CommandFailure.environment(failure.message)
      case let failure as HTTPConfigurationError: CommandFailure.invalid(failure.description)
      default: nil
      }
    }
  }
}
