/// Sending no faster than the rates of the budgets allow.
///
/// Each request consumes a token of every rate that it counts towards, in the same commit that demands it: attempts, probes,
/// the questions of a poll, answered challenges and compensations. What waits for a token holds none.
extension Machine {
  /// Divides the server's limits again: what waits for them continues earlier or later.
  mutating func setShares(_ shares: Int, at now: Instant) {
    guard shares != limits.shares else { return }
    let before = pipeline.budgets.rates.indices.map { limits.share(of: $0, in: pipeline) }
    limits.shares = shares
    for (index, old) in before.enumerated() {
      state.buckets[old.name] = state.buckets[old.name]?.paced(
        limits.share(of: index, in: pipeline), after: old, at: now)
    }
    frames.changes.isRunChanged = true
    serveRates(at: now)
    wakeTransfers(at: now)
  }

  /// When the first waiting frame gets a token of a rate that is divided: the bucket fills only while this worker holds the shard.
  public var dividedToken: Instant? { limits.isDivided(state.shard) ? nextToken : nil }

  /// Whether a request of the step may be sent; if not, the frame waits for a token.
  mutating func hasToken(_ place: StepPlace, at now: Instant) -> Bool {
    guard !pipeline.budgets.rates.isEmpty else { return true }
    let isProbe =
      frames.stepState(place.step, for: place.key).map { frames.isProbed(place, $0) } ?? false
    return hasTokens(of: pipeline.rates(of: place.step, probing: isProbe), place, at: now)
  }

  /// Whether the item's next compensation may be sent; if not, it waits for a token.
  mutating func hasTokenToUndo(_ place: StepPlace, at now: Instant) -> Bool {
    guard let key = place.key, !pipeline.budgets.rates.isEmpty else { return true }
    return hasTokens(of: frames.rates(ofCompensation: key), place, at: now)
  }

  /// Whether a batch may be sent; if not, it waits with its first member for a token.
  mutating func hasToken(forBatch members: [ItemKey], _ step: Int, at now: Instant) -> Bool {
    let place = StepPlace(key: members[0], step: step)
    guard !hasToken(place, at: now), let blocker = waiting.blockers[members[0]] else { return true }
    for key in members { waiting.blockers[key] = blocker }
    return false
  }

  private mutating func hasTokens(of rates: [Int], _ place: StepPlace, at now: Instant) -> Bool {
    guard !rates.isEmpty else { return true }
    var lacking = limits.lackingToken(of: rates, in: frames, at: now)
    if lacking == nil, !agenda.served.contains(place.key), let rate = rates.first,
      waiting.rates.holds(back: place.key, rates)
    {
      // Its turn comes after those that wait.
      lacking = (rate, now)
    }
    guard let lacking else { return true }
    waiting.rates.enqueue(place.key, rates, lacking: lacking.rate)
    waiting.blockers[place.key] = .rate(lacking.rate, step: place.step, until: lacking.until)
    return false
  }

  /// When the first waiting frame gets its tokens.
  var nextToken: Instant? {
    guard !waiting.rates.isEmpty else { return nil }
    return waiting.rates.needs.compactMap {
      $0.compactMap { limits.nextToken(of: $0, in: frames) }.max()
    }.min()
  }

  /// Continues the frames that have their tokens, in order.
  mutating func serveRates(at now: Instant) {
    for entry in waiting.rates.entries {
      guard state.status == .running || state.status == .cancelling else { return }
      guard waiting.rates.contains(entry.key), limits.haveTokens(entry.rates, in: frames, at: now)
      else { continue }
      if let key = entry.key, let step = waiting.queuedBatchStep(of: key, in: pipeline),
        batches.queues[step]?.contains(key) == true
      {
        serveBatch(of: key, step, entry.rates, at: now)
      } else {
        serve(entry.key, at: now)
      }
      waiting.rates.forget(entry.key)
    }
    for entry in waiting.rates.entries {
      guard case .rate(_, let step, _)? = waiting.blockers[entry.key],
        let lacking = limits.lackingToken(of: entry.rates, in: frames, at: now)
      else { continue }
      waiting.rates.enqueue(entry.key, entry.rates, lacking: lacking.rate)
      waiting.blockers[entry.key] = .rate(lacking.rate, step: step, until: lacking.until)
    }
  }

  /// A batch occupies a place of its loop; without one, it waits for that.
  private mutating func serveBatch(of key: ItemKey, _ step: Int, _ rates: [Int], at now: Instant) {
    guard let loop = pipeline.steps[step].loop else { return }
    agenda.served.insert(key)
    if workingItems(in: loop) < pipeline.loops[loop].concurrency,
      sendCompleteBatch(loop, at: now) || sendWaitingBatch(loop, at: now)
    {
      agenda.unfilled.insert(loop)
    }
    agenda.served.remove(key)
    guard waiting.rates.contains(key), limits.haveTokens(rates, in: frames, at: now) else { return }
    // It is not the token that it lacks: the next attempt to send it names the missing resource.
    waiting.rates.remove(key, keepsPlace: false)
    setBatchBlockers()
    agenda.unfilled.insert(loop)
  }
}
