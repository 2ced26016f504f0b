import PipelineHTTP
import PipelineSigning

struct CredentialsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "credentials", "List, remove and renew sign-ins, which all runs share.",
    status: ExitStatus.reporting,
    subcommands: [ListCredentialsCommand.self, RemoveCredentialsCommand.self, SignInCommand.self],
    defaultSubcommand: ListCredentialsCommand.self)
}

struct ListCredentialsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "list", of: "credentials", "List the sign-ins; needs no key.", status: ExitStatus.reporting)

  @OptionGroup var database: StoreOption

  func run() async throws {
    let all = try await Credentials.all(try await database.connect())
    guard !all.isEmpty else { return Terminal.print("no sign-ins are stored") }
    let rows = all.map { [$0.name, $0.stored, $0.id.client, $0.id.tokenURL] }
    TextTable.lines(["ID", "STORED", "CLIENT", "TOKEN URL"], rows).forEach(Terminal.print)
  }
}

struct RemoveCredentialsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "rm", of: "credentials", "Remove sign-ins, so that you must sign in again.",
    status: ExitStatus.reporting)

  @OptionGroup var database: StoreOption

  @Argument(help: ArgumentHelp("The IDs that `pipeline credentials` lists.", valueName: "id"))
  var names: [String]

  func run() async throws {
    let database = try await database.connect()
    let all = try await Credentials.all(database)
    for name in names {
      guard let found = all.first(where: { $0.name == name }) else {
        throw CommandFailure.invalid(
          "no sign-in has the ID '\(name)'; `pipeline credentials` lists them")
      }
      let isRemoved =
        if let database { try await database.runs.remove(found.id) } else {
          try await FileCredentialStore.remove(name, in: Credentials.folder)
        }
      guard isRemoved else {
        throw CommandFailure.environment("sign-in '\(name)' is in use; try again")
      }
      Terminal.print("sign-in '\(name)' removed")
    }
  }
}

struct SignInCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "sign-in", of: "credentials", "Sign in for a pipeline before its first run.",
    status: ExitStatus.reporting)

  @Argument(help: "The pipeline's file.", completion: .file(extensions: ["yaml", "yml"])) var file:
    String

  @OptionGroup var inputs: InputOptions
  @OptionGroup var database: StoreOption
  @OptionGroup var state: StateOptions
  @OptionGroup var key: SealKeyOptions
  @OptionGroup var network: NetworkOptions
  @OptionGroup var reach: RootOption

  func run() async throws {
    PrivateProcess.keepFiles()
    let definition = try Definition.load(file, root: reach.folder)
    guard let pipeline = definition.pipeline.signingIn else {
      throw CommandFailure.invalid(
        "'\(file)' has no credentials whose sign-in is stored, so there is nothing to do")
    }
    var resolver = InputResolver(definition, inputs.selection, root: reach.folder)
    resolver.pipeline = pipeline
    let resolved = try resolver.resolve()
    let sealer = try key.source.sealer(for: pipeline, outside: state.folder)
    let final = try await execute(
      pipeline, resolved, Credentials.store(sealer, try await database.connect()))
    guard final.status == .finished else {
      throw CommandFailure(
        .incomplete, final.reason.map { "not signed in: \($0.message)" } ?? "not signed in")
    }
    Terminal.print("signed in; `pipeline credentials` lists the stored sign-ins")
  }

  private func execute(
    _ pipeline: Pipeline, _ resolved: InputResolver.Resolved, _ credentials: (any CredentialStore)?
  ) async throws -> RunState {
    let clock = SteadyClock()
    let network = try self.network.network()
    let configuration = network.transport(of: pipeline, isServerHere: false)
    let transport = try HTTPTransport(configuration: configuration, clock: clock)
    let scratch = try ScratchFolder(
      in: FileManager.default.temporaryDirectory.path + "/pipeline-\(getuid())")
    defer { withExtendedLifetime(scratch) {} }
    let store = InMemoryCheckpointStore(pipeline)
    let executor = Executor(
      evaluator: Evaluator(pipeline),
      ports: Executor.Ports(
        store: store, requests: transport, transfers: transport,
        files: try POSIXWorkspace(root: scratch.path), clock: clock,
        authorizer: RequestSigner(given: try network.givenKeys(for: pipeline)),
        credentials: credentials), observer: Notices())
    let signals = InterruptSignals.process
    signals.onFirst { executor.requestPause("stopped by a signal") }
    let state = RunState(
      id: RunCreation.name(pipeline.name), pipeline: pipeline, inputs: resolved.values,
      secrets: resolved.secrets, seed: .random(in: .min ... .max), began: clock.now(),
      keySeed: RunState.randomKeySeed())
    let result = await Result {
      try await executor.run(
        try await store.create(state, items: []), epoch: try await store.claim(),
        events: [.limitsKnown(ProcessLimits(networkTimeout: network.timeout)), .runBegan])
    }
    await transport.shutdown()
    return try result.get()
  }
}

/// Shows where to sign in.
private struct Notices: RunObserver {
  private let last = Locked("")

  func itemsLeft(_ items: [Item]) {}

  func progressed(_ progress: RunProgress) {
    let notice = progress.notices.joined(separator: "; ")
    let isNew = last.withLock { last in
      defer { last = notice }
      return last != notice
    }
    if isNew, !notice.isEmpty { Terminal.error(notice) }
  }
}

extension Pipeline {
  /// Only the steps that its own sign-ins need, which come first; `nil` if it does not store any.
  fileprivate var signingIn: Pipeline? {
    let own = steps.prefix { $0.loop == nil && !$0.id.rawValue.contains(".") }
    guard let last = own.lastIndex(where: { $0.signIn != nil }) else { return nil }
    let needed = Array(steps[...last])
    let names = Set(needed.flatMap(\.expressions).flatMap(\.compiled.references).map(\.variable))
    return Pipeline(
      name: name, description: description,
      inputs: inputs.filter { names.contains("inputs.\($0.name)") }, budgets: budgets,
      nodes: needed.indices.map { .step($0) }, steps: needed, loops: [])
  }
}
