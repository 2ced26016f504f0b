import ArgumentParser
import Foundation
import PipelineCommands
import PipelineCore
import PipelineEngine

/// How `pipeline items` prints.
enum ItemFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json, csv
}

/// The statuses of items, in words.
enum ItemStatusName: String, ExpressibleByArgument, CaseIterable {
  case pending, active, paused, failed, done, skipped, cancelled

  var status: Item.Status {
    switch self {
    case .pending: .pending
    case .active: .active
    case .paused: .paused
    case .failed: .failed
    case .done: .done
    case .skipped: .skipped
    case .cancelled: .cancelled
    }
  }
}

struct ItemsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "items", _superCommandName: "pipeline",
    abstract:
      "List the items of a run: their state, attempts, bytes, time, and what the server called them.",
    discussion: """
      The outputs are those of an item's steps; secrets are never among them. `json` is an array with an object for each item, `csv` has \
      the outputs as JSON in the last column.

      EXAMPLES
        pipeline items                                   all items of the newest run
        pipeline items --status failed --cause 403
        pipeline items --match 'x/*.jpg' --format csv > items.csv
        pipeline items RUN --status done --format json

      \(ExitStatus.reporting)
      """)

  @Argument(help: "The run: its ID, the start of that, or its name (default: the newest run).")
  var run: String?

  @OptionGroup var state: StateOptions

  @Option(
    name: .customLong("status"), help: "Only items in this state; repeat it for more.")
  var statuses: [ItemStatusName] = []

  @OptionGroup var filter: ItemFilterOptions

  @Option(help: "Maximum number of items to show (default: all).")
  var limit: Int?

  @Option(help: "Format of the list.")
  var format: ItemFormat = .table

  func run() async throws {
    let filter = try self.filter.filter(Set(statuses.map(\.status)))
    let opened = try await RunView.open(run, in: state.folder)
    do {
      let list = ItemList(store: opened.store, pipeline: opened.pipeline)
      try await list.write(filter, format, limit: limit ?? .max) { line in
        // A file has the names as they are; a terminal shows what would move its cursor.
        if format == .csv, isatty(STDOUT_FILENO) == 0 {
          Terminal.write(line + "\n", to: STDOUT_FILENO)
        } else {
          Terminal.print(line)
        }
      }
    } catch let failure as StoreFailure {
      throw CommandFailure(storeFailure: failure)
    }
    await opened.store.close()
  }
}

/// The items of a run as a list.
struct ItemList {
  let store: any RunStore
  let pipeline: Pipeline

  /// Calls `line` with each line of the list.
  func write(
    _ filter: ItemFilter, _ format: ItemFormat, limit: Int = .max, _ line: (String) -> Void
  ) async throws {
    let records = try await ItemRecords(store, pipeline)
    var table = TextTable(ItemRow.titles)
    var count = 0
    if format == .csv { line(ItemRow.head) }
    try await filter.enumerate(store, loops: pipeline.loops.indices) { item in
      count += 1
      guard count <= limit else { return }
      let row = ItemRow(item, records[item.key], pipeline)
      switch format {
      case .table: table.add(row.columns).forEach(line)
      case .json: line((count == 1 ? "[" : ",") + EncodedJSON.of(row))
      case .csv: line(row.csv)
      }
    }
    switch format {
    case .json: line(count == 0 ? "[]" : "]")
    case .table:
      table.flush().forEach(line)
      if count == 0 { line("no items") }
      if count > limit { line("and \(count - limit) more; --limit shows them") }
    case .csv: break
    }
  }
}
