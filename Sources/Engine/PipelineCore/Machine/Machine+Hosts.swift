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
  mutating func isHostOpen(forBatch members: [ItemKey], _ step: Int, probing: Bool, at now: Instant)
    -> Bool
  {
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
      == true && pipeline.steps[place.step].batch == nil
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

  /// Counts a refusal, or ends the row of them.
  mutating func countRefusal(of id: EffectID, _ verdict: Verdict, at now: Instant) {
    guard let step = id.step else { return }
    if verdict.tookEffect {
      hosts.endRefusals(of: step)
    } else if let failure = verdict.refusal {
      let lack = limits.lack(failure, at: step, in: pipeline)
      guard lack != nil || failure.isRefusal(withCredentials: pipeline.hasCredentials(step)),
        let key = id.item
      else { return }
      let refusal = Refusals(step: step, status: failure.status, lack: lack, since: now)
      hosts.count(
        refusal, of: key, failure, in: \.refusals, limit: pipeline.budgets.refusals, at: now)
    }
  }

  /// Counts an item that used up its attempts at a host that refuses most requests: if none succeeds for an hour, the others
  /// would do the same, in turn, for days.
  mutating func countExhaustion(of place: StepPlace, _ failure: Failure, at now: Instant) {
    guard let key = place.key, hosts.isRefused(key.loop), failure.isOfHost else { return }
    // A server that is down may respond with 500, with 503 or not at all: it is one outage.
    let refusal = Refusals(step: place.step, status: nil, lack: nil, since: now)
    hosts.count(
      refusal, of: key, failure, in: \.outage, limit: pipeline.budgets.refusals,
      after: Refusals.patience, at: now)
  }

  /// Pauses the run if the responses to its items' requests require it; commands in flight end.
  mutating func haltIfRefused(at now: Instant) {
    guard let reason = hosts.takeReason() else { return }
    haltRefused(reason, at: now)
  }

  mutating func haltRefused(_ reason: Failure, at now: Instant) {
    guard state.status == .running else { return }
    halt(reason, at: now)
    waiting.blockers[nil] = .stopped
  }
}

extension Verdict {
  /// Whether the host refused to work on any request; `nil` if the verdict does not show that.
  fileprivate var isRefusedByHost: Bool? {
    switch self {
    case .success, .results, .itemDone, .itemSkipped, .expired: false
    case .retry(let failure, _, _), .fail(let failure), .pause(let failure), .pauseRun(let failure),
      .unknown(let failure):
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

extension Verdict {
  fileprivate var tookEffect: Bool {
    switch self {
    case .success, .results, .itemDone: true
    case .retry, .expired, .fail, .pause, .pauseRun, .unknown, .uncertain, .unavailable, .poll,
      .stale, .interrupted, .notDone, .itemSkipped:
      false
    }
  }

  /// Why the server did not fulfill the request.
  fileprivate var refusal: Failure? {
    switch self {
    case .retry(let failure, _, _), .fail(let failure), .pause(let failure), .unknown(let failure):
      failure
    case .uncertain(let verdict): verdict.refusal
    case .success, .results, .expired, .pauseRun, .unavailable, .poll, .stale, .interrupted,
      .notDone, .itemDone, .itemSkipped:
      nil
    }
  }
}

extension Failure {
  /// Whether the server refuses the request for a reason that concerns other items as well.
  public func isRefusal(withCredentials: Bool) -> Bool {
    switch status {
    case 401, 403: withCredentials || isOfQuota
    case 402, 507: true
    // A quota of requests is a wait that the server ends, not the user.
    case 429, nil: false
    case let status?: status >= 400 && isOfQuota
    }
  }

  private var isOfQuota: Bool {
    // What follows the name of the step, in letters only: "insufficient_space", "insufficientSpace".
    let name = message.hasPrefix("step '") ? message.firstRange(of: "': ") : nil
    let words = message[(name?.upperBound ?? message.startIndex)...]
    let text = words.lowercased().filter(\.isLetter).replacing("quotation", with: "")
    return [
      "quota", "storagefull", "diskfull", "insufficientstorage", "insufficientspace",
      "notenoughspace", "nospaceleft", "storagelimit", "storagecap", "capexceeded",
    ].contains { text.contains($0) }
  }
}
