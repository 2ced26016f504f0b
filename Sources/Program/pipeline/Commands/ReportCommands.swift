struct RunView: ParsableArguments {
  @Argument(help: "The run: its ID, the start of that, or its name (default: the newest run).")
  var run: String?

  @OptionGroup var state: StatesOptions
  @OptionGroup var database: StoreOption
  @OptionGroup var form: FormatOptions

  func open() async throws -> RunSnapshot { try await open(run) }

  func open(_ name: String?) async throws -> RunSnapshot {
    try await RunSnapshot.open(name, in: try state.only())
  }

  /// The selected shards: those of a run in a database, or in several folders; `nil` if that is one run, or one shard.
  static func shards(_ run: String?, _ state: StatesOptions, _ database: StoreOption) async throws
    -> ShardedRun?
  {
    guard let database = try await database.connect() else {
      return try ShardedRun.find(run, in: state.folders)
    }
    return try await shards(run, in: database)
  }

  /// The selected shards, and the item; the only argument may be an item of the newest run.
  func shardsAndItem(_ item: String?) async throws -> (ShardedRun, String?)? {
    guard let database = try await database.connect() else { return nil }
    let found: (run: StoredRun, shard: Int?)
    do { found = try await database.findShard(run) } catch let failure as CommandFailure
      where failure.status == .invalid && item == nil
    {
      guard let run, let newest = try? await Self.shards(nil, in: database) else { throw failure }
      return (newest, run)
    }
    return (try await DatabaseView(database).shards(of: found.run, only: found.shard), item)
  }

  /// The shards of a run in a database, or the one that is named after it.
  static func shards(_ run: String?, in database: RunDatabase) async throws -> ShardedRun {
    let (found, number) = try await database.findShard(run)
    return try await DatabaseView(database).shards(of: found, only: number)
  }
}

struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "status", "Show the state and the progress of a run.", status: ExitStatus.reporting)

  @OptionGroup var view: RunView

  @Flag(help: "Print the state again whenever it changes, as long as a process works on the run.")
  var watch = false
  /// How often ``watch`` looks.
  private static let interval: Duration = .seconds(1)

  func run() async throws {
    var last = ""
    while try await show(&last), watch { try await Task.sleep(for: Self.interval) }
  }

  /// Prints the state unless it is the last one; returns whether a process works on the run.
  private func show(_ last: inout String) async throws -> Bool {
    if let shards = try await RunView.shards(view.run, view.state, view.database) {
      let report = try await ShardedReport(shards)
      if report.json() != last { report.print(view.form.format) }
      last = report.json()
      return report.isWorkedOn
    }
    let opened = try await view.open()
    let report = await opened.report()
    await opened.store.close()
    if report.json() != last { report.print(view.form.format) }
    last = report.json()
    return opened.isWorkedOn
  }
}

struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "explain", "Explain why items are waiting, since when, and what would unblock them.",
    status: ExitStatus.reporting)

  @OptionGroup var view: RunView
  @Argument(help: "An item, by its name, its path or LOOP/NUMBER.") var item: String?
  @Option(help: "Maximum number of items to show of each kind.") var limit = 20

  func run() async throws {
    if view.database.store != nil { return try await explainInDatabase() }
    let arguments = ItemArguments(
      run: view.run, items: item.map { [$0] } ?? [], in: view.state.folders[0])
    if arguments.names.isEmpty,
      let shards = try await RunView.shards(arguments.run, view.state, view.database)
    {
      return try await explain(shards)
    }
    let opened = try await view.open(arguments.run)
    let explanation = ExplanationText(opened: opened, limit: limit)
    if let found = try await arguments.items(ItemNames(opened)).first {
      try await explanation.item(found.key, view.form.format).forEach(Terminal.print)
    } else {
      try await explanation.run(view.form.format).forEach(Terminal.print)
    }
    await opened.store.close()
  }

  private func explainInDatabase() async throws {
    guard let (shards, item) = try await view.shardsAndItem(item) else { return }
    guard let item else { return try await explain(shards) }
    let found = try await shards.item(item)
    try await ExplanationText(opened: found.opened, limit: limit).item(found.key, view.form.format)
      .forEach(Terminal.print)
    await found.opened.store.close()
  }

  /// The report of each shard; as JSON, in an array.
  private func explain(_ shards: ShardedRun) async throws {
    let isJSON = view.form.format == .json
    var separator = "["
    try await shards.each { opened, _ in
      for line in try await ExplanationText(opened: opened, limit: limit).run(view.form.format) {
        Terminal.print((isJSON ? separator : "") + line)
      }
      separator = ","
    }
    if isJSON { Terminal.print("]") } else if let remark = shards.remark { Terminal.print(remark) }
  }
}

struct HistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "history", "Print the events of a run.", status: ExitStatus.reporting)

  @OptionGroup var view: RunView
  @Argument(help: "An item, by its name, its path or LOOP/NUMBER.") var item: String?

  func run() async throws {
    if view.database.store != nil { return try await printFromDatabase() }
    let arguments = ItemArguments(
      run: view.run, items: item.map { [$0] } ?? [], in: try view.state.only())
    let opened = try await view.open(arguments.run)
    try await print(opened, try await arguments.items(ItemNames(opened)).first?.key)
    await opened.store.close()
  }

  private func printFromDatabase() async throws {
    guard let (shards, item) = try await view.shardsAndItem(item) else { return }
    if let item {
      let found = try await shards.item(item)
      try await print(found.opened, found.key)
      await found.opened.store.close()
      return
    }
    try await shards.each { opened, part in
      if shards.parts.count > 1, view.form.format == .text { Terminal.print("shard \(part.shard)") }
      try await print(opened, nil)
    }
  }

  private func print(_ opened: RunSnapshot, _ key: ItemKey?) async throws {
    var reasons = RepeatReasons(opened.pipeline)
    try await opened.store.eachBatch { batch in
      HistoryText.lines(reasons.annotated(batch), of: opened.pipeline, only: key, view.form.format)
        .forEach(Terminal.print)
    }
  }
}
