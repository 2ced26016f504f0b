/// What must hold after each event; tests check it.
struct Invariants {
  let machine: Machine
  private var frames: Frames { machine.frames }
  private var state: RunState { machine.state }
  private var pipeline: Pipeline { machine.pipeline }
  private var waiting: WaitingFrames { machine.waiting }
  private var batches: Batches { machine.batches }
  private var ledger: Ledger { machine.ledger }

  /// The invariants that must hold after each event; one sentence for each violation.
  func violations() -> [String] {
    var found: [String] = []
    var reserved: Int64 = 0
    var transfers = 0
    for (key, _) in frames.all() {
      for (step, current) in machine.steps(of: key) {
        let id = frames.effectID(StepPlace(key: key, step: step))
        if current.isInFlight != machine.inFlight.contains(id) {
          found.append(
            "\(id) is \(current.status), but \(machine.inFlight.contains(id) ? "is" : "is not") in flight"
          )
        }
        reserved += current.reservedBytes
        if current.status == .running, pipeline.steps[step].transfer != nil { transfers += 1 }
      }
      if let key, waiting.blockers[key] == nil { found.append("item \(key) has no blocker") }
    }
    if state.status == .running, machine.isRecovered, waiting.blockers[nil] == nil {
      found.append("the run has no blocker")
    }
    found += ledgerViolations(reserved, transfers)
    if machine.agenda != Agenda() { found.append("the event left work: \(machine.agenda)") }
    found += batchViolations() + renewalViolations() + resourceViolations() + rateViolations()
    for case let key? in waiting.blockers.keys where !frames.isInWindow(key) {
      found.append("item \(key) has a blocker, but is not in the window")
    }
    for id in machine.inFlight
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
    return found
  }

  /// What the ledger counts, and how much of the budgets it has given away.
  private func ledgerViolations(_ reserved: Int64, _ transfers: Int) -> [String] {
    var found: [String] = []
    if reserved + ledger.discardingBytes != ledger.diskBytes {
      found.append(
        "the ledger counts \(ledger.diskBytes) bytes of disk, expected \(reserved) of steps and "
          + "\(ledger.discardingBytes) being deleted")
    }
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
    guard state.status == .running || state.status == .cancelling && !machine.hasStopped,
      machine.isRecovered, machine.inFlight.isEmpty, ledger.discards.isEmpty,
      machine.reading.enumerations.isEmpty, !state.loops.contains(where: \.isLoading)
    else { return false }
    // A timer without a due event would only hide the problem.
    if let timer = machine.timer,
      ([waiting.earliest, machine.nextTrial, machine.nextToken].compactMap { $0 }
        + batches.deadlines(in: pipeline) + state.pauses.values.map(\.until)).contains(where: {
          $0 >= timer
        })
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
    case .compensation(nil): machine.inFlight.contains { $0.item == key && $0.isCompensation }
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
      machine.renewals.pending[key]?.step == step
        && waiting.steps[producer]?.frames.contains(key) == true
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
      key.map {
        waiting.due(in: $0.loop).contains($0) && machine.workingItems(in: $0.loop) >= limit
      } ?? false
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
    case .enumeration(let loop): machine.reading.enumerations.contains(loop)
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
      if state.status == .running, machine.isRecovered, current.isEnumerated,
        current.counts[.pending] > 0, machine.pendingBlocker(of: loop) == nil
      {
        found.append("items of loop \(loop) do not begin, though nothing is in their way")
      }
      return found
    }
  }

  private func batchViolations() -> [String] {
    var found: [String] = []
    for (step, queue) in batches.queues {
      for key in queue.fresh + queue.resends.values.joined() {
        let current = frames.stepState(step, for: key)
        let isRight =
          switch current?.status {
          case .queued?: current?.batch == nil
          case .pending?, .unknown?: current?.batch != nil
          case .running?, .probing?, .succeeded?, .skipped?, nil: false
          }
        if !isRight {
          found.append(
            "item \(key) is queued for a batch of step \(step), but its status does not allow it")
        }
      }
    }
    for (id, members) in batches.inFlight {
      let areIn = members.allSatisfy { key in
        guard let step = id.step else { return false }
        return frames.stepState(step, for: key, \.isInFlight) == true
          && frames.effectID(StepPlace(key: key, step: step)) == id
      }
      if !areIn || !machine.inFlight.contains(id) {
        found.append("\(id) is a batch of \(members), but not all of them are in it")
      }
    }
    return found
  }

  private func renewalViolations() -> [String] {
    machine.renewals.pending.compactMap { key, asking in
      let place = StepPlace(key: key, step: asking.step)
      guard machine.inFlight.contains(frames.effectID(place)), state.status == .running,
        frames.stepState(asking.step, for: key, \.status) == .running
      else { return "\(frames.effectID(place)) asked for a new request, but is not in flight" }
      guard key != nil else { return nil }
      if case .renewal = waiting.blockers[key] { return nil }
      if case .rate = waiting.blockers[key] { return nil }
      return "\(frames.effectID(place)) asked for a new request, but its blocker is not a renewal"
    }
  }

  private func resourceViolations() -> [String] {
    var found: [String] = []
    let exchanges = machine.inFlight.count(where: pipeline.isExchange)
    if exchanges != ledger.exchanges {
      found.append("the ledger counts \(ledger.exchanges) exchanges, expected \(exchanges)")
    }
    for (resource, shortage) in waiting.shortages {
      for case let key? in shortage.queue.frames where !frames.isInWindow(key) {
        found.append("item \(key) is queued for \(resource), but is not in the window")
      }
    }
    return found
  }

  private func rateViolations() -> [String] {
    waiting.rates.entries.compactMap { entry in
      entry.rates.contains(entry.lacking) ? nil : "a frame waits for a rate that it does not need"
    }
  }
}
