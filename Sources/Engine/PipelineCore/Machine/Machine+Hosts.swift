/// What concerns a host as a whole: a pause that it asks for, and whether it refuses most requests.
///
/// A server's limits apply to the rate that a request names, or else to its scheme, host and port; either is a *scope* here.
extension Machine {
  /// The scope of a step's request; `nil` if it has no request, or its URL can no longer be determined.
  private func hostScope(of place: StepPlace, probing: Bool, at now: Instant) -> String? {
    let step = pipeline.steps[place.step]
    guard let template = probing ? step.probe?.request : step.action.request else { return nil }
    let scope = scope(of: place.key, at: now)
    return evaluator.limitScope(
      of: template, (try? evaluator.scope(scope, ofRequestOf: step)) ?? scope)
  }

  /// Makes all requests to the host of a refused one wait, if the response asks for that.
  ///
  /// - Returns: When the refused request is repeated: those that wait follow each other.
  mutating func pauseHost(
    of place: StepPlace, _ failure: Failure, after: Instant?, until moment: Instant, at now: Instant
  ) -> Instant {
    guard pipeline.steps[place.step].retry.retryAfter == .honor,
      HostPause.isAsked(by: failure.status, after: after)
    else { return moment }
    let isProbe = stepState(place.step, for: place.key, \.status) == .probing
    guard let name = hostScope(of: place, probing: isProbe, at: now) else { return moment }
    let loop = place.key.map { pipeline.loops[$0.loop] }
    return pauseHost(
      name, until: moment, for: loop.map { $0.concurrency + $0.waitingLimit } ?? 1, at: now)
  }

  private mutating func pauseHost(
    _ name: String, until moment: Instant, for count: Int, at now: Instant
  ) -> Instant {
    guard moment > now else { return moment }
    state.pauses = state.pauses.filter { now < $0.value.next }
    let known = state.pauses[name]
    let spread = min(moment - now, HostPause.longestSpread)
    state.pauses[name] = HostPause(
      until: [moment, known?.until].compactMap { $0 }.max() ?? moment,
      next: [moment, known?.next].compactMap { $0 }.max() ?? moment,
      gap: .milliseconds(spread.milliseconds / Int64(max(count, 1))))
    return takeTurn(name, at: now)
  }

  /// When the next of those that wait for the host is sent.
  private mutating func takeTurn(_ name: String, at now: Instant) -> Instant {
    guard let pause = state.pauses[name] else { return now }
    state.pauses[name]?.next = pause.next + pause.gap
    changes.isRunChanged = true
    return pause.next
  }

  /// The scope of the step's next request if it must not be sent yet.
  private func pausedHost(of place: StepPlace, probing: Bool, at now: Instant) -> String? {
    guard isPausing(at: now), let name = hostScope(of: place, probing: probing, at: now),
      let pause = state.pauses[name], now < pause.until
    else { return nil }
    return name
  }

  private func isPausing(at now: Instant) -> Bool {
    state.pauses.values.contains { now < $0.until }
  }

  /// Whether the host of the step's request may be asked; if not, the frame keeps its place and waits for its turn.
  mutating func isHostOpen(_ place: StepPlace, probing: Bool, at now: Instant) -> Bool {
    guard let name = pausedHost(of: place, probing: probing, at: now) else { return true }
    let moment = takeTurn(name, at: now)
    update(place) { $0.notBefore = moment }
    delay(place, until: moment, isEarly: false, at: now)
    return false
  }

  /// Whether the host of the item's next compensation may be asked; if not, the item waits for its turn.
  mutating func isHostOpen(
    toUndo key: ItemKey, _ template: RequestTemplate, _ scope: Scope, at now: Instant
  ) -> Bool {
    guard isPausing(at: now), let name = evaluator.limitScope(of: template, scope),
      let pause = state.pauses[name], now < pause.until
    else { return true }
    let moment = takeTurn(name, at: now)
    update(key) { $0.abandoning?.notBefore = moment }
    waiting.delay(key, until: moment, as: .held)
    blockers[key] = .compensation(until: moment)
    return false
  }

  /// Whether the host of a batch may be asked; if not, its members wait in their queue.
  mutating func isHostOpen(
    forBatch members: [ItemKey], _ step: Int, probing: Bool, at now: Instant
  ) -> Bool {
    let place = StepPlace(key: members[0], step: step)
    guard let name = pausedHost(of: place, probing: probing, at: now),
      let until = state.pauses[name]?.until
    else { return true }
    for key in members { blockers[key] = .host(name, step: step, until: until) }
    return false
  }

  /// Makes a frame wait for a point in time; whether it keeps its place depends on the reason.
  mutating func delay(
    _ place: StepPlace, until instant: Instant, isEarly: Bool, at now: Instant
  ) {
    // A batch has one place for all its members, so they are not counted one by one. The pipeline
    // does not ask for the wait for the next probe of an unknown outcome, even if a process ended and no request failed.
    let hasFailed =
      stepState(place.step, for: place.key) { $0.failure != nil || $0.unknownSince != nil } == true
      && pipeline.steps[place.step].batch == nil
    let host = isEarly || hasFailed ? nil : hostBlocker(place, until: instant, at: now)
    // The place that it leaves is free for another.
    if host == nil, let key = place.key, key.part == nil { unfilled.insert(key.loop) }
    waiting.delay(
      place.key, until: instant,
      as: host != nil ? .held : hasFailed && !isEarly ? .failed : .intended)
    blockers[place.key] =
      isEarly
      ? .earliest(step: place.step, until: instant)
      : host ?? .delay(step: place.step, until: instant)
  }

  /// Why a frame waits that has no failure of its own, if it waits for its turn after a pause.
  private func hostBlocker(
    _ place: StepPlace, until moment: Instant, at now: Instant
  ) -> Blocker? {
    guard let current = stepState(place.step, for: place.key) else { return nil }
    // Without a response, it waits for nothing else, even if its turn was in an earlier pause than today's.
    let isWithin = { (pause: HostPause) in
      moment < pause.next && (pause.until <= moment || current.statuses.isEmpty)
    }
    guard state.pauses.values.contains(where: isWithin),
      let name = hostScope(of: place, probing: isProbed(place, current), at: now),
      state.pauses[name].map(isWithin) == true
    else { return nil }
    return .host(name, step: place.step, until: moment)
  }

  /// When a host may be asked again by the batches that wait for it.
  func nextOpening(after now: Instant) -> Instant? {
    guard !queues.batches.isEmpty else { return nil }
    return state.pauses.values.map(\.until).filter { $0 > now }.min()
  }

  /// Records whether the host of an item's request refused it.
  mutating func noteHost(of id: EffectID, _ verdict: Verdict, at now: Instant) {
    guard let key = id.item, let step = id.step, isExchange(id),
      let isRefused = verdict.isRefusedByHost, isRefused || refusing[key.loop] != nil
    else { return }
    let place = StepPlace(key: key, step: step)
    let isProbe = stepState(step, for: key, \.status) == .probing
    guard let name = hostScope(of: place, probing: isProbe, at: now) else { return }
    let known = refusing[key.loop]?[name]
    guard isRefused ? known != nil || (refusing[key.loop]?.count ?? 0) < 64 : known != nil else {
      return
    }
    let score = (known ?? 0) + (isRefused ? 1 : -1)
    // Frames that wait for the host to recover may start.
    if !isRefused { unfilled.insert(key.loop) }
    refusing[key.loop, default: [:]][name] =
      score > 0 ? min(score, HostPause.highestScore) : nil
    if refusing[key.loop]?.isEmpty == true { refusing[key.loop] = nil }
  }

  /// Whether a host refuses most requests of the loop's items, so that no item starts while others are tried.
  func isRefused(_ loop: Int) -> Bool {
    refusing[loop]?.values.contains { $0 >= HostPause.refusingScore } ?? false
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
