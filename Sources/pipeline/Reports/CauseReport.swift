import PipelineCore
import PipelineEngine

/// Many items that ended alike: one line with their number.
struct CauseReport: Encodable {
  let status: String
  let reason: String
  private(set) var items: Int
  /// The first of them.
  let first: String
  let name: String

  /// Counts the items of one state by cause, the most frequent cause first.
  static func all(
    in store: any RunStore, loop: Int, _ status: Item.Status
  ) async throws(StoreFailure) -> [CauseReport] {
    var found: [String: CauseReport] = [:]
    var last = -1
    while true {
      let page = try await store.items(loop: loop, status: status, after: last, limit: 1000)
      for item in page {
        let cause = FailureTally.cause(of: item)
        if found[cause] == nil {
          found[cause] = CauseReport(
            status: ReportFormatting.status(status),
            reason: item.reason.map(ReportFormatting.reason) ?? "no reason is known", items: 0,
            first: item.key.description, name: ReportFormatting.label(item))
        }
        found[cause]?.items += 1
      }
      guard let end = page.last, page.count == 1000 else { break }
      last = end.key.ordinal
    }
    return found.values.sorted { ($1.items, $0.first) < ($0.items, $1.first) }
  }

  var line: String {
    items == 1
      ? "\(first) \(name): \(status): \(reason)"
      : "\(items) × \(status): \(reason); the first is \(first) \(name)"
  }
}
