enum ItemFormat: String, ExpressibleByArgument, CaseIterable { case table, json, csv }

enum ItemStatusName: String, ExpressibleByArgument, CaseIterable {
  case pending, active, paused, failed, done, skipped, cancelled

  var status: Item.Status? { Item.Status.allCases.first { $0.word == rawValue } }
}

struct ItemsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "items",
    "List the items of a run: their state, attempts, bytes, time and outputs.",
    """
    The outputs are those of an item's steps; secrets are never among them. `json` is an array with an object for each item, `csv` has \
    the outputs as JSON in the last column.

    EXAMPLES
      pipeline items  # all items of the newest run
      pipeline items --status failed --cause 403
      pipeline items --match 'x/*.jpg' --format csv > items.csv
      pipeline items RUN --status done --format json
      pipeline items --state one --state two --format csv > items.csv

    \(ExitStatus.reporting)
    """)

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
      let opened = try await RunView.open(run, in: try state.only())
      list.begin()
      list.moving = opened.progress?.transfers ?? []
      try await list.add(opened.store, opened.pipeline)
      await opened.store.close()
    }
    list.end()
  }
}

/// The items of a run, or of its shards in turn, as one list.
struct ItemList {
  let filter: ItemFilter
  let format: ItemFormat
  let limit: Int
  let line: (String) -> Void
  /// The transfers in progress of a run that a process works on.
  var moving: [RunProgress.Transfer] = []
  private var table = TextTable(ItemForm.titles)
  private var isInShards = false
  private var count = 0
  /// How many were left out because of the limit; `nil` if each item would have to be read for that.
  private var rest: Int? = 0
  private var isCut = false

  init(
    filter: ItemFilter, format: ItemFormat, limit: Int = .max, _ line: @escaping (String) -> Void
  ) { (self.filter, self.format, self.limit, self.line) = (filter, format, limit, line) }

  /// Starts the list; a list in shards has a column for them.
  mutating func begin(inShards isInShards: Bool = false) {
    self.isInShards = isInShards
    if isInShards { table = TextTable(["SHARD"] + ItemForm.titles) }
    if format == .csv { line((isInShards ? "shard," : "") + ItemForm.head) }
  }

  mutating func add(_ store: any RunStore, _ pipeline: Pipeline, shard: Shard? = nil) async throws {
    let before = count
    guard count < limit else { return try await leaveOut(store, after: 0) }
    let records = try await ItemRecords(store, pipeline)
    let place = isInShards ? shard : nil
    var full = false
    try await filter.enumerate(store, loops: pipeline.loops.indices) { item in
      guard count < limit else {
        full = true
        return false
      }
      count += 1
      var row = ItemForm(item, records[item.key], pipeline, shard: place)
      if item.status == .active, let transfer = moving.first(where: { $0.item == item.key }) {
        row.bytes_moved = max(row.bytes_moved, transfer.bytes)
      }
      put(row)
      return true
    }
    if full { try await leaveOut(store, after: count - before) }
  }

  private mutating func put(_ row: ItemForm) {
    switch format {
    case .table: table.add((isInShards ? [row.shard ?? ""] : []) + row.columns).forEach(line)
    case .json: line((count == 1 ? "[" : ",") + EncodedJSON.of(row))
    case .csv: line((isInShards ? (row.shard ?? "") + "," : "") + row.csv)
    }
  }

  /// Notes that only `shown` items of a store are in the list.
  private mutating func leaveOut(_ store: any RunStore, after shown: Int) async throws {
    guard filter.isByStatusOnly else {
      (isCut, rest) = (true, nil)
      return
    }
    let statuses = filter.statuses.isEmpty ? Set(Item.Status.allCases) : filter.statuses
    let all = try await store.load().loops.reduce(0) { sum, loop in
      statuses.reduce(sum) { $0 + loop.counts[$1] }
    }
    isCut = isCut || all > shown
    rest = rest.map { $0 + all - shown }
  }

  mutating func end() {
    switch format {
    case .json: line(count == 0 ? "[]" : "]")
    case .table:
      table.flush().forEach(line)
      if count == 0, !isCut { line("no items") }
      if isCut { line("and \(rest.map { "\($0) " } ?? "")more; --limit shows them") }
    case .csv: break
    }
  }
}
