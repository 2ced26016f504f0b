struct ItemFilter {
  /// Empty means any.
  var statuses: Set<Item.Status>
  var cause: String?
  var match: FileExclusion?
  var isByStatusOnly: Bool { cause == nil && match == nil }

  func includes(_ item: Item) -> Bool {
    guard statuses.isEmpty || statuses.contains(item.status) else { return false }
    if let match, !match.leavesOut(file: item.subject.place) { return false }
    guard let cause else { return true }
    guard let reason = item.reason else { return false }
    if let status = reason.status, cause == String(status) { return true }
    return reason.message.lowercased().contains(cause.lowercased())
  }

  /// Calls `visit` with each item that it includes, loop by loop, until it returns `false`; memory is one page of items.
  func enumerate(
    _ store: any RunStore, loops: Range<Int>, _ visit: (Item) async throws -> Bool
  ) async throws {
    // An index finds the open ones by status; of several statuses all items are read.
    let status = statuses.count == 1 ? statuses.first : nil
    for loop in loops {
      var after = -1
      while true {
        let items = try await store.items(loop: loop, status: status, after: after, limit: 1000)
        guard let last = items.last else { break }
        after = last.key.ordinal
        for item in items where includes(item) { guard try await visit(item) else { return } }
      }
    }
  }
}
