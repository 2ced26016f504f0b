import CEL

/// The batches of a run: those in flight, and the items that wait for one.
struct Batches: Hashable, Sendable {
  /// The members of each batch that is in flight, by the fence of its first member.
  var inFlight: [EffectID: [ItemKey]] = [:]
  /// Items queued for a batch, by step.
  var queues: [Int: BatchQueue] = [:]
  /// The group of each item that reached a step with `batch`: the items that may share one.
  var groups: [StepPlace: Value] = [:]

  /// Items that are queued for a batch, or whose batch has a single place for all.
  func itemsWithoutPlace(in loop: Int, of pipeline: Pipeline) -> Int {
    guard !queues.isEmpty || !inFlight.isEmpty else { return 0 }
    var count = 0
    for (step, queue) in queues where pipeline.steps[step].loop == loop { count += queue.count }
    for (id, members) in inFlight where id.item?.loop == loop { count += members.count - 1 }
    return count
  }

  /// When the first batch of each group is sent even if it is not full.
  func deadlines(in pipeline: Pipeline) -> [Instant] {
    queues.flatMap { step, queue in
      pipeline.steps[step].batch.map { policy in queue.begun.map { $0 + policy.within } } ?? []
    }
  }

  /// Removes an item from the queue for the step's next batch.
  mutating func remove(_ key: ItemKey, _ step: Int) {
    queues[step]?.remove(key)
    if queues[step]?.isEmpty == true { queues[step] = nil }
  }

  /// Whether a batch of the same group must end first; one that is sent again counts as started.
  func isUnderWay(before keys: [ItemKey], _ step: Int, in frames: Frames, at now: Instant) -> Bool {
    guard frames.pipeline.steps[step].batch?.isSerial == true, let first = keys.first else {
      return false
    }
    let position = frames.pipeline.steps[step].position
    let group = group(of: StepPlace(key: first, step: step), in: frames, at: now)
    let isSentAgain = frames.stepState(step, for: first)?.batch != nil
    return frames.state.loops[first.loop].active.values.contains { item in
      guard item.frame.indices.contains(position), item.frame[position].batch != nil,
        isSentAgain ? item.frame[position].isInFlight : true, !keys.contains(item.key)
      else { return false }
      return self.group(of: StepPlace(key: item.key, step: step), in: frames, at: now) == group
    }
  }

  /// The group that the item shares with others of its batch, even before it is queued in a new process.
  func group(of place: StepPlace, in frames: Frames, at now: Instant) -> Value? {
    guard let by = frames.pipeline.steps[place.step].batch?.by else { return nil }
    return groups[place] ?? (try? frames.evaluator.value(by, frames.scope(of: place.key, at: now)))
  }
}

/// The role of an item in its batch: the items that may share it, and its share of the limit.
struct BatchShare: Hashable, Sendable {
  /// The value of `by`; `nil` if any items may share a batch.
  var group: Value?
  var bytes: Int64 = 0
}

/// Items that wait at a step until a batch of them is sent.
struct BatchQueue: Hashable, Sendable {
  struct BatchID: Hashable, Sendable, Comparable {
    let first: Int
    let generation: Int

    init(_ batch: BatchMembership) {
      first = batch.first
      generation = batch.generation
    }

    static func < (left: Self, right: Self) -> Bool {
      (left.first, left.generation) < (right.first, right.generation)
    }
  }

  /// An item that waits for a new batch.
  private struct Waiting: Hashable {
    let key: ItemKey
    let since: Instant
    let share: BatchShare
  }

  /// The items of the next batch.
  struct NextBatch {
    let members: [ItemKey]
    let begun: Instant
    let isFull: Bool
  }

  /// Items for new batches, in order of arrival.
  private var waiting: [Waiting] = []
  /// Members of batches that must be sent again; never empty.
  private(set) var resends: [BatchID: [ItemKey]] = [:]

  var fresh: [ItemKey] { waiting.map(\.key) }
  var isEmpty: Bool { waiting.isEmpty && resends.isEmpty }
  var count: Int { resends.values.reduce(waiting.count) { $0 + $1.count } }

  func contains(_ key: ItemKey) -> Bool {
    waiting.contains { $0.key == key } || resends.values.contains { $0.contains(key) }
  }

  /// Items that wait for the same batch as the item, including itself.
  func together(with key: ItemKey) -> Int {
    guard let own = waiting.first(where: { $0.key == key }) else {
      return resends.values.first { $0.contains(key) }?.count ?? 0
    }
    return waiting.count { $0.share.group == own.share.group }
  }

  /// Queues an item by its arrival time, which may be in an earlier process.
  mutating func enqueue(_ key: ItemKey, _ share: BatchShare, since instant: Instant) {
    var place = waiting.endIndex
    while place > 0, (waiting[place - 1].since, waiting[place - 1].key) > (instant, key) {
      place -= 1
    }
    waiting.insert(Waiting(key: key, since: instant, share: share), at: place)
  }

  mutating func enqueue(_ key: ItemKey, for batch: BatchMembership) {
    resends[BatchID(batch), default: []].append(key)
  }

  mutating func remove(_ key: ItemKey) {
    if let index = waiting.firstIndex(where: { $0.key == key }) {
      waiting.remove(at: index)
      return
    }
    for (batch, members) in resends where members.contains(key) {
      let rest = members.filter { $0 != key }
      resends[batch] = rest.isEmpty ? nil : rest
      return
    }
  }

  /// The next batch of each group, in the order in which their first items arrived.
  func next(_ policy: BatchPolicy) -> [NextBatch] {
    guard let first = waiting.first else { return [] }
    if policy.by == nil, policy.bytes == nil {
      return [
        NextBatch(
          members: waiting.prefix(policy.items).map(\.key), begun: first.since,
          isFull: waiting.count >= policy.items)
      ]
    }
    var groups: [Value?: [Waiting]] = [:]
    var order: [Value?] = []
    for one in waiting {
      if groups[one.share.group] == nil { order.append(one.share.group) }
      groups[one.share.group, default: []].append(one)
    }
    return order.compactMap { group in groups[group].map { Self.batch(of: $0, policy) } }
  }

  /// The longest prefix that fits; an item that does not fit at all is sent by itself.
  private static func batch(of group: [Waiting], _ policy: BatchPolicy) -> NextBatch {
    var bytes: Int64 = 0
    var count = 0
    for one in group.prefix(policy.items) {
      let (sum, overflow) = bytes.addingReportingOverflow(one.share.bytes)
      if count > 0, let limit = policy.bytes?.limit, overflow || sum > limit { break }
      (bytes, count) = (overflow ? .max : sum, count + 1)
    }
    let isFull =
      count == policy.items || count < group.count
      || policy.bytes.map { bytes >= $0.limit } ?? false
    return NextBatch(members: group.prefix(count).map(\.key), begun: group[0].since, isFull: isFull)
  }

  /// When the first item of each group arrived.
  var begun: [Instant] {
    var seen: Set<Value?> = []
    return waiting.compactMap { seen.insert($0.share.group).inserted ? $0.since : nil }
  }
}
