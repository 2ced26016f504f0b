import CEL

/// The state machine of a run: every transition of every step, item and run is decided here and in
/// the extensions next to it.
///
/// It is a value without clock, random generator or I/O (invariant 1). An ``Event`` comes in with the
/// time, the state changes, and ``Effect``s come out as data; the caller makes the state durable before it
/// performs them (invariant 2).
public struct Machine: Hashable, Sendable {
  /// Evaluates conditions and sizes; part of the definition, not of the state.
  public let evaluator: Evaluator
  /// Everything durable, and the window.
  public internal(set) var state: RunState

  // Everything below is derived from the state, and is rebuilt by `runResumed`.

  /// Effects that were issued and have no result yet.
  public internal(set) var inFlight: Set<EffectID> = []
  /// Why each waiting frame waits; `nil` means the run's own frame.
  public internal(set) var blockers: [ItemKey?: Blocker] = [:]
  /// Transfers in flight that asked for a new request and have no reply, by frame.
  var pendingRenewals: [ItemKey?: PendingRenewal] = [:]
  /// Transfers that are being stopped although the server has received nothing of them.
  var withdrawn: Set<EffectID> = []
  /// Frames that wait for a point in time or for a place.
  var waiting: WaitingFrames
  /// The members of each batch that is in flight, by the fence of its first member.
  var batchesInFlight: [EffectID: [ItemKey]] = [:]
  /// The group of each item that reached a step with `batch`: the items that may share one.
  var batchGroups: [StepPlace: Value] = [:]
  /// Members of the batch whose response is being applied: each continues when its loop has a place.
  var concluding: Set<ItemKey> = []
  /// Frames that wait for a resource, first come, first served.
  var queues = Queues()
  /// Frames that are being served from a queue: they may pass those after them.
  var served: Set<ItemKey?> = []
  var ledger = Ledger()
  /// Files that are being deleted, with their sizes in bytes.
  var discards: [ItemKey?: Int64] = [:]
  /// Shortages of the machine that works on the run.
  var shortages: [Resource: Shortage] = [:]
  var limits = ProcessLimits()
  /// Whether a host has responded in this run, according to the state.
  var wasAnswered: Bool
  /// By how much refusals outnumber other responses, by loop and host; only of hosts that refuse.
  var refusing: [Int: [String: Int]] = [:]
  /// The last refusals that may concern the whole run.
  var refusals: Refusals?
  /// The last items that used up their attempts at a host that refuses most requests.
  var outage: Refusals?
  var timer: Instant?
  var isAllowanceEnding = false
  /// Whether ``Effect/stop`` was the last effect.
  public internal(set) var hasStopped = false
  /// Whether the derived parts have been built from the state.
  var isRecovered = false
  var requestedEnumerations: Set<Int> = []
  /// Loops whose read-ahead is out of date because rows went back to pending.
  var outdatedLoads: Set<Int> = []
  /// Loops that may have free places, checked after the event.
  var unfilled: Set<Int> = []
  /// Whether the run's own frame must be checked after the event.
  var isRunDue = false
  /// Run-level credentials that arrived during cancelling and are unused, or cannot be obtained.
  var obtainedCredentials: Set<Int> = []
  /// Rows that must be searched for effects that they left on the server, with the last item examined.
  var leftoverCursors: [LeftoverRows: Int] = [:]
  /// Whether a run that is being cancelled must stop before it is done.
  var isHalting = false
  var partsInProgress = PartsInProgress()
  var effects: [Effect] = []
  var changes = Changes()

  /// Creates a machine with a state; nothing moves before the first event.
  public init(_ state: RunState, evaluator: Evaluator) {
    self.state = state
    self.evaluator = evaluator
    waiting = WaitingFrames(loops: evaluator.pipeline.loops.count)
    wasAnswered =
      state.pace != Pace() || !state.clocks.isEmpty
      || state.frame.contains { !$0.statuses.isEmpty }
  }

  /// The definition.
  public var pipeline: Pipeline { evaluator.pipeline }

  /// Two machines are equal if their states and everything derived from them are.
  public static func == (left: Self, right: Self) -> Bool {
    left.state == right.state && left.inFlight == right.inFlight && left.blockers == right.blockers
      && left.pendingRenewals == right.pendingRenewals && left.withdrawn == right.withdrawn
      && left.batchesInFlight == right.batchesInFlight && left.waiting == right.waiting
      && left.queues == right.queues && left.ledger == right.ledger
      && left.discards == right.discards && left.timer == right.timer
      && left.shortages == right.shortages && left.limits == right.limits
      && left.isAllowanceEnding == right.isAllowanceEnding && left.hasStopped == right.hasStopped
      && left.isRecovered == right.isRecovered
      && left.obtainedCredentials == right.obtainedCredentials
      && left.leftoverCursors == right.leftoverCursors && left.isHalting == right.isHalting
      && left.requestedEnumerations == right.requestedEnumerations
      && left.outdatedLoads == right.outdatedLoads
      && left.partsInProgress == right.partsInProgress
      && left.refusing == right.refusing && left.refusals == right.refusals
      && left.outage == right.outage
  }

  /// Hashes only the state, which determines the rest.
  public func hash(into hasher: inout Hasher) { hasher.combine(state) }

  /// Frames that wait for a resource.
  struct Queues: Hashable, Sendable {
    var disk = FrameQueue()
    var transfers = FrameQueue()
    var connections = FrameQueue()
    var allowance = FrameQueue()
    var steps: [Int: FrameQueue] = [:]
    var rates = RateQueue()
    /// Items queued for a batch, by step.
    var batches: [Int: BatchQueue] = [:]
  }

  /// The reservations of the budgets.
  struct Ledger: Hashable, Sendable {
    /// Bytes of materialized files, including those being written or deleted.
    var diskBytes: Int64 = 0
    /// Bytes of `diskBytes` whose files are being deleted.
    var discardingBytes: Int64 = 0
    /// Uploads that were handed over and have no response yet.
    var transfers = 0
    /// Requests and transfers in flight.
    var exchanges = 0
  }

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
      recoverBuckets(at: now)
      isRunDue = true
    case .runResumed: resumeFrames(first: interrupted, at: now)
    case .itemsEnumerated(let loop, let count): itemsEnumerated(loop, count, at: now)
    case .enumerationFailed(let loop, let failure): enumerationFailed(loop, failure, at: now)
    case .itemsLoaded(let loop, let items, let isLast): itemsLoaded(loop, items, isLast, at: now)
    case .loadFailed(let loop, let failure): loadFailed(loop, failure, at: now)
    case .concluded(let id, let verdict): conclude(id, verdict, at: now)
    case .serverTimeRead(let clock): learn(clock)
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
    defer { effects = [] }
    return effects
  }

  /// Work at the end of each event: the timer, stopping, and the check whether anything is stuck.
  private mutating func finishEvent(at now: Instant) {
    drain(at: now)
    if isKeepingResult {
      isRunDue = true
      drain(at: now)
    }
    while state.status == .running, serveDisk(at: now) { drain(at: now) }
    giveUpItems(at: now)
    if isAllowanceEnding, !inFlight.contains(where: needsAllowance) {
      isAllowanceEnding = false
      effects.append(.endAllowance)
    }
    if state.status == .running || state.status == .cancelling && !isHalting,
      let next = nextMoment(after: now), next != timer
    {
      timer = next
      effects.append(.setTimer(next))
    }
    if state.status != .running, state.status != .cancelling || isHalting, inFlight.isEmpty,
      discards.isEmpty, !hasStopped
    {
      hasStopped = true
      effects.append(.stop)
    }
  }

  /// Checks loops and the run's frame here, so that items that come and go do not nest.
  mutating func drain(at now: Instant) {
    while true {
      if advanceDueParts(at: now) {
        continue
      } else if let loop = unfilled.min() {
        unfilled.remove(loop)
        fillWindow(loop, at: now)
      } else if isRunDue {
        isRunDue = false
        advance(nil, at: now)
      } else {
        return
      }
    }
  }
}
