extension CheckpointStore {
  /// Calls `body` with the items of a loop in a state, page by page.
  package func eachPage(
    of loop: Int, _ status: Item.Status, _ body: ([Item]) async throws -> Void
  ) async throws {
    var after = -1
    while true {
      let items = try await items(loop: loop, status: status, after: after, limit: 1000)
      guard let last = items.last else { return }
      try await body(items)
      after = last.key.ordinal
    }
  }

  /// Calls `body` with each batch of the history after a sequence.
  package func eachBatch(
    after first: Int = 0, _ body: (HistoryBatch) async throws -> Void
  ) async throws {
    var after = first
    while true {
      let batches = try await history(after: after, limit: 256)
      guard let last = batches.last else { return }
      for batch in batches { try await body(batch) }
      after = last.sequence
    }
  }
}
