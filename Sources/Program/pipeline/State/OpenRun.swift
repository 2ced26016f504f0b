/// A run that this process has acquired.
struct OpenRun {
  let store: any RunStore
  let state: RunState
  let epoch: Int
  let pipeline: Pipeline

  /// Requeues items, or all that are paused or have failed, and returns the events for the run.
  func requeue(_ keys: [ItemKey]?) async throws -> [Event] {
    try await store.requeue(keys, epoch: epoch).filter { $0.paused + $0.failed > 0 }
      .map { .itemsRequeued(loop: $0.loop, paused: $0.paused, failed: $0.failed) }
  }

  func keys(_ filter: ItemFilter) async throws -> [ItemKey] {
    var keys: [ItemKey] = []
    for status in filter.statuses {
      var one = filter
      one.statuses = [status]
      try await one.enumerate(store, loops: pipeline.loops.indices) {
        keys.append($0.key)
        return true
      }
    }
    return keys.sorted()
  }

  func retry(_ statuses: Set<Item.Status>) async throws -> [Event] {
    let keys = try await keys(ItemFilter(statuses: statuses))
    return keys.isEmpty ? [] : try await requeue(keys)
  }
}
