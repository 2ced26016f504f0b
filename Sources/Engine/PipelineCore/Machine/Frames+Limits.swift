import CEL

/// What a step needs: time, a host, tokens of rates, and space.
extension Frames {
  /// The expected duration of the step's next exchange.
  func expectedDuration(of place: StepPlace, probing: Bool, at now: Instant) -> Duration {
    switch pipeline.steps[place.step].action {
    case .materialize, .digest, .forEach: .zero
    case .repeat: state.pace.expectedRequest
    case .download: probing ? state.pace.expectedRequest : .zero
    case .request(let template): min(state.pace.expectedRequest, template.timeout)
    case .poll(let poll): min(state.pace.expectedRequest, poll.request.timeout)
    case .upload(let template):
      if probing {
        state.pace.expectedRequest
      } else if case let scope = scope(of: place.key, at: now),
        let file = try? evaluator.file(template.file, scope)
      {
        min(
          expected(
            upload: template.range == nil
              ? file.size : (try? evaluator.body(template, of: file, scope))?.size ?? 0),
          template.transfer.resourceTimeout)
      } else {
        .zero
      }
    }
  }

  /// The expected duration of an upload, which the budget may make longer than the network does.
  func expected(upload bytes: Int64) -> Duration {
    let known = state.pace.expected(upload: bytes)
    guard let limit = pipeline.budgets.bytesPerSecond else { return known }
    return max(known, .milliseconds(Int64(min(Double(bytes) / Double(limit) * 1000, 1e15))))
  }

  func isAllowed(_ needed: Duration, at now: Instant) -> Bool {
    switch state.allowance {
    case .unlimited: true
    case .none: false
    case .until(let end): now < end && now + needed <= end
    }
  }

  /// Whether a transfer waits for its earliest time with the service: its request is asked for when it
  /// starts, or the process may be suspended by then, so that only the service can start it (TX14).
  func serviceHoldsUntilEarliest(_ step: Int) -> Bool {
    pipeline.steps[step].transfer?.renewals.contains(.begin) == true
      || state.allowance != .unlimited
  }

  /// The scope of a step's request; `nil` if it has no request, or its URL can no longer be determined.
  func hostScope(of place: StepPlace, probing: Bool, at now: Instant) -> String? {
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

  mutating func pauseHost(
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
  mutating func takeTurn(_ name: String, at now: Instant) -> Instant {
    guard let pause = state.pauses[name] else { return now }
    state.pauses[name]?.next = pause.next + pause.gap
    changes.isRunChanged = true
    return pause.next
  }

  /// The scope of the step's next request if it must not be sent yet.
  func pausedHost(of place: StepPlace, probing: Bool, at now: Instant) -> String? {
    guard isPausing(at: now), let name = hostScope(of: place, probing: probing, at: now),
      let pause = state.pauses[name], now < pause.until
    else { return nil }
    return name
  }

  func isPausing(at now: Instant) -> Bool {
    state.pauses.values.contains { now < $0.until }
  }

  /// Why a frame waits that has no failure of its own, if it waits for its turn after a pause.
  func hostBlocker(
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

  func rates(ofCompensation key: ItemKey) -> [Int] {
    guard let index = abandonProgress(of: key)?.index, let next = undoing(index, of: key) else {
      return []
    }
    let request = pipeline.loops[key.loop].onAbandon[next.compensation].request
    return pipeline.budgets.rates(named: request.rate)
  }

  /// The part of a rate that this process may use.
  func share(of rate: Int) -> Rate { pipeline.budgets.rates[rate].share(of: limits.shares) }

  /// When there is a token; `nil` if none has been consumed yet.
  func nextToken(of rate: Int) -> Instant? {
    let rate = share(of: rate)
    return state.buckets[rate.name]?.next(rate)
  }

  /// The rate whose token comes last; `nil` if there are tokens of all.
  func lackingToken(of rates: [Int], at now: Instant) -> (rate: Int, until: Instant)? {
    var lacking: (rate: Int, until: Instant)?
    for rate in rates {
      guard let moment = nextToken(of: rate), moment > lacking?.until ?? now else { continue }
      lacking = (rate, moment)
    }
    return lacking
  }

  func haveTokens(_ rates: [Int], at now: Instant) -> Bool {
    rates.allSatisfy { nextToken(of: $0).map { $0 <= now } ?? true }
  }

  /// Consumes the tokens of a request that is about to be sent.
  mutating func takeTokens(for id: EffectID, probing: Bool = false, at now: Instant) {
    guard !pipeline.budgets.rates.isEmpty else { return }
    let counted =
      id.step.map { pipeline.rates(of: $0, probing: probing) }
      ?? id.item.map { rates(ofCompensation: $0) } ?? []
    for index in counted {
      let rate = share(of: index)
      let bucket = state.buckets[rate.name] ?? TokenBucket(full: now)
      state.buckets[rate.name] = bucket.taken(rate, at: now)
    }
    if !counted.isEmpty { changes.isRunChanged = true }
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
  var isDivided: Bool { limits.worker != nil && state.shard.map { $0.count > 1 } ?? false }

  enum RetryDecision {
    case at(Instant)
    case exhausted(Failure)
  }

  mutating func retryDecision(
    _ policy: RetryPolicy, _ failures: Int, since begun: Instant, _ failure: Failure,
    wished after: Instant?, at now: Instant
  ) -> RetryDecision {
    if failures >= policy.attempts {
      let attempts = failures == 1 ? "1 attempt" : "\(failures) attempts"
      let text = "gave up after \(attempts): \(failure.message)"
      return .exhausted(failure.saying(text))
    }
    var moment = now + jittered(policy.delay(afterFailures: failures), policy)
    if policy.retryAfter == .honor, let after { moment = max(moment, after) }
    if let elapsed = policy.elapsed, moment - begun > elapsed {
      let text = "gave up after \((now - begun).wholeSeconds) s: \(failure.message)"
      return .exhausted(failure.saying(text))
    }
    return .at(moment)
  }

  mutating func jittered(_ delay: Duration, _ policy: RetryPolicy) -> Duration {
    guard policy.jitter == .full, delay > .zero else { return delay }
    changes.isRunChanged = true
    return .milliseconds(Int64.random(in: 0...delay.milliseconds, using: &state.random))
  }

  /// Ranks a frame as the budget serves: the run's own first, a batch to resend like its first item.
  struct Seniority: Comparable {
    let loop: Int
    let batch: Int
    let ordinal: Int
    var part = -1

    static func < (left: Self, right: Self) -> Bool {
      (left.loop, left.batch, left.ordinal, left.part)
        < (right.loop, right.batch, right.ordinal, right.part)
    }
  }

  func seniority(_ key: ItemKey?) -> Seniority {
    guard let key else { return Seniority(loop: -1, batch: 0, ordinal: 0) }
    let batch = frame(key).lazy.compactMap(\.batch?.first).first
    return Seniority(
      loop: key.loop, batch: batch ?? key.ordinal, ordinal: key.ordinal,
      part: key.part?.number ?? -1)
  }

  /// Bytes that the frame and the run hold for files other than the step's, and keep until the frame ends.
  func heldBesides(_ place: StepPlace) -> Int64 {
    let files = steps(of: place.key).reduce(0) { sum, entry in
      // Space that is only claimed is not held: it can be returned.
      sum + (entry.step != place.step && entry.state.holdsFile ? entry.state.reservedBytes : 0)
    }
    let shared = place.key == nil ? 0 : state.frame.reduce(0) { $0 + $1.reservedBytes }
    let whole = place.key.map { $0.part == nil ? [] : frame($0.whole) } ?? []
    return files + shared + whole.reduce(0) { $0 + $1.reservedBytes }
  }

  /// The bytes of the claim in addition to the frame's reservations.
  func additional(_ claim: [Int: Int64], for key: ItemKey?) -> Int64 {
    claim.reduce(0) { sum, entry in
      sum + entry.value - (stepState(entry.key, for: key, \.reservedBytes) ?? 0)
    }
  }

  /// Bytes to reserve, by step: those of the step's own file and, if the frame holds no file yet, those of its
  /// later files.
  func claim(of place: StepPlace, at now: Instant) throws(EvaluationFailure) -> [Int: Int64] {
    let size = try fileSize(place, at: now)
    var claim = [place.step: size]
    guard let limit = pipeline.budgets.diskBytes, let key = place.key,
      frame(key).allSatisfy({ !$0.holdsFile && $0.reservedBytes == 0 })
    else { return claim }
    let scope = scope(of: key, at: now)
    for (step, current) in steps(of: key) where step != place.step {
      let declaration = pipeline.steps[step]
      guard declaration.makesFile, !declaration.savesFile, current.status == .pending else {
        continue
      }
      if let condition = declaration.condition {
        guard (try? evaluator.isTrue(condition, scope)) == true else { continue }
      }
      claim[step] =
        (try? fileSize(StepPlace(key: key, step: step), at: now))
        ?? pipeline.assumedSize(of: step, beside: size)
    }
    let all = claim.values.reduce(0, +) + state.frame.reduce(0) { $0 + $1.reservedBytes }
    // What cannot be held at once, or is only estimated, must not keep the item from its first file.
    return all <= limit ? claim : [place.step: size]
  }

  /// Maximum size of the step's file.
  private func fileSize(_ place: StepPlace, at now: Instant) throws(EvaluationFailure) -> Int64 {
    let step = pipeline.steps[place.step]
    let reserved = stepState(place.step, for: place.key, \.reservedBytes) ?? 0
    guard step.kind != .materialize || isWritten(place.step, reserved: reserved) else { return 0 }
    let scope = scope(of: place.key, at: now)
    switch step.action {
    case .materialize(let template):
      return try evaluator.plan(template, scope, id: nextEffectID(place)).size
    // It uses the user's space, not that of the run.
    case .download(let template) where template.save != nil: return 0
    case .download(let template):
      let plan = try evaluator.plan(template, scope, at: step.location)
      guard plan.limit == .max else { return plan.limit }
      // The checker requires one of them, but a shared file is checked without the budget.
      guard pipeline.budgets.diskBytes == nil else {
        throw EvaluationFailure(
          message: "the disk budget needs 'size' or 'max_size'",
          location: step.location)
      }
      return 0
    case .request, .poll, .digest, .upload, .repeat, .forEach: return 0
    }
  }

  /// Whether a frame has started to download a file that stays.
  func hasBegunSaves(_ key: ItemKey?, _ frame: Frame) -> Bool {
    zip(pipeline.steps(of: key), frame).contains { step, state in
      state.generation > 0 && pipeline.steps[step].savesFile
    }
  }

  /// Makes the step remake its file as it was: results derived from it stay valid.
  mutating func remakeFile(_ place: StepPlace, at now: Instant) {
    update(place) { step in
      step.status = .pending
      step.since = now
      step.begun = nil
    }
  }

  /// The steps whose files a frame has and still needs.
  func filesNeededAgain(by key: ItemKey?) -> Set<Int> {
    var toDo: Set<Int> = []
    var needed: Set<Int> = []
    for (step, current) in steps(of: key).reversed() {
      if current.holdsFile,
        pipeline.steps.indices.contains(where: { other in
          toDo.contains(other) && pipeline.steps[other].uses.contains { $0.step == step }
        })
      {
        needed.insert(step)
        toDo.insert(step)
      } else if !isSettled(step, for: key) || hasOpenParts(step, for: key) {
        toDo.insert(step)
      }
    }
    return needed
  }

  /// Whether a file is written for the step; otherwise its body is created again each time it is sent.
  ///
  /// The reservation of an earlier process is for a file that exists, or may exist: it is written again in its place.
  private func isWritten(_ step: Int, reserved: Int64) -> Bool {
    !pipeline.secretBodies.contains(step) && (!limits.sendsPieces || reserved > 0)
  }

  /// Whether the command changes something outside of the state.
  ///
  /// The source of a digest, and the parts of a body that is never written, are only read. If a power cut makes the store forget it, it
  /// is read again.
  func hasEffect(_ command: Command) -> Bool {
    guard case .attempt(let reservedBytes) = command.action, let index = command.id.step else {
      return true
    }
    switch pipeline.steps[index].kind {
    case .digest: return false
    case .materialize: return isWritten(index, reserved: reservedBytes)
    case .request, .upload, .download, .poll, .repeat, .forEach: return true
    }
  }

  /// The resource missing on this machine, if another worker may succeed where this one failed;
  /// `nil` if the failure is the item's or the server's, or if there are no others.
  ///
  /// - Parameter isExhausted: Whether all attempts failed. If none of them got a response, there may be no route from here.
  func lack(_ failure: Failure, at step: Int, isExhausted: Bool = false) -> Lack? {
    guard limits.worker != nil else { return nil }
    if let lack = failure.lacking { return lack }
    if failure.status == 401, pipeline.hasCredentials(step) { return .credentials }
    return isExhausted && failure.status == nil && pipeline.steps[step].kind.hasResponse
      ? .network : nil
  }
}
