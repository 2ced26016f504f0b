/// Sending no faster than the rates of the budgets allow.
///
/// Each request consumes a token of every rate that it counts towards, in the same commit that demands it: attempts, probes,
/// the questions of a poll, answered challenges and compensations. What waits for a token holds none.
extension Machine {
  /// The rates that a request of a step counts towards, by their index in ``Budgets/rates``.
  private func rates(of step: Int, probing: Bool) -> [Int] {
    let declaration = pipeline.steps[step]
    guard !pipeline.budgets.rates.isEmpty, declaration.kind.hasResponse else { return [] }
    let request = probing ? declaration.probe?.request : declaration.action.request
    return pipeline.budgets.rates(named: request?.rate)
  }

  private func rates(ofCompensation key: ItemKey) -> [Int] {
    guard let index = abandonProgress(of: key)?.index, let next = undoing(index, of: key) else {
      return []
    }
    let request = pipeline.loops[key.loop].onAbandon[next.compensation].request
    return pipeline.budgets.rates(named: request.rate)
  }

  /// The part of a rate that this process may use.
  private func share(of rate: Int) -> Rate { pipeline.budgets.rates[rate].share(of: limits.shares) }

  /// Divides the server's limits again: what waits for them continues earlier or later.
  mutating func setShares(_ shares: Int, at now: Instant) {
    guard shares != limits.shares else { return }
    let before = pipeline.budgets.rates.indices.map(share)
    limits.shares = shares
    for (index, old) in before.enumerated() {
      state.buckets[old.name] = state.buckets[old.name]?.paced(
        share(of: index), after: old, at: now)
    }
    changes.isRunChanged = true
    serveRates(at: now)
    wakeTransfers(at: now)
  }

  /// When there is a token; `nil` if none has been consumed yet.
  private func nextToken(of rate: Int) -> Instant? {
    let rate = share(of: rate)
    return state.buckets[rate.name]?.next(rate)
  }

  /// The rate whose token comes last; `nil` if there are tokens of all.
  private func lackingToken(of rates: [Int], at now: Instant) -> (rate: Int, until: Instant)? {
    var lacking: (rate: Int, until: Instant)?
    for rate in rates {
      guard let moment = nextToken(of: rate), moment > lacking?.until ?? now else { continue }
      lacking = (rate, moment)
    }
    return lacking
  }

  private func haveTokens(_ rates: [Int], at now: Instant) -> Bool {
    rates.allSatisfy { nextToken(of: $0).map { $0 <= now } ?? true }
  }

  /// Checks the buckets of the last process against the clock of this one.
  ///
  /// One of several shards starts without tokens, since it has a part of the rates only while a worker holds it.
  mutating func recoverBuckets(at now: Instant) {
    for rate in pipeline.budgets.rates.indices.map(share) {
      let known = state.buckets[rate.name]?.checked(rate, at: now)
      let isEmptied = isDivided && known.map { $0.next(rate) <= now } ?? true
      state.buckets[rate.name] = isEmptied ? .empty(rate, at: now) : known
    }
  }

  /// Whether other workers use the rates as well, for other shards.
  private var isDivided: Bool { limits.worker != nil && state.shard.map { $0.count > 1 } ?? false }

  /// When the first waiting frame gets a token of a rate that is divided: the bucket fills only while this worker holds the shard.
  public var dividedToken: Instant? { isDivided ? nextToken : nil }

  /// Whether a request of the step may be sent; if not, the frame waits for a token.
  mutating func hasToken(_ place: StepPlace, at now: Instant) -> Bool {
    guard !pipeline.budgets.rates.isEmpty else { return true }
    let isProbe = stepState(place.step, for: place.key).map { isProbed(place, $0) } ?? false
    return hasTokens(of: rates(of: place.step, probing: isProbe), place, at: now)
  }

  /// Whether the item's next compensation may be sent; if not, it waits for a token.
  mutating func hasTokenToUndo(_ place: StepPlace, at now: Instant) -> Bool {
    guard let key = place.key, !pipeline.budgets.rates.isEmpty else { return true }
    return hasTokens(of: rates(ofCompensation: key), place, at: now)
  }

  /// Whether a batch may be sent; if not, it waits with its first member for a token.
  mutating func hasToken(forBatch members: [ItemKey], _ step: Int, at now: Instant) -> Bool {
    let place = StepPlace(key: members[0], step: step)
    guard !hasToken(place, at: now), let blocker = blockers[members[0]] else { return true }
    for key in members { blockers[key] = blocker }
    return false
  }

  private mutating func hasTokens(of rates: [Int], _ place: StepPlace, at now: Instant) -> Bool {
    guard !rates.isEmpty else { return true }
    var lacking = lackingToken(of: rates, at: now)
    if lacking == nil, !served.contains(place.key), let rate = rates.first,
      queues.rates.holds(back: place.key, rates)
    {
      // Its turn comes after those that wait.
      lacking = (rate, now)
    }
    guard let lacking else { return true }
    queues.rates.enqueue(place.key, rates, lacking: lacking.rate)
    blockers[place.key] = .rate(lacking.rate, step: place.step, until: lacking.until)
    return false
  }

  /// Consumes the tokens of a request that is about to be sent.
  mutating func takeTokens(for id: EffectID, probing: Bool = false, at now: Instant) {
    guard !pipeline.budgets.rates.isEmpty else { return }
    let counted =
      id.step.map { rates(of: $0, probing: probing) }
      ?? id.item.map { rates(ofCompensation: $0) } ?? []
    for index in counted {
      let rate = share(of: index)
      let bucket = state.buckets[rate.name] ?? TokenBucket(full: now)
      state.buckets[rate.name] = bucket.taken(rate, at: now)
    }
    if !counted.isEmpty { changes.isRunChanged = true }
  }

  /// When the first waiting frame gets its tokens.
  var nextToken: Instant? {
    guard !queues.rates.isEmpty else { return nil }
    return queues.rates.needs.compactMap { $0.compactMap(nextToken).max() }.min()
  }

  /// Continues the frames that have their tokens, in order.
  mutating func serveRates(at now: Instant) {
    for entry in queues.rates.entries {
      guard state.status == .running || state.status == .cancelling else { return }
      guard queues.rates.contains(entry.key), haveTokens(entry.rates, at: now) else { continue }
      if let key = entry.key, let step = queuedBatchStep(of: key),
        queues.batches[step]?.contains(key) == true
      {
        serveBatch(of: key, step, entry.rates, at: now)
      } else {
        serve(entry.key, at: now)
      }
      queues.rates.forget(entry.key)
    }
    for entry in queues.rates.entries {
      guard case .rate(_, let step, _)? = blockers[entry.key],
        let lacking = lackingToken(of: entry.rates, at: now)
      else { continue }
      queues.rates.enqueue(entry.key, entry.rates, lacking: lacking.rate)
      blockers[entry.key] = .rate(lacking.rate, step: step, until: lacking.until)
    }
  }

  /// A batch occupies a place of its loop; without one, it waits for that.
  private mutating func serveBatch(of key: ItemKey, _ step: Int, _ rates: [Int], at now: Instant) {
    guard let loop = pipeline.steps[step].loop else { return }
    served.insert(key)
    if workingItems(in: loop) < pipeline.loops[loop].concurrency,
      sendCompleteBatch(loop, at: now) || sendWaitingBatch(loop, at: now)
    {
      unfilled.insert(loop)
    }
    served.remove(key)
    guard queues.rates.contains(key), haveTokens(rates, at: now) else { return }
    // It is not the token that it lacks: the next attempt to send it names the missing resource.
    queues.rates.remove(key, keepsPlace: false)
    setBatchBlockers()
    unfilled.insert(loop)
  }

  func rateViolations() -> [String] {
    queues.rates.entries.compactMap { entry in
      entry.rates.contains(entry.lacking) ? nil : "a frame waits for a rate that it does not need"
    }
  }
}
