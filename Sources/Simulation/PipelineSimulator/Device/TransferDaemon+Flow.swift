extension TransferDaemon {
  /// When ``advance(to:)`` must be called next; `nil` while nothing is due.
  public var due: Instant? {
    if needsStart, !ready.isEmpty { return now }
    var first = Instant.distantFuture
    func consider(_ moment: Instant?) { if let moment, moment < first { first = moment } }
    consider(begins.next)
    consider(deadlines.next)
    if !ready.isEmpty { consider(budget.closed(at: now)) }
    consider(budgetEnd)
    for id in sending { consider(finish(of: id)) }
    return first == .distantFuture ? nil : first
  }

  /// Bytes per millisecond of one active transfer.
  private var rate: Double {
    Double(min(conditions.bandwidth, limit ?? .max)) / 1000 / Double(max(sending.count, 1))
  }

  private func finish(of id: EffectID) -> Instant? {
    guard let left = tasks[id]?.bytesLeft else { return nil }
    return now + .clamped(milliseconds: left / rate)
  }

  private func spendsBudget(_ id: EffectID) -> Bool {
    conditions.network == .wifi && tasks[id]?.discretion.isDiscretionary == true
  }

  /// When the active transfers will have used up the day's bytes.
  private var budgetEnd: Instant? {
    guard let left = budget.left(at: now) else { return nil }
    let spenders = sending.count(where: spendsBudget)
    guard spenders > 0 else { return nil }
    return now + .clamped(milliseconds: Double(left) / (rate * Double(spenders)))
  }

  /// The tasks by priority, then by age (TX24).
  var ordered: [TransferTask] { tasks.values.sorted { $0.precedes($1) } }

  /// Conditions change: transfers that they forbid are stopped in flight (DI8).
  public mutating func change(_ conditions: DeviceConditions, at now: Instant) -> [Event] {
    let events = advance(to: now)
    self.conditions = conditions
    for id in sending where tasks[id]?.discretion.hold(under: conditions) != nil {
      interrupt(id, notBefore: now)
    }
    needsStart = true
    return events + advance(to: now)
  }

  /// Advances time.
  public mutating func advance(to limit: Instant) -> [Event] {
    var events: [Event] = []
    while let next = due, next <= limit {
      flow(to: next)
      events += settle()
      events += start()
      prune()
    }
    flow(to: limit)
    return events
  }

  /// Moves bytes of active transfers; everything due before then has been handled.
  mutating func flow(to instant: Instant) {
    let elapsed = Double((instant - now).milliseconds)
    guard elapsed > 0 else { return }
    if isDelayed { delayedTime += instant - now }
    let rate = rate
    var spent = 0.0
    for id in sending {
      guard let left = tasks[id]?.bytesLeft else { continue }
      let moved = min(rate * elapsed, left)
      tasks[id]?.sentBytes += moved
      bytesSent += moved
      if spendsBudget(id) { spent += moved }
    }
    now = instant
    budget.spend(Int64(spent.rounded()), at: now)
  }

  /// Ends transfers that have timed out, and finishes those that are complete.
  private mutating func settle() -> [Event] {
    var events: [Event] = []
    while let (_, id) = deadlines.popDue(by: now) {
      guard let task = tasks[id], task.isOpen, task.deadline <= now else { continue }
      let failure = TransportFailure(
        .timeout, message: "the resource timeout has expired", mayHaveBeenSent: task.state == .sent)
      bytesWasted += task.sentBytes
      leave(id, as: .complete(failure))
      events.append(.failed(id, failure))
    }
    for id in sending {
      guard let left = tasks[id]?.bytesLeft else { continue }
      if left < 0.5, let task = tasks[id] {
        sending.removeAll { $0 == id }
        tasks[id]?.state = .sent
        needsStart = true
        let isEmpty = task.bytes == 0 && task.request.body != .file(bytes: 0)
        events.append(.requestSent(id, bodyIsEmpty: isEmpty))
      } else if spendsBudget(id), budget.closed(at: now) != nil {
        interrupt(id, notBefore: now)
      }
    }
    return events
  }

  /// Starts waiting tasks while connections are free, the most urgent first.
  private mutating func start() -> [Event] {
    while let (at, id) = begins.popDue(by: now) {
      guard let task = tasks[id], task.state == .waiting, task.notBefore == at else { continue }
      insert(task)
    }
    needsStart = false
    var events: [Event] = []
    var index = 0
    while sending.count + beginningCount < rules.connections, index < ready.count {
      let id = ready[index]
      guard let task = tasks[id], conditionHold(task) == nil else {
        index += 1
        continue
      }
      ready.remove(at: index)
      if task.request.earliestBegin != nil, !task.wasAnnounced {
        tasks[id]?.wasAnnounced = true
        events.append(.willBegin(id))
        if task.request.renewals.contains(.begin) {
          tasks[id]?.state = .asking(.begin)
          askingCount += 1
          beginningCount += 1
          continue
        }
      }
      tasks[id]?.state = .sending
      tasks[id]?.attempts += 1
      sending.append(id)
      // An empty body is sent at once.
      events += settle()
    }
    return events
  }

  // MARK: Holds

  /// Why a task does not move; `nil` if it moves, or has ended.
  public func hold(of id: EffectID) -> TransferHold? { tasks[id].flatMap(hold) }

  private func hold(_ task: TransferTask) -> TransferHold? {
    guard task.state == .waiting else { return nil }
    if task.notBefore > now { return task.reason }
    return conditionHold(task) ?? .connections
  }

  private var isDelayed: Bool {
    guard delayedUntil > now else { return false }
    return tasks.values.contains { hold($0) == .resumeDelay }
  }

  /// Time during which the resume delay held at least one task; overlaps count once.
  public func delayedTime(at instant: Instant) -> Duration {
    delayedTime + (isDelayed ? max(instant - now, .zero) : .zero)
  }

  /// What holds tasks; if several rules do, the first in the order of ``TransferHold/allCases``.
  public var foremostHold: TransferHold? {
    guard openCount > sending.count else { return nil }
    let holds = tasks.values.lazy.compactMap(hold)
    return holds.contains(.resumeDelay) ? .resumeDelay : holds.min { $0.rank < $1.rank }
  }

  private func conditionHold(_ task: TransferTask) -> TransferHold? {
    if !isUnlockedSinceBoot { return .firstUnlock }
    if let hold = task.discretion.hold(under: conditions) { return hold }
    if task.discretion.isDiscretionary, conditions.network == .wifi, budget.closed(at: now) != nil {
      return .dailyBudget
    }
    return nil
  }

  // MARK: Queues

  /// Makes a waiting task wait for its time or for a connection.
  mutating func line(up task: TransferTask, at now: Instant) {
    if task.notBefore > now {
      begins.schedule(task.request.id, at: task.notBefore)
    } else {
      insert(task)
      needsStart = true
    }
  }

  private mutating func insert(_ task: TransferTask) {
    var low = 0
    var high = ready.count
    while low < high {
      let middle = (low + high) / 2
      if let other = tasks[ready[middle]], other.precedes(task) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    ready.insert(task.request.id, at: low)
  }

  /// Stops an active task; the bytes at the server are lost unless uploads can be resumed.
  mutating func interrupt(_ id: EffectID, notBefore: Instant, _ reason: TransferHold = .noNetwork) {
    guard var task = tasks[id] else { return }
    sending.removeAll { $0 == id }
    if !rules.resumesUploads {
      bytesWasted += task.sentBytes
      task.sentBytes = 0
    }
    task.state = .waiting
    task.notBefore = notBefore
    task.reason = reason
    tasks[id] = task
    line(up: task, at: now)
  }

  /// Removes an open task from all queues, and returns it as it was; it becomes `state`, or is about to be removed.
  @discardableResult
  mutating func leave(_ id: EffectID, as state: TransferTask.State?) -> TransferTask? {
    guard let task = tasks[id] else { return nil }
    if task.isOpen { openCount -= 1 }
    if case .asking(let renewal) = task.state {
      askingCount -= 1
      if renewal == .begin { beginningCount -= 1 }
    }
    if case .complete = task.state { completeCount -= 1 }
    if case .complete? = state { completeCount += 1 }
    sending.removeAll { $0 == id }
    if task.state == .waiting, let place = ready.firstIndex(of: id) { ready.remove(at: place) }
    if let state { tasks[id]?.state = state }
    needsStart = needsStart || !ready.isEmpty
    return task
  }

  /// Drops stale entries of tasks that have moved on, so that ``due`` ignores them.
  mutating func prune() {
    while let id = deadlines.nextEntry, tasks[id]?.isOpen != true {
      _ = deadlines.popDue(by: .distantFuture)
    }
    while let id = begins.nextEntry,
      tasks[id]?.state != .waiting || tasks[id]?.notBefore != begins.next
    {
      _ = begins.popDue(by: .distantFuture)
    }
  }
}

extension Instant { fileprivate static let distantFuture = Instant(milliseconds: .max) }
