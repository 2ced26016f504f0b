/// Cancelling a run: everything that its items left at servers is undone, if possible.
extension Machine {
  /// Abandons items until one must wait for a response.
  mutating func giveUpItems(at now: Instant) {
    var isMoving = true
    while isMoving, state.status == .cancelling, inFlight.isEmpty, !cancellation.isHalting {
      let before = state.loops.reduce(0) { $0 + $1.active.count }
      finishCancelling(at: now)
      drain(at: now)
      isMoving = state.loops.reduce(0) { $0 + $1.active.count } < before
    }
  }

  /// With nothing in flight: abandons active items, paused ones, leftovers, then the rest.
  private mutating func finishCancelling(at now: Instant) {
    for loop in state.loops.indices {
      for ordinal in state.loops[loop].active.keys.sorted() {
        let key = ItemKey(loop: loop, ordinal: ordinal)
        if frames.abandonProgress(of: key) == nil {
          leaveWindow(key, as: .cancelled, reason: frames.item(key)?.reason, at: now)
        } else if waiting.delays[key] == nil {
          advance(key, at: now)
        }
      }
      guard state.loops[loop].active.isEmpty else { return }
      if state.loops[loop].counts[.paused] > 0 {
        loadLeftovers(loop, .paused, after: -1)
        return
      }
      if let rows = cancellation.nextLeftovers(of: loop) {
        loadLeftovers(loop, rows.status, after: cancellation.leftovers[rows] ?? -1)
        return
      }
      let pending = state.loops[loop].counts[.pending]
      if pending > 0 {
        frames.changes.cancelledLoops.append(loop)
        frames.count(loop, .pending, -pending)
        frames.count(loop, .cancelled, pending)
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
    agenda.effects.append(
      .loadItems(
        loop: loop, status: status, after: after, limit: pipeline.loops[loop].readAhead))
  }

  mutating func abandonLoaded(_ loop: Int, isLast: Bool) {
    let items = state.loops[loop].ready
    state.loops[loop].ready = []
    guard !cancellation.isHalting else { return }
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
        item.abandoning = left.restarted
        item.reason = left.cause
      }
      frames.count(loop, item.status, -1)
      frames.count(loop, .active, 1)
      item.status = .active
      state.loops[loop].active[item.key.ordinal] = item
      holdParts(of: item)
    }
    guard isPass, let rows = cancellation.nextLeftovers(of: loop) else { return }
    if next == items.endIndex, isLast || items.isEmpty {
      cancellation.leftovers[rows] = nil
    } else if next > items.startIndex {
      cancellation.leftovers[rows] = items[next - 1].key.ordinal
    }
  }
}
