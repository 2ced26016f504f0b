/// What concerns a host as a whole: a pause that it asks for, and whether it refuses most requests.
///
/// A server's limits apply to the rate that a request names, or else to its scheme, host and port; either is a *scope* here.
extension Machine {
  /// Whether the host of the step's request may be asked; if not, the frame keeps its place and waits for its turn.
  mutating func isHostOpen(_ place: StepPlace, probing: Bool, at now: Instant) -> Bool {
    guard let name = frames.pausedHost(of: place, probing: probing, at: now) else { return true }
    let moment = frames.takeTurn(name, at: now)
    frames.update(place) { $0.notBefore = moment }
    delay(place, until: moment, isEarly: false, at: now)
    return false
  }

  /// Whether the host of the item's next compensation may be asked; if not, the item waits for its turn.
  mutating func isHostOpen(
    toUndo key: ItemKey, _ template: RequestTemplate, _ scope: Scope, at now: Instant
  ) -> Bool {
    guard state.pauses.areAny(at: now), let name = evaluator.limitScope(of: template, scope),
      let pause = state.pauses[name], now < pause.until
    else { return true }
    let moment = frames.takeTurn(name, at: now)
    frames.update(key) { $0.abandoning?.notBefore = moment }
    waiting.delay(key, until: moment, as: .held)
    waiting.blockers[key] = .compensation(until: moment)
    return false
  }

  /// Whether the host of a batch may be asked; if not, its members wait in their queue.
  mutating func isHostOpen(
    forBatch members: [ItemKey], _ step: Int, probing: Bool, at now: Instant
  ) -> Bool {
    let place = StepPlace(key: members[0], step: step)
    guard let name = frames.pausedHost(of: place, probing: probing, at: now),
      let until = state.pauses[name]?.until
    else { return true }
    for key in members { waiting.blockers[key] = .host(name, step: step, until: until) }
    return false
  }

  /// Makes a frame wait for a point in time; whether it keeps its place depends on the reason.
  mutating func delay(_ place: StepPlace, until instant: Instant, isEarly: Bool, at now: Instant) {
    // A batch has one place for all its members, so they are not counted one by one. The pipeline
    // does not ask for the wait for the next probe of an unknown outcome, even if a process ended and no request failed.
    let hasFailed =
      frames.stepState(place.step, for: place.key) { $0.failure != nil || $0.unknownSince != nil }
      == true
      && pipeline.steps[place.step].batch == nil
    let host = isEarly || hasFailed ? nil : frames.hostBlocker(place, until: instant, at: now)
    // The place that it leaves is free for another.
    if host == nil, let key = place.key, key.part == nil { agenda.unfilled.insert(key.loop) }
    waiting.delay(
      place.key, until: instant,
      as: host != nil ? .held : hasFailed && !isEarly ? .failed : .intended)
    waiting.blockers[place.key] =
      isEarly
      ? .earliest(step: place.step, until: instant)
      : host ?? .delay(step: place.step, until: instant)
  }

  /// When a host may be asked again by the batches that wait for it.
  func nextOpening(after now: Instant) -> Instant? {
    guard !batches.queues.isEmpty else { return nil }
    return state.pauses.values.map(\.until).filter { $0 > now }.min()
  }

  /// Records whether the host of an item's request refused it.
  mutating func noteHost(of id: EffectID, _ verdict: Verdict, at now: Instant) {
    guard let key = id.item, let step = id.step, pipeline.isExchange(id),
      let isRefused = verdict.isRefusedByHost, isRefused || hosts.refusing[key.loop] != nil
    else { return }
    let place = StepPlace(key: key, step: step)
    let isProbe = frames.stepState(step, for: key, \.status) == .probing
    guard let name = frames.hostScope(of: place, probing: isProbe, at: now) else { return }
    // Frames that wait for the host to recover may start.
    if hosts.record(name, of: key.loop, isRefused: isRefused) { agenda.unfilled.insert(key.loop) }
  }
}

extension Verdict {
  /// Whether the host refused to work on any request; `nil` if the verdict does not show that.
  fileprivate var isRefusedByHost: Bool? {
    switch self {
    case .success, .results, .itemDone, .itemSkipped, .expired: false
    case .retry(let failure, _, _), .fail(let failure), .pause(let failure),
      .pauseRun(let failure), .unknown(let failure):
      failure.isOfHost
    case .poll(_, let status, _, _): status == 429
    case .uncertain(let verdict): verdict.isRefusedByHost
    case .unavailable, .stale, .interrupted, .notDone: nil
    }
  }
}

extension Failure {
  /// Whether the cause is the host and not the request: there is no response, or one that reports this.
  var isOfHost: Bool { status.map { $0 == 429 || $0 >= 500 } ?? true }
}
