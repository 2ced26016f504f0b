enum ItemStatusName: String, ExpressibleByArgument, CaseIterable {
  case pending, active, paused, failed, done, skipped, cancelled

  var status: Item.Status? { Item.Status.allCases.first { $0.word == rawValue } }
}

struct ItemsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "items", "List the items of a run: their state, attempts, bytes, time and outputs.",
    status: ExitStatus.reporting)

  @Argument(help: "The run: its ID, the start of that, or its name (default: the newest run).")
  var run: String?

  @OptionGroup var state: StatesOptions
  @OptionGroup var database: StoreOption

  @Option(name: .customLong("status"), help: "Only items in this state; repeat it for more.")
  var statuses: [ItemStatusName] = []

  @OptionGroup var filter: ItemFilterOptions
  @Option(help: "Maximum number of items to show (default: all).") var limit: Int?
  @Option(help: "Format of the list.") var format: ItemFormat = .table

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit must be at least 0.") }
  }

  func run() async throws {
    let filter = try self.filter.filter(Set(statuses.compactMap(\.status)))
    var list = ItemList(filter: filter, format: format, limit: limit ?? .max) { line in
      // A file has the names as they are; a terminal shows what would move its cursor.
      if format == .csv, isatty(STDOUT_FILENO) == 0 {
        Terminal.write(line + "\n", to: STDOUT_FILENO)
      } else {
        Terminal.print(line)
      }
    }
    if let shards = try await RunView.shards(run, state, database) {
      list.begin(inShards: true)
      try await shards.each { opened, part in
        try await list.add(opened.store, opened.pipeline, shard: part.shard)
      }
    } else {
      let opened = try await RunSnapshot.open(run, in: try state.only())
      list.begin()
      list.moving = opened.progress?.transfers ?? []
      try await list.add(opened.store, opened.pipeline)
      await opened.store.close()
    }
    list.end()
  }
}
