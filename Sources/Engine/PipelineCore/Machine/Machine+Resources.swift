extension Machine {
  /// Whether another exchange may be in flight; if not, the frame waits for its turn.
  mutating func hasConnection(_ place: StepPlace) -> Bool {
    guard let limit = limits.exchanges else { return true }
    if ledger.exchanges < limit { return true }
    waiting.connections.enqueue(place.key, isFirst: agenda.served.contains(place.key))
    waiting.blockers[place.key] = .connections(step: place.step, limit: limit)
    return false
  }

  /// Records that an effect is in flight.
  mutating func launch(_ id: EffectID) {
    inFlight.insert(id)
    if pipeline.isExchange(id) { ledger.exchanges += 1 }
  }

  /// An exchange has ended, so a frame that waits for a connection gets it.
  mutating func releaseConnection(at now: Instant) {
    ledger.exchanges -= 1
    guard let limit = limits.exchanges else { return }
    while state.status == .running || state.status == .cancelling, ledger.exchanges < limit,
      let key = waiting.connections.frames.first
    {
      serve(key, at: now)
      if waiting.connections.frames.first == .some(key) { return }
    }
    for step in batches.queues.keys {
      if let loop = pipeline.steps[step].loop { agenda.unfilled.insert(loop) }
    }
    guard ledger.exchanges < limit else { return }
    // A batch may now wait for a place among the loop's items.
    setBatchBlockers { if case .connections = $0 { true } else { false } }
  }

  mutating func setLimits(_ limits: ProcessLimits, at now: Instant) {
    self.limits = limits
    guard isRecovered, state.status == .running else { return }
    for key in waiting.connections.removeAll() { advance(key, at: now) }
  }

  /// Whether something that the step needs is known to be short; if so, the frame waits for it.
  mutating func isLacking(_ place: StepPlace, probing: Bool) -> Bool {
    guard !waiting.shortages.isEmpty, !agenda.served.contains(place.key) else { return false }
    for resource in pipeline.resources(of: place.step, probing: probing) where resource.isShared {
      guard waiting.shortages[resource] != nil else { continue }
      waiting.wait(for: resource, place)
      return true
    }
    return false
  }

  /// Records a shortage, and makes the frames wait for it.
  mutating func noteShortage(_ resource: Resource, _ places: [StepPlace], at now: Instant) {
    if waiting.shortages[resource] == nil {
      waiting.shortages[resource] = Shortage(since: now, next: now + resource.firstPause)
    }
    for place in places {
      guard state.status == .running else {
        waiting.blockers[place.key] = .stopped
        continue
      }
      waiting.wait(for: resource, place)
    }
  }

  /// The shortages that a verdict reports.
  mutating func learn(ofResourcesFrom verdict: Verdict, at now: Instant) {
    if verdict.hasResponse { hosts.wasAnswered = true }
    guard !waiting.shortages.isEmpty else { return }
    if verdict.hasResponse { endShortage(.network, at: now) }
    if verdict.hasFile { endShortage(.diskSpace, at: now) }
    if verdict.hasResponse || verdict.hasFile { endShortage(.openFiles, at: now) }
  }

  private mutating func endShortage(_ resource: Resource, at now: Instant) {
    guard let shortage = waiting.shortages.removeValue(forKey: resource) else { return }
    for key in shortage.queue.frames where !waitsForPlace(key) { advance(key, at: now) }
  }

  /// Makes a member of a batch wait for one of the loop's places: a batch needs one, its members one each.
  private mutating func waitsForPlace(_ key: ItemKey?) -> Bool {
    guard let key, case .shortage(_, let step, _, _)? = waiting.blockers[key],
      pipeline.steps[step].batch != nil
    else { return false }
    makeDue(key)
    return true
  }

  /// When a shortage is tried again.
  var nextTrial: Instant? {
    var moments = waiting.shortages.values.map(\.next)
    moments += Resource.allCases.compactMap(end)
    return moments.min()
  }

  /// When the run ends for lack of a network, or is left to other workers for lack of anything.
  private func end(ofWaitingFor resource: Resource) -> Instant? {
    guard state.status == .running, let since = waiting.shortages[resource]?.since else {
      return nil
    }
    if limits.worker != nil {
      return since + min(limits.networkTimeout ?? Self.patience, Self.patience)
    }
    guard resource == .network, let timeout = limits.networkTimeout, !hosts.wasAnswered else {
      return nil
    }
    return since + timeout
  }

  /// Retries shortages whose delay has passed.
  mutating func tryResources(at now: Instant) {
    for resource in Resource.allCases {
      guard let end = end(ofWaitingFor: resource), end <= now,
        let since = waiting.shortages[resource]?.since
      else { continue }
      let time = "for \((now - since).milliseconds / 1000) s"
      let text =
        limits.worker == nil
        ? "no network \(time), and no host has responded yet"
        : "waited for \(Blocker.shortage(resource, step: 0, since: since, until: now).words(in: pipeline)) \(time)"
      halt(Failure(text, lacking: Lack(resource)), at: now)
    }
    for resource in Resource.allCases {
      guard let shortage = waiting.shortages[resource], shortage.next <= now else { continue }
      guard !shortage.queue.isEmpty else {
        waiting.shortages[resource] = nil
        continue
      }
      let pause = resource.firstPause.milliseconds << min(shortage.trials + 1, 20)
      waiting.shortages[resource]?.trials += 1
      waiting.shortages[resource]?.next = now + min(.milliseconds(pause), resource.longestPause)
      tryResource(resource, at: now)
      waiting.renewBlockers(of: resource)
    }
  }

  /// Lets one waiting frame try, or each of them if the resource is not the same for all.
  mutating func tryResource(_ resource: Resource, at now: Instant) {
    guard state.status == .running, let queue = waiting.shortages[resource]?.queue else { return }
    let keys = resource.isShared ? queue.frames.prefix(1) : queue.frames[...]
    for key in keys where !waitsForPlace(key) { serve(key, at: now) }
  }

  /// Whether a transfer may be handed over; if not, it waits for its turn.
  mutating func hasSlot(_ place: StepPlace) -> Bool {
    let key = place.key
    guard let limit = pipeline.budgets.transfers.map({ max($0 / limits.shares, 1) }),
      ledger.transfers >= limit || !(waiting.transfers.isEmpty || agenda.served.contains(key))
    else { return true }
    let rank = pipeline.steps[place.step].transfer?.priority ?? 0
    waiting.transfers.enqueue(key, isFirst: agenda.served.contains(key), rank: rank)
    waiting.blockers[key] = .transfers(step: place.step, limit: limit)
    return false
  }

  mutating func waitForAllowance(_ key: ItemKey?, _ step: Int, _ needed: Duration) {
    waiting.allowance.enqueue(key, isFirst: false)
    waiting.blockers[key] = .allowance(step: step, needed: needed)
  }

  func isAllowed(_ place: StepPlace, isProbe: Bool, needed: Duration, at now: Instant) -> Bool {
    // A transfer is only handed over; its duration is not limited by the allowance. If it waited for
    // its earliest time, it can be handed over even while the allowance ends (BT5).
    if pipeline.steps[place.step].transfer != nil, !isProbe {
      let isEarly = frames.stepState(place.step, for: place.key)?.earliest != nil
      return frames.isAllowed(.zero, at: now) || isAllowanceEnding && isEarly
    }
    return frames.isAllowed(needed, at: now)
  }
}
