@testable import PipelineCore

/// A form of the machine by which an exploration recognizes a state.
extension Machine {
  /// Feeds everything that affects the machine's next action, and nothing else: instants relative
  /// to `now`, generations only by whether they are equal, and no history.
  func hashBehaviour(into hasher: inout Hasher, at now: Instant) {
    hasher.combine(state.status)
    hasher.combine(state.pace)
    switch state.allowance {
    case .unlimited: hasher.combine(-1)
    case .none: hasher.combine(-2)
    case .until(let end): hasher.combine((end - now).milliseconds)
    }
    combine(state.frame, of: nil, into: &hasher, at: now)
    for (loop, current) in state.loops.enumerated() {
      hasher.combine(current.counts)
      hasher.combine(current.isEnumerated)
      hasher.combine(current.isLoading)
      hasher.combine(current.cursor)
      hasher.combine(current.ready.map(\.key.ordinal))
      for ordinal in current.active.keys.sorted() {
        let key = ItemKey(loop: loop, ordinal: ordinal)
        hasher.combine(ordinal)
        combine(current.active[ordinal], into: &hasher, at: now)
        combine(frames.frame(key), of: key, into: &hasher, at: now)
        combine(current.active[ordinal]?.remnants ?? [], frames.frame(key), into: &hasher)
        combineParts(of: key, into: &hasher, at: now)
      }
    }
    hasher.combine(waiting.delays.mapValues { ($0 - now).milliseconds })
    for loop in state.loops.indices { hasher.combine(waiting.due(in: loop)) }
    hasher.combine(waiting.disk)
    hasher.combine(waiting.transfers)
    hasher.combine(waiting.connections)
    for resource in Resource.allCases {
      guard let shortage = waiting.shortages[resource] else { continue }
      hasher.combine(resource)
      hasher.combine(shortage.queue)
      hasher.combine(shortage.trials)
      hasher.combine((shortage.next - now).milliseconds)
    }
    hasher.combine(waiting.allowance)
    hasher.combine(waiting.steps)
    combineRates(into: &hasher, at: now)
    combineBatches(into: &hasher)
    for case let key in renewals.pending.keys.sorted(by: ItemKey.precedes) {
      hasher.combine(key)
      hasher.combine(renewals.pending[key])
    }
    hasher.combine(Set(renewals.withdrawn.map(\.item)))
    hasher.combine(ledger)
    hasher.combine(ledger.discards)
    hasher.combine(timer.map { ($0 - now).milliseconds })
    hasher.combine(isAllowanceEnding)
    hasher.combine(hasStopped)
    hasher.combine(isRecovered)
    hasher.combine(compensations.credentials)
    hasher.combine(cancellation.leftovers)
    for loop in state.loops { hasher.combine(loop.isRequeued) }
    hasher.combine(cancellation.isHalting)
    hasher.combine(reading.enumerations)
    hasher.combine(reading.outdated)
    combinePartsInProgress(into: &hasher)
    combineConditions(into: &hasher, at: now)
  }

  private func combineConditions(into hasher: inout Hasher, at now: Instant) {
    hasher.combine(hosts.refusing)
    for row in [hosts.refusals, hosts.outage] {
      hasher.combine(row?.step)
      hasher.combine(row?.status)
      hasher.combine(row?.lack)
      hasher.combine(row?.items)
    }
    hasher.combine(hosts.outage.map { min(now - $0.since, Refusals.patience) })
    for (name, pause) in state.pauses.sorted(by: { $0.key < $1.key }) where now < pause.next {
      hasher.combine(name)
      hasher.combine((pause.until - now).milliseconds)
      hasher.combine((pause.next - now).milliseconds)
    }
  }

  private func combineBatches(into hasher: inout Hasher) {
    for step in batches.queues.keys.sorted() {
      hasher.combine(step)
      hasher.combine(batches.queues[step]?.fresh)
      hasher.combine(batches.queues[step]?.resends.values.map { $0 }.sorted { $0[0] < $1[0] })
    }
  }

  private func combineRates(into hasher: inout Hasher, at now: Instant) {
    hasher.combine(waiting.rates.entries)
    for rate in pipeline.budgets.rates {
      guard let bucket = state.buckets[rate.name],
        bucket.full + .milliseconds(1) >= now
      else { continue }
      hasher.combine(rate.name)
      hasher.combine((bucket.full - now).milliseconds)
      hasher.combine(bucket.rest)
    }
  }

  private func combinePartsInProgress(into hasher: inout Hasher) {
    hasher.combine(frames.lists)
    hasher.combine(partsInProgress.endings)
    hasher.combine(partsInProgress.closing)
  }

  private func combineParts(of key: ItemKey, into hasher: inout Hasher, at now: Instant) {
    for step in pipeline.steps(of: key) {
      guard let parts = frames.stepState(step, for: key)?.parts else { continue }
      hasher.combine(parts.count)
      hasher.combine(parts.collected)
      for number in parts.active.keys.sorted() {
        let part = key.part(
          number, of: step, generation: frames.stepState(step, for: key, \.generation) ?? 0)
        hasher.combine(number)
        combine(frames.frame(part), of: part, into: &hasher, at: now)
      }
    }
  }

  private func combine(_ item: Item?, into hasher: inout Hasher, at now: Instant) {
    hasher.combine(item?.refusedBy ?? [])
    combine(item?.abandoning, into: &hasher, at: now)
  }

  func combine(
    _ abandoning: Item.AbandonProgress?, into hasher: inout Hasher, at now: Instant
  ) {
    guard let abandoning else { return }
    hasher.combine(abandoning.index)
    hasher.combine(abandoning.next)
    hasher.combine(abandoning.isUndone)
    hasher.combine(abandoning.failures)
    hasher.combine(abandoning.only)
    hasher.combine(abandoning.left)
    if let instant = abandoning.notBefore, instant > now {
      hasher.combine((instant - now).milliseconds)
    }
  }

  /// Feeds what replaced results left: generations only by whether the item still has them.
  func combine(_ remnants: [Remnant], _ frame: Frame, into hasher: inout Hasher) {
    for remnant in remnants {
      hasher.combine(remnant.compensation)
      for position in remnant.positions {
        let (was, current) = (remnant.frame[position], frame[position])
        hasher.combine(position)
        hasher.combine(was.generation == current.generation)
        hasher.combine(was.outputs.map(\.value) == current.outputs.map(\.value))
        hasher.combine(was.outputs.map { $0.value == nil })
      }
    }
  }

  func combine(
    _ frame: Frame, of key: ItemKey?, into hasher: inout Hasher, at now: Instant
  ) {
    let steps = pipeline.steps(of: key)
    for (index, step) in zip(steps, frame) {
      let declaration = pipeline.steps[index]
      hasher.combine(step.status)
      hasher.combine(step.generation > 0)
      hasher.combine(step.attempt > 0)
      hasher.combine(step.failures)
      hasher.combine(step.reissues)
      hasher.combine(step.unusedInvalidations)
      hasher.combine(step.isInvalidated)
      hasher.combine(step.isForeign)
      if declaration.kind == .repeat {
        hasher.combine(step.turn > 0)
        hasher.combine(step.isOver)
        hasher.combine(step.outputs.map(\.value))
        hasher.combine(step.farthest)
      }
      hasher.combine(step.reservedBytes)
      hasher.combine(step.file != nil)
      if let policy = declaration.batch {
        if step.status == .queued {
          hasher.combine(min((now - step.since).milliseconds, policy.within.milliseconds))
        }
        combine(step.batch, declaration, of: key, into: &hasher, at: now)
      }
      if let instant = step.notBefore, instant > now {
        hasher.combine((instant - now).milliseconds)
      }
      if declaration.transfer?.earliest != nil { hasher.combine(step.notBefore != nil) }
      if let since = step.unknownSince, let probe = declaration.probe {
        let ready = since + probe.until
        hasher.combine(max((ready - now).milliseconds, 0))
        hasher.combine(step.status == .probing && step.since < ready)
      }
      hasher.combine(step.challenges > 0)
      hasher.combine(step.slower)
      hasher.combine(step.earliest.map { max(($0 - now).milliseconds, 0) })
      if declaration.retry.elapsed != nil || declaration.kind == .poll, let begun = step.begun {
        hasher.combine((begun - now).milliseconds)
      }
      for output in step.outputs {
        hasher.combine(output.value == nil)
        guard let staleFrom = output.staleFrom else { continue }
        hasher.combine(max((staleFrom - now).milliseconds, 0))
        hasher.combine((staleFrom - step.since).milliseconds)
      }
      let uses = declaration.uses + (declaration.probe?.uses ?? [])
      for (use, source) in zip(uses, step.sources) {
        hasher.combine(generation(of: use.step, in: frame, of: key) == source)
      }
    }
  }

  private func combine(
    _ batch: BatchMembership?, _ declaration: Step, of key: ItemKey?, into hasher: inout Hasher,
    at now: Instant
  ) {
    guard let batch, let key else { return }
    let first = frames.frame(ItemKey(loop: key.loop, ordinal: batch.first))
    hasher.combine(batch.first)
    hasher.combine(batch.items)
    hasher.combine(batch.failures)
    hasher.combine(batch.isOpen)
    hasher.combine(batch.isPartial)
    hasher.combine(
      first.indices.contains(declaration.position)
        && first[declaration.position].generation == batch.generation)
    if declaration.retry.elapsed != nil, let begun = batch.begun {
      hasher.combine((begun - now).milliseconds)
    }
  }

  private func generation(of step: Int, in frame: Frame, of key: ItemKey?) -> Int? {
    let declaration = pipeline.steps[step]
    let isOutside = key?.part != nil && declaration.partOf == nil
    let owner = declaration.loop == nil ? state.frame : isOutside ? frames.frame(key?.whole) : frame
    return owner.indices.contains(declaration.position)
      ? owner[declaration.position].generation : nil
  }
}
