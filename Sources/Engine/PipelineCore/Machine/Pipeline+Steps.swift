import CEL

/// What follows about steps from the definition alone.
extension Pipeline {
  /// The description of a `repeat` step; `nil` for any other.
  func repeatTemplate(of step: Int) -> RepeatTemplate? {
    if case .repeat(let template) = steps[step].action { template } else { nil }
  }

  /// The description of a `for_each` step; `nil` for any other.
  func partsTemplate(of step: Int) -> PartsTemplate? {
    if case .forEach(let template) = steps[step].action { template } else { nil }
  }

  /// Whether the effect communicates with a server.
  func isExchange(_ id: EffectID) -> Bool { id.step.map { steps[$0].kind.hasResponse } ?? true }

  /// Maximum number of items in the window: those being worked on,
  /// those that wait after a failure or as their author specifies, and those queued for a batch.
  func windowLimit(_ loop: Int) -> Int {
    let declaration = loops[loop]
    let batches = declaration.steps.reduce(0) { $0 + (steps[$1].batch?.items ?? 0) }
    return declaration.concurrency + declaration.waitingLimit + declaration.intendedLimit + batches
  }

  /// The steps of an item that compensations have undone.
  ///
  /// The effect of a request whose outcome is unknown is undone only if the author declares it: otherwise the outcome must
  /// still be resolved. A key that is the same in all generations makes any repeat safe.
  func undone(_ frame: Frame, of loop: Int) -> Frame {
    let undone = loops[loop].onAbandon.reduce(into: Set<Int>()) {
      $0.formUnion(self.undone(by: $1, of: loop))
    }
    return zip(loops[loop].steps, frame).map { index, step in
      if step.status == .unknown, !undone.contains(index), steps[index].idempotencyKey == nil {
        return step
      }
      var fresh = StepState()
      (fresh.generation, fresh.since, fresh.failure) = (step.generation, step.since, step.failure)
      fresh.movedTo = step.movedTo
      return fresh
    }
  }

  /// The part of an item that its row keeps when it leaves the window, so that a retry can continue from it.
  func storedFrame(of item: Item, wasUndone: Bool) -> Frame {
    if item.status == .done || item.status == .skipped { return [] }
    let frame = item.frame.map { step in
      var kept = step.withoutFile
      kept.parts = kept.parts?.with(\.withoutFile)
      if kept.status == .queued { kept.status = .pending }
      return kept
    }
    // Results that a compensation undid are created again; the server must not receive anything else twice.
    return wasUndone ? undone(frame, of: item.key.loop) : frame
  }

  /// When to repeat a probe that reported "not done" too early; `nil` if its result counts.
  ///
  /// The server may still be working on the request. A response describes the time at which the probe was sent,
  /// however late it arrives.
  func nextProbe(of step: Int, _ current: StepState, at now: Instant) -> Instant? {
    guard let probe = steps[step].probe, current.status == .probing,
      let ready = current.unknownSince.map({ $0 + probe.until }), current.since < ready
    else { return nil }
    return min(now + probe.interval, max(now, ready))
  }

  /// How to repeat a step with an unknown outcome; `nil` if it must not be repeated.
  func safeRepeat(of step: Int, after status: StepState.Status) -> StepState.Status? {
    let declaration = steps[step]
    if status == .probing { return .unknown }
    switch declaration.effect {
    case .repeatable: return .pending
    case .create: return declaration.probe == nil && declaration.keyPlace == nil ? nil : .unknown
    }
  }

  /// Whether a probe uses the step's outputs only as credentials; the object of its query must stay
  /// unchanged until it has reported the outcome of the attempt.
  func isCredential(_ step: Int, ofProbe probing: Int) -> Bool {
    let uses = steps[probing].probe?.uses ?? []
    return uses.contains { $0.step == step && $0.isCredential }
  }

  /// Whether the attempt or probe was sent with the producer's current result.
  func isCurrent(_ producer: StepState, _ step: Int, usedBy current: StepState, at place: StepPlace)
    -> Bool
  {
    let declaration = steps[place.step]
    var uses = declaration.uses
    if current.status == .probing { uses += declaration.probe?.uses ?? [] }
    guard let index = uses.lastIndex(where: { $0.step == step }),
      current.sources.indices.contains(index)
    else { return current.since >= producer.since }
    return current.sources[index] == producer.generation
  }

  /// Whether the request that asks for the values needs those that are known.
  func readsItself(_ step: Int) -> Bool {
    let name = "steps.\(steps[step].id)."
    return steps[step].action.request?.expressions.contains { expression in
      expression.compiled.references.contains { $0.variable.hasPrefix(name) }
    } ?? false
  }

  /// The `repeat` step whose server reports the progress of a turn, if the step runs in one.
  func resynced(_ step: Int) -> Int? {
    guard let turns = steps[step].turnOf, repeatTemplate(of: turns)?.resync != nil else {
      return nil
    }
    return turns
  }

  func unrepeatable(_ step: Int, without source: Int) -> Failure {
    Failure(
      "it is unknown whether step '\(steps[step].id)' took effect, and step "
        + "'\(steps[source].id)', which it was made from, must be repeated first; check the server, then "
        + "'pipeline retry' repeats everything from step '\(steps[source].id)' on")
  }

  /// Whether a request of `step` depends on the result of `source`, directly or through other steps.
  func isMade(_ step: Int, from source: Int) -> Bool {
    var seen: Set<Int> = []
    var rest = [step]
    while let next = rest.popLast() {
      for use in steps[next].uses where !use.isCredential {
        if use.step == source { return true }
        if seen.insert(use.step).inserted { rest.append(use.step) }
      }
    }
    return false
  }

  /// The rates that a request of a step counts towards, by their index in ``Budgets/rates``.
  func rates(of step: Int, probing: Bool) -> [Int] {
    let declaration = steps[step]
    guard !budgets.rates.isEmpty, declaration.kind.hasResponse else { return [] }
    let request = probing ? declaration.probe?.request : declaration.action.request
    return budgets.rates(named: request?.rate)
  }

  /// Whether the request contains something that the user supplied to authorize it.
  func hasCredentials(_ step: Int) -> Bool {
    guard let request = steps[step].action.request else { return false }
    return request.authorization != nil
      || request.expressions.flatMap(\.compiled.references).contains {
        $0.variable.hasPrefix("inputs.") && secretNames.contains($0.variable)
      }
  }

  /// The estimate for a file whose size depends on values that are not known yet.
  func assumedSize(of step: Int, beside size: Int64) -> Int64 {
    guard case .materialize(let template) = steps[step].action else { return size }
    return switch template.source {
    case .json, .text, .xml: min(size, 16384)
    case .file, .multipart, .concat: size
    }
  }

  /// The state of a run-level step after an unsuccessful response; `nil` if it must not be repeated.
  func statusAfter(_ verdict: Verdict, _ place: StepPlace, _ current: StepState) -> StepState
    .Status?
  {
    switch verdict {
    case .uncertain, .unknown, .stale, .interrupted:
      safeRepeat(of: place.step, after: current.status)
    case .notDone: .pending
    case .success, .results, .retry, .expired, .fail, .pause, .pauseRun, .unavailable, .poll,
      .itemDone, .itemSkipped:
      current.status == .probing ? .unknown : .pending
    }
  }

  /// Why an effect can no longer be named: it was secret, and was lost with its process.
  func loss(of use: OutputUse, _ producer: StepState) -> Failure? {
    guard let output = use.output, producer.hasResult, producer.outputs.indices.contains(output),
      producer.outputs[output].value == nil
    else { return nil }
    let step = steps[use.step]
    return Failure(
      "'\(step.outputs[output].name)' of step '\(step.id)' is secret and was lost with its process")
  }

  /// The resources that an attempt or a probe of the step needs.
  func resources(of step: Int, probing: Bool) -> [Resource] {
    let writes = steps[step].makesFile && !probing
    return writes ? [.openFiles, .diskSpace] : [.openFiles]
  }
}
