/// Granting the disk budget, in an order that never makes two frames wait for each other.
///
/// 1. At its first file, a frame claims the space for all its files, if their sizes can be known.
/// 2. A frame that waits for space does not occupy a place of its loop,
///    so that those holding space can continue.
/// 3. Space is assigned to the most senior frame that waits; no other frame passes it.
/// 4. If the space that it needs is held by juniors that cannot continue themselves, the youngest of them
///    release their files, and remake them, in the same generation, once they are served.
///
/// So the most senior frame always ends, and then, in order, all other frames.
extension Machine {
  /// Reserves space for the step's file and later files, and issues the step, or lets the frame wait.
  mutating func reserve(_ place: StepPlace, at now: Instant) {
    let claim: DiskClaim
    do throws(EvaluationFailure) {
      claim = try DiskClaim(of: place, in: frames, limits: limits, at: now)
    } catch {
      failEvaluation(place, error.failure, at: now)
      return
    }
    if let limit = pipeline.budgets.diskBytes {
      let size = claim.bytes[place.step] ?? 0
      let others = frames.heldBesides(place)
      guard size <= limit - others else {
        let held = others > 0 ? " besides \(others) bytes that are held until it is done" : ""
        failEvaluation(
          place, Failure("needs \(size) bytes\(held), but the disk budget is \(limit) bytes"),
          at: now)
        return
      }
      if claim.additional(for: place.key, in: frames) > 0 {
        ledger.releaseOtherClaims(of: place, in: &frames)
      }
      let more = claim.additional(for: place.key, in: frames)
      let isFree = more <= limit - ledger.diskBytes && ledger.discards[place.key] == nil
      let isFirst = waiting.disk.frames.allSatisfy {
        Seniority(of: place.key, in: frames) < Seniority(of: $0, in: frames)
      }
      guard more <= 0 || (isFree && isFirst) else {
        waiting.disk.enqueue(place.key, isFirst: false)
        // The place that it leaves is free for another.
        if let key = place.key, key.part == nil { agenda.unfilled.insert(key.loop) }
        waiting.blockers[place.key] = .disk(
          step: place.step, needed: more, available: max(0, limit - ledger.diskBytes))
        return
      }
    }
    ledger.grant(claim, to: place.key, in: &frames)
    if pipeline.steps[place.step].transfer != nil { ledger.transfers += 1 }
    issue(place, .attempt(reservedBytes: claim.bytes[place.step] ?? 0), at: now)
  }

  /// Deletes the files of a frame; their bytes stay reserved until then.
  mutating func discard(_ key: ItemKey?, _ bytes: Int64, partials: Bool = false) {
    ledger.discards[key, default: 0] += bytes
    agenda.effects.append(.discardFiles(key, bytes: bytes, partials: partials))
  }

  /// Serves the frames that wait for space; returns whether anything was started.
  mutating func serveDisk(at now: Instant) -> Bool {
    guard let limit = pipeline.budgets.diskBytes, !waiting.disk.isEmpty,
      let key = waiting.disk.frames.min(by: {
        Seniority(of: $0, in: frames) < Seniority(of: $1, in: frames)
      }), case .disk(let step, _, _)? = waiting.blockers[key]
    else { return false }
    let place = StepPlace(key: key, step: step)
    guard let claim = try? DiskClaim(of: place, in: frames, limits: limits, at: now) else {
      // It reports its problem itself.
      return continueFromDisk(key)
    }
    let more = claim.additional(for: key, in: frames)
    let free = limit - ledger.diskBytes
    waiting.blockers[key] = .disk(step: step, needed: more, available: max(0, free))
    if more <= free, ledger.discards[key] == nil {
      ledger.grant(claim, to: key, in: &frames)
      return continueFromDisk(key)
    }
    if makeRoom(for: place, lacking: more - free - ledger.discardingBytes, at: now) { return true }
    guard inFlight.isEmpty, waiting.isUndelayed, ledger.discards.isEmpty, waiting.allowance.isEmpty,
      waiting.shortages.isEmpty
    else { return false }
    // Others wait in a batch: all wait for the space that it holds.
    return sendSmallerBatch(at: now)
  }

  private mutating func continueFromDisk(_ key: ItemKey?) -> Bool {
    if let key { makeDue(key) } else { agenda.isRunDue = true }
    return true
  }

  /// Releases files of juniors that cannot continue themselves, if that and pending deletions free enough.
  private mutating func makeRoom(for place: StepPlace, lacking bytes: Int64, at now: Instant)
    -> Bool
  {
    var idle: [(key: ItemKey?, bytes: Int64)] = []
    var moving: Int64 = 0
    func weigh(_ key: ItemKey?, _ frame: Frame) {
      let held = frame.reservedBytes
      guard held > 0, key != place.key else { return }
      if canYield(key, to: place.key) { idle.append((key, held)) } else { moving += held }
    }
    weigh(nil, state.frame)
    for (loop, current) in state.loops.enumerated() {
      // Mostly, enough is about to be free: the search needs no order, and ends as soon as that is known.
      for (ordinal, item) in current.active where moving < bytes {
        let key = ItemKey(loop: loop, ordinal: ordinal)
        weigh(key, item.frame)
        for (step, current) in zip(pipeline.loops[loop].steps, item.frame) {
          for (number, frame) in current.parts?.active ?? [:] {
            weigh(key.part(number, of: step, generation: current.generation), frame)
          }
        }
      }
    }
    var lack = bytes - moving
    guard lack > 0, lack <= idle.reduce(0, { $0 + $1.bytes }) else { return false }
    let youngest = idle.map(\.key).sorted {
      Seniority(of: $0, in: frames) > Seniority(of: $1, in: frames)
    }
    // Withdrawing a mere claim costs nothing.
    for key in youngest where lack > 0 { lack -= ledger.yieldClaims(of: key, in: &frames) }
    for key in youngest where lack > 0 { lack -= yieldFiles(of: key, at: now) }
    return true
  }

  /// Whether a frame releases its files for another: it no longer needs them, or it is junior and
  /// waits for something that the other one blocks.
  private func canYield(_ key: ItemKey?, to other: ItemKey?) -> Bool {
    guard let key, frames.abandonProgress(of: key) == nil, ledger.discards[key] == nil,
      !frames.frame(key).contains(where: \.isInFlight)
    else { return false }
    if frames.filesNeededAgain(by: key).isEmpty,
      frames.frame(key).allSatisfy({ $0.holdsFile || $0.reservedBytes == 0 })
    {
      return true
    }
    guard Seniority(of: other, in: frames) < Seniority(of: key, in: frames) else { return false }
    switch waiting.blockers[key] {
    case .disk: return true
    case .batch(_, _, nil): return true
    case .dependency, .concurrency: return other == nil
    case .attempt, .probe, .compensation, .delay, .earliest, .transfers, .connections, .host, .rate,
      .shortage, .renewal, .batch, .batchUnderWay, .allowance, .parts, .loop, .enumeration,
      .stopped, nil:
      return false
    }
  }

  private mutating func yieldFiles(of key: ItemKey?, at now: Instant) -> Int64 {
    let files = steps(of: key).filter(\.state.holdsFile)
    guard !files.isEmpty else { return 0 }
    let needed = frames.filesNeededAgain(by: key)
    var bytes: Int64 = 0
    for (step, current) in files {
      bytes += current.reservedBytes
      let place = StepPlace(key: key, step: step)
      // A file that is no longer needed is just released.
      if needed.contains(step) { frames.remakeFile(place, at: now) }
      frames.update(place) { step in
        step.file = nil
        step.reservedBytes = 0
      }
    }
    discard(key, bytes)
    if let key, waiting.queuedBatchStep(of: key, in: pipeline) != nil { makeDue(key) }
    return bytes
  }

  /// Releases the files of an item that is complete, although its remnants are still being undone.
  mutating func releaseFiles(ofComplete key: ItemKey) {
    for step in pipeline.steps(of: key) { dropParts(of: step, key) }
    guard let frame = frames.item(key)?.frame else { return }
    discardFiles(of: key, frame)
    frames.update(key) { item in
      for index in item.frame.indices {
        item.frame[index] = item.frame[index].withoutFile
        item.frame[index].parts = nil
      }
    }
  }
}
