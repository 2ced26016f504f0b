struct ChangeKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "change-key", "Encrypt the sealed values of runs with another key.",
    status: ExitStatus.help([
      (.done, "all sealed values have the new key"),
      (.invalid, "the run was not found, or a key is invalid"),
      (.environment, "another process is working on a run, or a store cannot be written"),
      (.usage, ExitStatus.usage.meaning),
    ]))

  @OptionGroup var state: StateOptions
  @OptionGroup var key: SealKeyOptions
  @OptionGroup var database: StoreOption
  @Option(help: .help("Command that prints the new key.", "command")) var newKeyCommand: String?
  @Option(help: .help("File with the new key.", "file")) var newKeyFile: String?
  @Argument(help: "The run (default: all runs).") var run: String?

  func validate() throws {
    guard (newKeyCommand == nil) != (newKeyFile == nil) else {
      throw ValidationError("Specify the new key with --new-key-command or --new-key-file.")
    }
  }

  func run() async throws {
    PrivateProcess.keepFiles()
    let new = try SealKey(command: newKeyCommand, file: newKeyFile, variable: nil)
      .text(outside: state.folder)
    guard let new else { return }
    let sealer = try SealKey.sealer(new, earlier: try key.source.textOrUsers(outside: state.folder))
    let database = try await database.connect()
    if let database {
      guard run == nil else {
        throw CommandFailure.invalid("the sealed values of runs in a database cannot be changed")
      }
      return try await changeSignIns(database, sealer)
    }
    let folders = try run.map { [try state.folder.find($0)] } ?? state.folder.folders()
    for folder in folders { try await change(folder, sealer) }
    try await changeSignIns(nil, sealer)
  }

  private func changeSignIns(_ database: RunDatabase?, _ sealer: AESGCMSealer) async throws {
    let ids = try await Credentials.all(database).map(\.id)
    guard !ids.isEmpty, let store = Credentials.store(sealer, database) else { return }
    Self.say("credentials", try await store.reseal(ids))
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
    Self.say(folder.id.rawValue, count)
  }

  private static func say(_ name: String, _ count: (changed: Int, lost: Int)) {
    Terminal.print(
      "\(name): \(ReportFormatting.count(count.changed, "sealed value")) changed"
        + (count.lost == 0 ? "" : ", \(count.lost) could not be opened"))
  }
}

struct Resealing {
  let store: any RunStore
  let pipeline: Pipeline

  /// Reports which sealed values of the run's steps cannot be opened; they are recreated.
  static func report(_ frame: Frame, _ pipeline: Pipeline) {
    let lost = zip(pipeline.runSteps, frame).filter { index, step in
      // The credential store decides whether a sign-in can be used.
      pipeline.steps[index].signIn == nil
        && (step.outputs + step.previous).contains { $0.value == nil && $0.sealedText != nil }
    }
    guard !lost.isEmpty else { return }
    let names = lost.map { "'\(pipeline.steps[$0.0].id)'" }.joined(separator: ", ")
    Terminal.error(
      "the key does not open the sealed values of \(names): they are recreated, as if they had expired"
    )
  }

  /// Stores every sealed value with the store's key, and counts those that the old key did not open as lost.
  func run(epoch: Int) async throws -> (changed: Int, lost: Int) {
    var (changed, lost) = (0, 0)
    func fresh(_ outputs: [OutputValue]) -> [OutputValue] {
      outputs.map { output in
        guard output.isSealed, output.sealedText != nil else { return output }
        guard output.value != nil else {
          lost += 1
          return output
        }
        changed += 1
        return output.with(sealedText: nil)
      }
    }
    func fresh(_ frame: Frame) -> Frame {
      frame.map { step in
        var step = step
        step.outputs = fresh(step.outputs)
        step.previous = fresh(step.previous)
        if let active = step.parts?.active { step.parts?.active = active.mapValues(fresh) }
        return step
      }
    }
    var state = try await store.load()
    state.frame = fresh(state.frame)
    var active: [Item] = []
    for loop in state.loops.indices {
      for (ordinal, item) in state.loops[loop].active {
        state.loops[loop].active[ordinal]?.frame = fresh(item.frame)
        if let item = state.loops[loop].active[ordinal] { active.append(item) }
      }
    }
    try await store.commit(
      CheckpointBatch(
        epoch: epoch, at: state.latestInstant, events: [],
        checkpoint: Checkpoint(items: active, state: state, isDurable: true)))
    for loop in pipeline.loops.indices {
      for status in Item.Status.allCases where status != .active {
        try await store.eachPage(of: loop, status) { items in
          try await store.replace(
            items.filter { !$0.frame.isEmpty }.map { item in
              var item = item
              item.frame = fresh(item.frame)
              return item
            }, epoch: epoch)
        }
      }
    }
    return (changed, lost)
  }
}
