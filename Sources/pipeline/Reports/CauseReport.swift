import PipelineCommands
import PipelineCore
import PipelineEngine

extension CauseForm {
  /// Counts the items of one state by cause, the most frequent cause first.
  static func all(
    in store: any RunStore, loop: Int, _ status: Item.Status
  ) async throws -> [CauseForm] {
    var found: [String: CauseForm] = [:]
    try await store.eachPage(of: loop, status) { page in
      for item in page {
        let cause = FailureTally.cause(of: item)
        if found[cause] == nil {
          found[cause] = CauseForm {
            $0.status = status.word
            $0.reason = item.reason.map(ReportFormatting.reason) ?? "no reason is known"
            $0.first = item.key.description
            $0.name = ReportFormatting.label(item)
          }
        }
        found[cause]?.items += 1
      }
    }
    return found.values.sorted { ($1.items, $0.first) < ($0.items, $1.first) }
  }

  var line: String {
    items == 1
      ? "\(first) \(name): \(status): \(reason)"
      : "\(items) × \(status): \(reason); the first is \(first) \(name)"
  }
}
