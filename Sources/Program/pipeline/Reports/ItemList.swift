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

extension ItemForm {
  /// `put.etag=abc, put.version=2`.
  private var outputText: String {
    outputs.sorted { $0.key < $1.key }.flatMap { step, values in
      values.sorted { $0.key < $1.key }.map { "\(step).\($0.key)=\($0.value.text)" }
    }.joined(separator: ", ")
  }

  static let titles = ["ITEM", "STATUS", "TRIES", "MOVED", "TIME", "NAME", "OUTPUTS OR REASON"]

  var columns: [String] {
    [
      item, status, "\(attempts)", ReportFormatting.bytes(bytes_moved),
      seconds.map { ReportFormatting.duration(.seconds($0)) } ?? "-", name, reason ?? outputText,
    ]
  }
}

enum ItemFormat: String, CaseIterable { case table, json, csv }

/// The outcome of a run and of each of its items, as a file.
struct Manifest {
  let output: OutputFile

  /// Writes it whole, or not at all.
  func write(_ report: RunReport, _ pipeline: Pipeline, _ store: any RunStore) async throws {
    let isTable = output.path.lowercased().hasSuffix(".csv")
    try await output.write { put in
      var list = ItemList(filter: ItemFilter(statuses: []), format: isTable ? .csv : .json, put)
      if !isTable {
        // The items follow as a member, so that a million of them need not be in memory.
        put(String(report.json().dropLast()) + ",\"each\":")
      }
      list.begin()
      try await list.add(store, pipeline)
      list.end()
      if !isTable { put("}") }
    }
  }
}
