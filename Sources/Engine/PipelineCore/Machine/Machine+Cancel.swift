/// Cancelling a run: everything that its items left at servers is undone, if possible.
extension Machine {
  /// Rows of a loop that may have left something at the server.
  struct LeftoverRows: Hashable, Comparable {
    let loop: Int
    let status: Item.Status

    static func < (left: Self, right: Self) -> Bool {
      (left.loop, left.status.rawValue) < (right.loop, right.status.rawValue)
    }
  }

  /// Abandons items until one must wait for a response.
  mutating func giveUpItems(at now: Instant) {
    var isMoving = true
    while isMoving, state.status == .cancelling, inFlight.isEmpty, !isHalting {
      let before = state.loops.reduce(0) { $0 + $1.active.count }
      finishCancelling(at: now)
      drain(at: now)
      isMoving = state.loops.reduce(0) { $0 + $1.active.count } < before
    }
  }

  /// Records which rows, in addition to the paused ones, may have left something in an earlier try.
  mutating func findLeftovers() {
    var rows: [LeftoverRows] = []
    for (loop, current) in state.loops.enumerated() {
      if current.leftAtServer > 0 { rows.append(LeftoverRows(loop: loop, status: .failed)) }
      if current.isRequeued { rows.append(LeftoverRows(loop: loop, status: .pending)) }
    }
    leftoverCursors = Dictionary(uniqueKeysWithValues: rows.map { ($0, -1) })
  }

  /// With nothing in flight: abandons active items, paused ones, leftovers, then the rest.
  private mutating func finishCancelling(at now: Instant) {
    for loop in state.loops.indices {
      for ordinal in state.loops[loop].active.keys.sorted() {
        let key = ItemKey(loop: loop, ordinal: ordinal)
        if abandonProgress(of: key) == nil {
          leaveWindow(key, as: .cancelled, reason: item(key)?.reason, at: now)
        } else if waiting.delays[key] == nil {
          advance(key, at: now)
        }
      }
      guard state.loops[loop].active.isEmpty else { return }
      if state.loops[loop].counts[.paused] > 0 {
        loadLeftovers(loop, .paused, after: -1)
        return
      }
      if let rows = leftoverCursors.keys.filter({ $0.loop == loop }).min() {
        loadLeftovers(loop, rows.status, after: leftoverCursors[rows] ?? -1)
        return
      }
      let pending = state.loops[loop].counts[.pending]
      if pending > 0 {
        changes.cancelledLoops.append(loop)
        count(loop, .pending, -pending)
        count(loop, .cancelled, pending)
      }
      if state.loops[loop].isRequeued { state.loops[loop].isRequeued = false }
    }
    guard inFlight.isEmpty else { return }
    endRun(as: .cancelled, nil, at: now)
  }

  private mutating func loadLeftovers(_ loop: Int, _ status: Item.Status, after: Int) {
    guard !state.loops[loop].isLoading else { return }
    state.loops[loop].isLoading = true
    state.loops[loop].cursor = after
    effects.append(
      .loadItems(
        loop: loop, status: status, after: after, limit: Self.readAhead(pipeline.loops[loop])))
  }

  mutating func abandonLoaded(_ loop: Int, isLast: Bool) {
    let items = state.loops[loop].ready
    state.loops[loop].ready = []
    guard !isHalting else { return }
    let isPass = state.loops[loop].counts[.paused] == 0
    // As many at once as the loop permits; the others are read again.
    let limit = pipeline.loops[loop].concurrency
    var next = items.startIndex
    while next < items.endIndex, state.loops[loop].active.count < limit {
      var item = items[next]
      next += 1
      switch item.status {
      case .paused: break
      case .failed: guard item.isLeftAtServer else { continue }
      case .pending: guard item.frame.contains(where: { $0.generation > 0 }) else { continue }
      case .active, .done, .skipped, .cancelled: continue
      }
      if let left = item.abandoning {
        state.loops[loop].leftAtServer -= 1
        item.abandoning = Self.restarted(left)
        item.reason = left.cause
      }
      count(loop, item.status, -1)
      count(loop, .active, 1)
      item.status = .active
      state.loops[loop].active[item.key.ordinal] = item
      holdParts(of: item)
    }
    guard isPass, let rows = leftoverCursors.keys.filter({ $0.loop == loop }).min() else { return }
    if next == items.endIndex, isLast || items.isEmpty {
      leftoverCursors[rows] = nil
    } else if next > items.startIndex {
      leftoverCursors[rows] = items[next - 1].key.ordinal
    }
  }

  /// The compensations that an earlier try of an item left over, to be sent again.
  private static func restarted(_ left: Item.AbandonProgress) -> Item.AbandonProgress {
    var again = Item.AbandonProgress(
      index: 0, attempt: left.attempt, next: left.next, isUndone: left.isUndone)
    again.only = left.left
    again.cause = left.cause
    return again
  }
}
