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

  func rates(ofCompensation key: ItemKey) -> [Int] {
    guard let index = abandonProgress(of: key)?.index, let next = undoing(index, of: key) else {
      return []
    }
    let request = pipeline.loops[key.loop].onAbandon[next.compensation].request
    return pipeline.budgets.rates(named: request.rate)
  }

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

  /// Bytes that the frame and the run hold for files other than the step's, and keep until the frame ends.
  func heldBesides(_ place: StepPlace) -> Int64 {
    let files = steps(of: place.key).reduce(0) { sum, entry in
      // Space that is only claimed is not held: it can be returned.
      sum + (entry.step != place.step && entry.state.holdsFile ? entry.state.reservedBytes : 0)
    }
    let shared = place.key == nil ? 0 : state.frame.reservedBytes
    let whole = place.key.map { $0.part == nil ? [] : frame($0.whole) } ?? []
    return files + shared + whole.reservedBytes
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
    let count = loop.map { $0.concurrency + $0.waitingLimit } ?? 1
    state.pauses.pause(name, until: moment, for: count, at: now)
    return moment > now ? takeTurn(name, at: now) : moment
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
    guard state.pauses.areAny(at: now), let name = hostScope(of: place, probing: probing, at: now),
      let pause = state.pauses[name], now < pause.until
    else { return nil }
    return name
  }

  /// Why a frame waits that has no failure of its own, if it waits for its turn after a pause.
  func hostBlocker(_ place: StepPlace, until moment: Instant, at now: Instant) -> Blocker? {
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
}
