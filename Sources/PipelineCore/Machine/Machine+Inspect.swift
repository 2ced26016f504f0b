/// What others may see of the machine.
extension Machine {
  /// Bytes of the disk budget that are held.
  public var reservedDiskBytes: Int64 { ledger.diskBytes }
  /// Uploads handed over and not answered.
  public var queuedTransfers: Int { ledger.transfers }
  /// When the next waiting frame is due.
  public var nextDue: Instant? { delayed.values.min() }

  /// The steps of an item's frame, by their index in ``Pipeline/steps``.
  public func steps(of key: ItemKey?) -> [(step: Int, state: StepState)] {
    let steps = key.map { pipeline.loops[$0.loop].steps } ?? pipeline.runSteps
    return Array(zip(steps, frame(key)))
  }

  /// What must hold after each event; a sentence for each that does not.
  public func violations() -> [String] {
    var found: [String] = []
    var reserved: Int64 = 0
    var transfers = 0
    for (key, _) in frames() {
      for (step, current) in steps(of: key) {
        let id = EffectID(
          run: state.id, item: key, step: step, generation: current.generation,
          attempt: current.attempt)
        if current.isInFlight != inFlight.contains(id) {
          found.append("\(id) is \(current.status), and in flight: \(inFlight.contains(id))")
        }
        reserved += current.reservedBytes
        if current.status == .running, case .upload = pipeline.steps[step].action { transfers += 1 }
      }
      if let key, blockers[key] == nil { found.append("item \(key) waits for nothing") }
    }
    if reserved + ledger.discardingBytes != ledger.diskBytes {
      found.append(
        "the ledger holds \(ledger.diskBytes) bytes, items \(reserved) + \(ledger.discardingBytes)")
    }
    if transfers != ledger.transfers { found.append("the ledger counts \(ledger.transfers) transfers") }
    if let limit = pipeline.budgets.diskBytes, ledger.diskBytes > limit {
      found.append("\(ledger.diskBytes) bytes are reserved of \(limit)")
    }
    if let limit = pipeline.budgets.transfers, ledger.transfers > limit {
      found.append("\(ledger.transfers) transfers are queued of \(limit)")
    }
    for (loop, current) in state.loops.enumerated()
    where current.counts[.active] != current.active.count {
      found.append("loop \(loop) counts \(current.counts[.active]) of \(current.active.count) active")
    }
    return found
  }

  /// Two items that each hold files and wait for more would wait for each other for ever: the last one gives its files up.
  mutating func breakDiskDeadlock() {
    guard inFlight.isEmpty, delayed.isEmpty, ledger.discardingBytes == 0, !queues.disk.isEmpty else {
      return
    }
    let holders = queues.disk.compactMap { $0 }.filter { key in
      frame(key).contains { $0.reservedBytes > 0 }
    }
    guard let last = holders.max() else { return }
    var bytes: Int64 = 0
    for (step, current) in steps(of: last) where current.file != nil {
      bytes += current.reservedBytes
      renew(Place(key: last, step: step), at: current.since)
      update(Place(key: last, step: step)) { $0.reservedBytes = 0 }
    }
    ledger.discardingBytes += bytes
    effects.append(.discardFiles(last, bytes: bytes))
  }
}
