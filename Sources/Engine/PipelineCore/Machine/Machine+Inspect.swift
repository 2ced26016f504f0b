/// The observable state of the machine.
extension Machine {
  /// Bytes of the disk budget that are in use.
  public var reservedDiskBytes: Int64 { ledger.diskBytes }
  /// Uploads that were handed over and have no response yet.
  public var queuedTransfers: Int { ledger.transfers }
  /// When the next waiting frame is due.
  public var nextDue: Instant? {
    let pause = batches.queues.isEmpty ? nil : state.pauses.values.map(\.until).min()
    return [waiting.earliest, batchDeadlines.min(), nextTrial, nextToken, pause].compactMap { $0 }
      .min()
  }

  /// Items that wait for the same batch as the item, including itself; 0 if it waits for none.
  public func queuedItems(with key: ItemKey) -> Int {
    guard let step = queuedBatchStep(of: key), let queue = batches.queues[step] else { return 0 }
    return queue.together(with: key)
  }

  /// The steps of an item's frame, by their index in ``Pipeline/steps``.
  public func steps(of key: ItemKey?) -> [(step: Int, state: StepState)] {
    frames.steps(of: key)
  }

  /// The invariants that must hold after each event; one sentence for each violation.
  public func violations() -> [String] {
    var found: [String] = []
    var reserved: Int64 = 0
    var transfers = 0
    for (key, _) in frames.all() {
      for (step, current) in steps(of: key) {
        let id = frames.effectID(StepPlace(key: key, step: step))
        if current.isInFlight != inFlight.contains(id) {
          found.append(
            "\(id) is \(current.status), but \(inFlight.contains(id) ? "is" : "is not") in flight")
        }
        reserved += current.reservedBytes
        if current.status == .running, pipeline.steps[step].transfer != nil { transfers += 1 }
      }
      if let key, waiting.blockers[key] == nil { found.append("item \(key) has no blocker") }
    }
    if state.status == .running, isRecovered, waiting.blockers[nil] == nil {
      found.append("the run has no blocker")
    }
    if reserved + ledger.discardingBytes != ledger.diskBytes {
      found.append(
        "the ledger counts \(ledger.diskBytes) bytes of disk, expected \(reserved) of steps and "
          + "\(ledger.discardingBytes) being deleted")
    }
    if agenda != Agenda() { found.append("the event left work: \(agenda)") }
    found += batchViolations() + renewalViolations() + resourceViolations() + rateViolations()
    for case let key? in waiting.blockers.keys where !frames.isInWindow(key) {
      found.append("item \(key) has a blocker, but is not in the window")
    }
    for id in inFlight
    where batches.inFlight[id] == nil && id.item.map({ !frames.isInWindow($0) }) == true {
      found.append("\(id) is in flight, but its item is not in the window")
    }
    found += queueViolations() + excessOfItems()
    for (key, blocker) in waiting.blockers
    where !isTrue(blocker, of: key) || state.status == .running && !isActual(blocker, for: key) {
      found.append(
        "\(key.map { "item \($0)" } ?? "the run") has a blocker that is not true: \(blocker)")
    }
    found += loopViolations
    if isStuck { found.append("the run is stuck: no event can end one of \(waiting.blockers)") }
    if transfers != ledger.transfers {
      found.append("the ledger counts \(ledger.transfers) transfers, expected \(transfers)")
    }
    if let limit = pipeline.budgets.diskBytes, ledger.diskBytes > limit {
      found.append("\(ledger.diskBytes) bytes of disk are reserved, more than the limit \(limit)")
    }
    if let limit = pipeline.budgets.transfers, ledger.transfers > limit {
      found.append("\(ledger.transfers) transfers are queued, more than the limit \(limit)")
    }
    return found
  }

  /// Loops that have started more items than they may.
  private func excessOfItems() -> [String] {
    pipeline.loops.indices.compactMap { loop in
      let (count, limit) = (state.loops[loop].active.count, pipeline.windowLimit(loop))
      return count > limit
        ? "\(count) items of loop \(loop) are started, at most \(limit) may be" : nil
    }
  }

  /// A queued frame waits only for the resource of its queue.
  private func queueViolations() -> [String] {
    var queued: [(key: ItemKey?, queue: Blocker.Queue)] = []
    func add(_ keys: some Sequence<ItemKey?>, _ queue: Blocker.Queue) {
      queued += keys.map { ($0, queue) }
    }
    add(waiting.disk.frames, .disk)
    add(waiting.transfers.frames, .transfers)
    add(waiting.connections.frames, .connections)
    add(waiting.allowance.frames, .allowance)
    add(waiting.rates.frames, .rate)
    for queue in waiting.steps.values { add(queue.frames, .step) }
    for (resource, shortage) in waiting.shortages {
      add(shortage.queue.frames, .shortage(resource))
    }
    add(waiting.delays.keys, .moment)
    return queued.compactMap { key, queue in
      if let key, !frames.isInWindow(key) {
        return "item \(key) is queued for \(queue), but is not in the window"
      }
      guard state.status == .running, waiting.blockers[key]?.queue != queue else { return nil }
      let blocker = waiting.blockers[key].map { "\($0)" } ?? "nothing"
      return
        "\(key.map { "item \($0)" } ?? "the run") is queued for \(queue), but its blocker is \(blocker)"
    }
  }

  /// Whether a running machine waits for nothing that will come, nor for an allowance.
  private var isStuck: Bool {
    guard state.status == .running || state.status == .cancelling && !hasStopped, isRecovered,
      inFlight.isEmpty, ledger.discards.isEmpty, reading.enumerations.isEmpty,
      !state.loops.contains(where: \.isLoading)
    else { return false }
    // A timer without a due event would only hide the problem.
    if let timer,
      ([waiting.earliest, nextTrial, nextToken].compactMap { $0 } + batchDeadlines
        + state.pauses.values.map(\.until))
        .contains(where: { $0 >= timer })
    {
      return false
    }
    guard case .unlimited = state.allowance else {
      return state.allowance == .none && waiting.allowance.isEmpty
        && !waiting.blockers.values.contains { if case .allowance = $0 { true } else { false } }
    }
    return true
  }

  /// Whether a frame's blocker is correct.
  private func isTrue(_ blocker: Blocker, of key: ItemKey?) -> Bool {
    switch blocker {
    case .attempt(let step): frames.stepState(step, for: key, \.status) == .running
    case .probe(let step): frames.stepState(step, for: key, \.status) == .probing
    case .compensation(nil): inFlight.contains { $0.item == key && $0.isCompensation }
    case .compensation(let until): waiting.delays[key] == until
    case .delay(_, let until), .earliest(_, let until):
      waiting.delays[key] == until || state.status != .running
    case .concurrency(let limit): limit > 0
    case .disk: waiting.disk.frames.contains(key)
    case .transfers: waiting.transfers.frames.contains(key)
    case .connections(let step, _):
      waiting.connections.frames.contains(key)
        || key.map { batches.queues[step]?.contains($0) == true } ?? false
    case .host(let name, let step, let until):
      state.status != .running || waiting.delays[key] == until
        || state.pauses[name] != nil
          && key.map { batches.queues[step]?.contains($0) == true } ?? false
    case .rate(_, let step, _):
      waiting.rates.contains(key) || key.map { batches.queues[step]?.contains($0) == true } ?? false
    case .shortage(let resource, _, let since, let until):
      state.status != .running
        || (waiting.shortages[resource]?.queue.frames.contains(key) == true
          && waiting.shortages[resource]?.since == since
          && waiting.shortages[resource]?.next == until)
    case .dependency(_, let step): waiting.steps[step]?.frames.contains(key) == true
    case .renewal(let step, let producer):
      renewals.pending[key]?.step == step && waiting.steps[producer]?.frames.contains(key) == true
    case .batch(let step, _, _), .batchUnderWay(let step):
      key.map { batches.queues[step]?.contains($0) == true } ?? false
    case .allowance(let step, _):
      waiting.allowance.frames.contains(key)
        || key.map { batches.queues[step]?.contains($0) == true } ?? false
    case .parts(let step): key?.part != nil || frames.hasOpenParts(step, for: key)
    case .loop, .enumeration: key == nil
    case .stopped: state.status != .running
    }
  }

  /// Whether the resource named by the blocker of a running frame is really missing,
  /// so that its end lets the frame continue.
  private func isActual(_ blocker: Blocker, for key: ItemKey?) -> Bool {
    switch blocker {
    case .concurrency(let limit):
      key.map { waiting.due(in: $0.loop).contains($0) && workingItems(in: $0.loop) >= limit }
        ?? false
    case .disk(_, let needed, let available):
      needed > available || waiting.disk.frames.count > 1
        || key.map { ledger.discards[$0] != nil } == true
    case .transfers(_, let limit):
      ledger.transfers >= limit || waiting.transfers.frames.first != .some(key)
    case .connections(_, let limit): ledger.exchanges >= limit
    case .dependency(_, let producer), .renewal(_, let producer):
      !frames.isSettled(producer, for: nil)
    case .allowance: state.allowance != .unlimited
    case .loop(let loop):
      state.loops[loop].counts[.pending] > 0 || !state.loops[loop].active.isEmpty
    case .enumeration(let loop): reading.enumerations.contains(loop)
    case .stopped: false
    // The place of the wait is sufficient.
    case .attempt, .probe, .compensation, .delay, .earliest, .host, .rate, .shortage, .batch,
      .batchUnderWay, .parts:
      true
    }
  }

  /// The counts of loops, and why their pending items do not start.
  private var loopViolations: [String] {
    state.loops.enumerated().flatMap { loop, current in
      var found: [String] = []
      if current.counts[.active] != current.active.count {
        found.append(
          "loop \(loop) counts \(current.counts[.active]) active items, expected \(current.active.count)"
        )
      }
      if current.active.values.reduce(0, { $0 + $1.bytesMoved }) > current.bytesMoved {
        found.append("loop \(loop) counts fewer bytes than its active items have moved")
      }
      if state.status == .running, isRecovered, current.isEnumerated, current.counts[.pending] > 0,
        pendingBlocker(of: loop) == nil
      {
        found.append("items of loop \(loop) do not begin, though nothing is in their way")
      }
      return found
    }
  }
}
