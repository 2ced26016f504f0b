import CEL

/// The state machine of a run: every transition of every step, item and run is decided here and in
/// the extensions next to it.
///
/// It is a value without clock, random generator or I/O (invariant 1). An ``Event`` comes in with the
/// time, the state changes, and ``Effect``s come out as data; the caller makes the state durable before it
/// performs them (invariant 2).
public struct Machine: Equatable, Sendable {
  /// Everything durable, and the window.
  var frames: Frames

  // Everything below is derived from the state, and is rebuilt by `runResumed`.

  /// Effects that were issued and have no result yet.
  public internal(set) var inFlight: Set<EffectID> = []
  /// The frames that wait, and why.
  var waiting: WaitingFrames
  /// Batches that are in flight, and items queued for one.
  var batches = Batches()
  /// Transfers in flight that need a new request, or are withdrawn.
  var renewals = Renewals()
  /// The reservations of the budgets.
  var ledger = Ledger()
  /// What the responses so far show of hosts.
  var hosts: Hosts
  /// What is being read from the lists and the store.
  var reading = ItemReading()
  /// How far a run that is being cancelled is.
  var cancellation = Cancellation()
  /// The credentials that compensations have, or lack.
  var compensations = Compensations()
  /// Items that end, or go back to an earlier step, once their parts have nothing in flight.
  var partsInProgress = PartsInProgress()
  /// The work of the event that is being applied; empty between events.
  var agenda = Agenda()
  /// The limits of the process that works on the run.
  var limits = ProcessLimits()
  var timer: Instant?
  var isAllowanceEnding = false
  /// Whether ``Effect/stop`` was the last effect.
  public internal(set) var hasStopped = false
  /// Whether the derived parts have been built from the state.
  var isRecovered = false

  /// Creates a machine with a state; nothing moves before the first event.
  public init(_ state: RunState, evaluator: Evaluator) {
    frames = Frames(state, evaluator: evaluator)
    waiting = WaitingFrames(loops: evaluator.pipeline.loops.count)
    hosts = Hosts(state)
  }

  /// The state, which is read in place: a copy would count references to all its members.
  public internal(set) var state: RunState {
    _read { yield frames.state }
    _modify { yield &frames.state }
  }

  /// Evaluates conditions and sizes; part of the definition, not of the state.
  public var evaluator: Evaluator { frames.evaluator }
  /// The definition.
  public var pipeline: Pipeline { frames.evaluator.pipeline }
  /// Why each waiting frame waits; `nil` means the run's own frame.
  public var blockers: [ItemKey?: Blocker] { waiting.blockers }

  /// Applies a fact known at `now`; perform the effects once ``takeCheckpoint()`` is durable.
  public mutating func apply(_ event: Event, at now: Instant) -> [Effect] {
    if case .limitsKnown(let limits) = event, !isRecovered {
      self.limits = limits
      return []
    }
    if event == .runBegan { isRecovered = true }
    let interrupted = isRecovered ? [] : recover(at: now)
    switch event {
    case .runBegan:
      limits.recoverBuckets(in: &frames, at: now)
      agenda.isRunDue = true
    case .runResumed: resumeFrames(first: interrupted, at: now)
    case .itemsEnumerated(let loop, let count): itemsEnumerated(loop, count, at: now)
    case .enumerationFailed(let loop, let failure): enumerationFailed(loop, failure, at: now)
    case .itemsLoaded(let loop, let items, let isLast):
      itemsLoaded(loop, items, isLast: isLast, at: now)
    case .loadFailed(let loop, let failure): loadFailed(loop, failure, at: now)
    case .concluded(let id, let verdict): conclude(id, verdict, at: now)
    case .serverTimeRead(let clock): frames.learn(clock)
    case .redirected: break
    case .moved(let id, let from, let to): noteMoved(id, from: from, to: to)
    case .renewalRequested(let id, let renewal): requestRenewal(id, renewal, at: now)
    case .filesDiscarded(let key, _): filesDiscarded(key, at: now)
    case .timerFired: fireTimer(at: now)
    case .allowanceGranted(let until): grantAllowance(until, at: now)
    case .allowanceExpiring: expireAllowance()
    case .pauseRequested(let reason): pause(reason, at: now)
    case .unpaused: unpause(at: now)
    case .cancelRequested: cancel(at: now)
    case .limitsKnown(let limits): setLimits(limits, at: now)
    case .sharesChanged(let shares): setShares(shares, at: now)
    case .itemsRequeued(let loop, let paused, let failed):
      itemsRequeued(loop, paused, failed, at: now)
    }
    finishEvent(at: now)
    return agenda.takeEffects()
  }

  /// Work at the end of each event: the timer, stopping, and the check whether anything is stuck.
  private mutating func finishEvent(at now: Instant) {
    drain(at: now)
    if isKeepingResult {
      agenda.isRunDue = true
      drain(at: now)
    }
    while state.status == .running, serveDisk(at: now) { drain(at: now) }
    giveUpItems(at: now)
    if isAllowanceEnding, !inFlight.contains(where: frames.needsAllowance) {
      isAllowanceEnding = false
      agenda.effects.append(.endAllowance)
    }
    if state.status == .running || state.status == .cancelling && !cancellation.isHalting,
      let next = nextMoment(after: now), next != timer
    {
      timer = next
      agenda.effects.append(.setTimer(next))
    }
    if state.status != .running, state.status != .cancelling || cancellation.isHalting,
      inFlight.isEmpty, ledger.discards.isEmpty, !hasStopped
    {
      hasStopped = true
      agenda.effects.append(.stop)
    }
  }

  /// Checks loops and the run's frame here, so that items that come and go do not nest.
  mutating func drain(at now: Instant) {
    while true {
      if advanceDueParts(at: now) {
        continue
      } else if let loop = agenda.unfilled.min() {
        agenda.unfilled.remove(loop)
        fillWindow(loop, at: now)
      } else if agenda.isRunDue {
        agenda.isRunDue = false
        advance(nil, at: now)
      } else {
        return
      }
    }
  }

  mutating func noteMoved(_ id: EffectID, from: Int64, to: Int64) {
    guard inFlight.contains(id), let step = id.step, let key = id.item else { return }
    let bytes = newBytes(of: id, from: from, to: to)
    frames.update(StepPlace(key: key, step: step)) { $0.movedTo = max($0.movedTo, to) }
    guard bytes > 0 else { return }
    frames.update(key.whole) { $0.bytesMoved += bytes }
    state.loops[key.loop].bytesMoved += bytes
    frames.changes.isRunChanged = true
  }

  /// How many of the bytes no earlier attempt has moved.
  public func newBytes(of id: EffectID, from: Int64, to: Int64) -> Int64 {
    guard let step = id.step else { return 0 }
    return max(0, to - max(from, frames.stepState(step, for: id.item, \.movedTo) ?? 0))
  }

  /// Bytes of the disk budget that are in use.
  public var reservedDiskBytes: Int64 { ledger.diskBytes }
  /// Uploads that were handed over and have no response yet.
  public var queuedTransfers: Int { ledger.transfers }
  /// When the next waiting frame is due.
  public var nextDue: Instant? {
    let pause = batches.queues.isEmpty ? nil : state.pauses.values.map(\.until).min()
    return [waiting.earliest, batches.deadlines(in: pipeline).min(), nextTrial, nextToken, pause]
      .compactMap { $0 }.min()
  }

  /// Items that wait for the same batch as the item, including itself; 0 if it waits for none.
  public func queuedItems(with key: ItemKey) -> Int {
    guard let step = waiting.queuedBatchStep(of: key, in: pipeline),
      let queue = batches.queues[step]
    else { return 0 }
    return queue.together(with: key)
  }

  /// The steps of an item's frame, by their index in ``Pipeline/steps``.
  public func steps(of key: ItemKey?) -> [(step: Int, state: StepState)] { frames.steps(of: key) }

  /// The invariants that must hold after each event; one sentence for each violation.
  public func violations() -> [String] { Invariants(machine: self).violations() }
}
