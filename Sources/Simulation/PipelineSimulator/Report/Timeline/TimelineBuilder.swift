struct TimelineBuilder {
  private let pipeline: Pipeline
  private let labels: [ItemKey: String]
  private var timeline: Timeline
  /// Items whose transfer is known to the service, and its state.
  private var transfers: [EffectID: Timeline.Phase] = [:]
  /// How many transfers of an item are known to the service.
  private var atService: [ItemKey: Int] = [:]
  private var blockers: [ItemKey: Tally.Stall] = [:]
  /// Results with a lifetime, and when they expire.
  private var alive: [StepOfItem: Int64] = [:]
  private var expiries = Agenda<StepOfItem>()
  private var left: [ItemKey: Item.Status] = [:]

  init(_ pipeline: Pipeline, from start: Instant, labels: [ItemKey: String]) {
    (self.pipeline, self.labels) = (pipeline, labels)
    timeline = Timeline(start: start)
  }

  mutating func build(_ trace: Trace) -> Timeline {
    for event in trace.events {
      let time = (event.at - timeline.start).milliseconds
      expire(until: event.at)
      timeline.length = max(timeline.length, time)
      read(event.fact, at: time)
    }
    close()
    return timeline
  }

  private mutating func read(_ fact: TraceEvent.Fact, at time: Int64) {
    switch fact {
    case .sent: timeline.requests.add(1, at: time)
    case .allowance(.granted(let until?)):
      let end = (until - timeline.start).milliseconds
      timeline.allowances.append(.init(from: time, to: max(end, time), content: 0))
    case .concluded(let id, .success(let result)): succeed(id, result, at: time)
    case .reissued(let id, let cause):
      guard let step = id.step else { return }
      timeline.reissues.append(
        .init(at: time, item: id.item?.whole, step: step, cause: Tally.cause(of: cause)))
      forget(StepOfItem(step: step, item: id.item), at: time)
    case .itemLeft(let key, let status, _): leave(key, status, at: time)
    case .blocked(let key?, let blocker):
      // The waits of its parts are shown by their transfers.
      guard key.part == nil else { return }
      blockers[key] = Tally.Stall(blocker)
      show(key, at: time)
    case .device(let fact): read(fact, at: time)
    case .processBegan, .processEnded, .odd, .answered, .interrupted, .transferQueued, .asked,
      .renewed, .wrote, .writeFailed, .concluded, .blocked, .allowance, .suspended, .clockChanged,
      .deviceRestarted, .ended:
      break
    }
  }

  private mutating func read(_ fact: DeviceFact, at time: Int64) {
    switch fact {
    case .life(let life): Self.change(&timeline.life, to: Timeline.Life(life), at: time)
    case .conditions(let conditions): Self.change(&timeline.conditions, to: conditions, at: time)
    case .woken(let delay): timeline.wakes.append(.init(at: time, delay: delay))
    case .transferHeld(let id, let hold): move(id, to: .held(hold), at: time)
    case .transferMoves(let id): move(id, to: .moving, at: time)
    case .transferSent(let id): move(id, to: .sent, at: time)
    case .transferOver(let id): move(id, to: .untold, at: time)
    case .transferGone(let id): move(id, to: nil, at: time)
    case .diskUse(let bytes): timeline.disk.set(bytes, at: time)
    }
  }

  // MARK: Transfers

  private mutating func move(_ id: EffectID, to phase: Timeline.Phase?, at time: Int64) {
    let before = transfers[id]
    count(before, -1, at: time)
    transfers[id] = phase
    if let key = id.item?.whole, (before == nil) != (phase == nil) {
      atService[key, default: 0] += phase == nil ? -1 : 1
    }
    count(phase, 1, at: time)
    timeline.queue.set(Int64(transfers.count), at: time)
    if let key = id.item?.whole { show(key, phase, at: time) }
  }

  private mutating func count(_ phase: Timeline.Phase?, _ change: Int64, at time: Int64) {
    switch phase {
    case .moving: timeline.moving.add(change, at: time)
    case .held(let hold): timeline.held[hold, default: .init()].add(change, at: time)
    case .sent, .untold, .waits, nil: break
    }
  }

  // MARK: Items

  /// Shows the state of an item: its transfer has precedence over other waits.
  private mutating func show(_ key: ItemKey, _ phase: Timeline.Phase? = nil, at time: Int64) {
    guard left[key] == nil else { return }
    var lane = timeline.items[key] ?? .init(label: label(key))
    if phase == nil, atService[key, default: 0] > 0 { return }
    let shown = phase ?? blockers[key].map { .waits($0) }
    Self.change(&lane.phases, to: shown, at: time)
    timeline.items[key] = lane
  }

  private mutating func leave(_ key: ItemKey, _ status: Item.Status, at time: Int64) {
    blockers[key] = nil
    switch status {
    case .done: timeline.done.add(1, at: time)
    case .failed, .paused: timeline.lost.add(1, at: time)
    case .skipped, .cancelled, .pending, .active: break
    }
    var lane = timeline.items[key] ?? .init(label: label(key))
    Self.change(&lane.phases, to: nil, at: time)
    lane.end = (time, status)
    timeline.items[key] = lane
    left[key] = status
    for step in pipeline.loops[key.loop].steps {
      forget(StepOfItem(step: step, item: key), at: time)
    }
  }

  private func label(_ key: ItemKey) -> String {
    labels[key] ?? "\(pipeline.loops[key.loop].variable) \(key.ordinal + 1)"
  }

  // MARK: Results with a lifetime

  private mutating func succeed(_ id: EffectID, _ result: StepResult, at time: Int64) {
    guard let step = id.step, let end = result.outputs.compactMap(\.expires).min() else { return }
    let key = StepOfItem(step: step, item: id.item)
    alive[key] = (end - timeline.start).milliseconds
    expiries.schedule(key, at: end)
    timeline.identifiers.set(Int64(alive.count), at: time)
  }

  private mutating func forget(_ key: StepOfItem, at time: Int64) {
    guard alive.removeValue(forKey: key) != nil else { return }
    timeline.identifiers.set(Int64(alive.count), at: time)
  }

  private mutating func expire(until now: Instant) {
    while let (at, key) = expiries.popDue(by: now) {
      let time = (at - timeline.start).milliseconds
      // A later generation has its own lifetime.
      if alive[key] == time { forget(key, at: time) }
    }
  }

  // MARK: Spans

  /// Ends the current state and starts another; `nil` only ends it.
  private static func change<Content>(
    _ spans: inout [Timeline.Span<Content>], to content: Content?, at time: Int64
  ) {
    if let last = spans.last, last.to == .max {
      if last.content == content { return }
      spans[spans.count - 1].to = time
      if last.from == time { spans.removeLast() }
    }
    if let content { spans.append(.init(from: time, to: .max, content: content)) }
  }

  private mutating func close() {
    let end = timeline.length
    func close<Content>(_ spans: inout [Timeline.Span<Content>]) {
      if spans.last?.to == .max { spans[spans.count - 1].to = end }
    }
    close(&timeline.life)
    close(&timeline.conditions)
    for (key, var lane) in timeline.items {
      close(&lane.phases)
      timeline.items[key] = lane
    }
  }
}

extension Timeline {
  /// Lays out a trace; `labels` name the items, which are numbered otherwise.
  package init(
    _ trace: Trace, of pipeline: Pipeline, from start: Instant, labels: [ItemKey: String] = [:]
  ) {
    var builder = TimelineBuilder(pipeline, from: start, labels: labels)
    self = builder.build(trace)
  }
}

extension Timeline.Life {
  init(_ life: DeviceLife) {
    self =
      switch life {
      case .inFront: .front
      case .behind: .running
      case .asleep: .asleep
      case .gone: .gone
      case .forceQuit: .quit
      }
  }
}
