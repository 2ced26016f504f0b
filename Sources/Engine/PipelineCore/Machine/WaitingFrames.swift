/// The frames that wait, and why: for a point in time, a place of their loop, or a resource.
struct WaitingFrames: Hashable, Sendable {
  /// Why each waiting frame waits; `nil` means the run's own frame.
  var blockers: [ItemKey?: Blocker] = [:]
  // Frames that wait for a resource, first come, first served.
  var disk = FrameQueue()
  var transfers = FrameQueue()
  var connections = FrameQueue()
  var allowance = FrameQueue()
  var rates = RateQueue()
  /// Frames that wait for the result of a run-level step.
  var steps: [Int: FrameQueue] = [:]
  /// Shortages of the machine that works on the run, with the frames that wait for their end.
  var shortages: [Resource: Shortage] = [:]
  /// When each frame is due; `nil` means the run's own frame.
  private(set) var delays: [ItemKey?: Instant] = [:]
  /// The minimum of `delays`, cached so that an event that delays nothing costs nothing.
  private(set) var earliest: Instant?
  private var due: [[ItemKey]]
  private var kinds: [ItemKey: Kind] = [:]
  private var delayedItems: [Int]
  private var failedItems: [Int]

  /// Why an item waits, which decides whether it keeps its place.
  enum Kind: Hashable {
    /// Its author intended the wait: it releases its place.
    case intended
    /// Its last attempt failed: it releases its place, but the loop limits how many such items there are.
    case failed
    /// Its host asked all requests to wait: it keeps its place.
    case held
  }

  /// An empty set, for this many loops.
  init(loops: Int) {
    due = Array(repeating: [], count: loops)
    delayedItems = Array(repeating: 0, count: loops)
    failedItems = delayedItems
  }

  var isUndelayed: Bool { delays.isEmpty }

  /// Items of the loop that wait without a place.
  func count(in loop: Int) -> Int { due[loop].count + delayedItems[loop] }

  /// Items of the loop that wait after a failure.
  func failed(in loop: Int) -> Int { failedItems[loop] }

  /// The items of the loop that wait for a place, in order.
  func due(in loop: Int) -> [ItemKey] { due[loop] }

  /// All items that wait.
  var items: [ItemKey] { delays.keys.compactMap { $0 } + due.joined() }

  /// The step for whose next batch the item waits.
  func queuedBatchStep(of key: ItemKey, in pipeline: Pipeline) -> Int? {
    if case .batch(let step, _, _)? = blockers[key] { return step }
    switch blockers[key] {
    case .allowance(let step, _)?, .connections(let step, _)?, .rate(_, let step, _)?,
      .host(_, let step, _)?, .batchUnderWay(let step)?:
      return pipeline.steps[step].batch == nil ? nil : step
    case .attempt, .probe, .compensation, .delay, .earliest, .concurrency, .disk, .transfers,
      .shortage, .dependency, .renewal, .batch, .parts, .loop, .enumeration, .stopped, nil:
      return nil
    }
  }

  mutating func delay(_ key: ItemKey?, until instant: Instant, as kind: Kind) {
    remove(key)
    delays[key] = instant
    if let key, key.part == nil { count(key, kind, 1) }
    earliest = earliest.map { min($0, instant) } ?? instant
  }

  /// Makes an item that waits for nothing else wait for a place.
  mutating func makeDue(_ key: ItemKey) { due[key.loop].append(key) }

  mutating func popDue(in loop: Int) -> ItemKey? {
    due[loop].isEmpty ? nil : due[loop].removeFirst()
  }

  /// Removes the frame from all queues; one that is being served keeps its place for a rate.
  mutating func leave(_ key: ItemKey?, keepsRate: Bool) {
    blockers[key] = nil
    remove(key)
    disk.remove(key)
    transfers.remove(key)
    allowance.remove(key)
    rates.remove(key, keepsPlace: keepsRate)
    connections.remove(key)
    for resource in shortages.keys { shortages[resource]?.queue.remove(key) }
    for step in steps.keys { steps[step]?.remove(key) }
  }

  /// Removes all frames from the queues for resources, before each frame is continued.
  mutating func clearQueues() {
    (disk, transfers, connections) = (FrameQueue(), FrameQueue(), FrameQueue())
    (allowance, rates, steps, shortages) = (FrameQueue(), RateQueue(), [:], [:])
  }

  mutating func remove(_ key: ItemKey?) {
    if let instant = delays.removeValue(forKey: key) {
      if let key, let kind = kinds[key] { count(key, kind, -1) }
      if instant == earliest { earliest = delays.values.min() }
    }
    if let key, key.part == nil { due[key.loop].removeAll { $0 == key } }
  }

  private mutating func count(_ key: ItemKey, _ kind: Kind, _ change: Int) {
    kinds[key] = change > 0 ? kind : nil
    if kind != .held { delayedItems[key.loop] += change }
    if kind == .failed { failedItems[key.loop] += change }
  }

  /// Removes and returns the frames whose time has come, the run's first, items in order.
  mutating func removeOver(at now: Instant) -> [ItemKey?] {
    guard let earliest, earliest <= now else { return [] }
    let over = delays.filter { $0.value <= now }.keys.sorted(by: ItemKey.precedes)
    for key in over { remove(key) }
    return over
  }

  /// Queues a frame for the end of a shortage.
  mutating func wait(for resource: Resource, _ place: StepPlace) {
    guard let shortage = shortages[resource] else { return }
    shortages[resource]?.queue.enqueue(place.key, isFirst: false)
    blockers[place.key] = .shortage(
      resource, step: place.step, since: shortage.since, until: shortage.next)
  }

  /// Names the next trial of a shortage to the frames that wait for it.
  mutating func renewBlockers(of resource: Resource) {
    guard let shortage = shortages[resource] else { return }
    for key in shortage.queue.frames {
      guard case .shortage(_, let step, _, _)? = blockers[key] else { continue }
      blockers[key] = .shortage(resource, step: step, since: shortage.since, until: shortage.next)
    }
  }

  /// Whether a frame waits for something that may itself wait for a run-level result.
  func isHeldByOthers(_ key: ItemKey) -> Bool {
    switch blockers[key] {
    case .dependency?, .renewal?, .disk?: true
    case .parts?: key.part != nil
    case .attempt?, .probe?, .compensation?, .delay?, .earliest?, .concurrency?, .transfers?,
      .connections?, .host?, .rate?, .shortage?, .batch?, .batchUnderWay?, .allowance?, .loop?,
      .enumeration?, .stopped?, nil:
      false
    }
  }

  /// Items of the loop that wait for space.
  func itemsWaitingForSpace(in loop: Int) -> Int {
    disk.isEmpty ? 0 : disk.frames.count { $0?.loop == loop && $0?.part == nil }
  }
}

/// A resource with a shortage.
struct Shortage: Hashable, Sendable {
  var queue = FrameQueue()
  /// When the shortage was found.
  let since: Instant
  var trials = 0
  var next: Instant
}

/// Frames that wait for one thing, each once: the greater rank first, then the earlier arrival.
struct FrameQueue: Hashable, Sendable {
  private(set) var frames: [ItemKey?] = []
  /// In descending order of ``frames``.
  private var ranks: [Double] = []

  var isEmpty: Bool { frames.isEmpty }

  /// Queues a frame after those of its rank, or at their head if it was served without success.
  mutating func enqueue(_ key: ItemKey?, isFirst: Bool, rank: Double = 0) {
    guard !frames.contains(key) else { return }
    let place: Int
    if isFirst {
      place = ranks.firstIndex { $0 <= rank } ?? ranks.endIndex
    } else if let last = ranks.last, last < rank {
      place = ranks.firstIndex { $0 < rank } ?? ranks.endIndex
    } else {
      place = ranks.endIndex
    }
    frames.insert(key, at: place)
    ranks.insert(rank, at: place)
  }

  mutating func remove(_ key: ItemKey?) {
    guard let index = frames.firstIndex(of: key) else { return }
    frames.remove(at: index)
    ranks.remove(at: index)
  }

  mutating func removeAll() -> [ItemKey?] {
    defer { self = FrameQueue() }
    return frames
  }
}
