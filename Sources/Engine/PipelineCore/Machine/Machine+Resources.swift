extension Machine {
  /// Whether another exchange may be in flight; if not, the frame waits for its turn.
  mutating func hasConnection(_ place: StepPlace) -> Bool {
    guard let limit = frames.limits.exchanges else { return true }
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
    guard let limit = frames.limits.exchanges else { return }
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
    frames.limits = limits
    guard isRecovered, state.status == .running else { return }
    for key in waiting.connections.removeAll() { advance(key, at: now) }
  }

  /// The resources that an attempt or a probe of the step needs.
  private func needs(of place: StepPlace, probing: Bool) -> [Resource] {
    let writes = pipeline.steps[place.step].makesFile && !probing
    return writes ? [.openFiles, .diskSpace] : [.openFiles]
  }

  /// Whether something that the step needs is known to be short; if so, the frame waits for it.
  mutating func isLacking(_ place: StepPlace, probing: Bool) -> Bool {
    guard !waiting.shortages.isEmpty, !agenda.served.contains(place.key) else { return false }
    for resource in needs(of: place, probing: probing) where resource.isShared {
      guard waiting.shortages[resource] != nil else { continue }
      wait(for: resource, place)
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
      wait(for: resource, place)
    }
  }

  private mutating func wait(for resource: Resource, _ place: StepPlace) {
    guard let shortage = waiting.shortages[resource] else { return }
    waiting.shortages[resource]?.queue.enqueue(place.key, isFirst: false)
    waiting.blockers[place.key] = .shortage(
      resource, step: place.step, since: shortage.since, until: shortage.next)
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
    if frames.limits.worker != nil {
      return since + min(frames.limits.networkTimeout ?? Self.patience, Self.patience)
    }
    guard resource == .network, let timeout = frames.limits.networkTimeout, !hosts.wasAnswered
    else {
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
        frames.limits.worker == nil
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
      waiting.shortages[resource]?.next =
        now + min(.milliseconds(pause), resource.longestPause)
      tryResource(resource, at: now)
      setShortageBlockers(resource)
    }
  }

  private mutating func setShortageBlockers(_ resource: Resource) {
    guard let shortage = waiting.shortages[resource] else { return }
    for key in shortage.queue.frames {
      guard case .shortage(_, let step, _, _)? = waiting.blockers[key] else { continue }
      waiting.blockers[key] = .shortage(
        resource, step: step, since: shortage.since, until: shortage.next)
    }
  }

  /// Lets one waiting frame try, or each of them if the resource is not the same for all.
  mutating func tryResource(_ resource: Resource, at now: Instant) {
    guard state.status == .running, let queue = waiting.shortages[resource]?.queue else { return }
    let keys = resource.isShared ? queue.frames.prefix(1) : queue.frames[...]
    for key in keys where !waitsForPlace(key) { serve(key, at: now) }
  }

  func resourceViolations() -> [String] {
    var found: [String] = []
    let exchanges = inFlight.count(where: pipeline.isExchange)
    if exchanges != ledger.exchanges {
      found.append("the ledger counts \(ledger.exchanges) exchanges, expected \(exchanges)")
    }
    for (resource, shortage) in waiting.shortages {
      for case let key? in shortage.queue.frames where !frames.isInWindow(key) {
        found.append("item \(key) is queued for \(resource), but is not in the window")
      }
    }
    return found
  }
}
