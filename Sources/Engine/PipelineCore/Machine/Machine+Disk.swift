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
  /// Ranks a frame as the budget serves: the run's own first, a batch to resend like its first item.
  private struct Seniority: Comparable {
    let loop: Int
    let batch: Int
    let ordinal: Int
    var part = -1

    static func < (left: Self, right: Self) -> Bool {
      (left.loop, left.batch, left.ordinal, left.part)
        < (right.loop, right.batch, right.ordinal, right.part)
    }
  }

  private func seniority(_ key: ItemKey?) -> Seniority {
    guard let key else { return Seniority(loop: -1, batch: 0, ordinal: 0) }
    let batch = frame(key).lazy.compactMap(\.batch?.first).first
    return Seniority(
      loop: key.loop, batch: batch ?? key.ordinal, ordinal: key.ordinal,
      part: key.part?.number ?? -1)
  }

  /// Reserves space for the step's file and later files, and issues the step, or lets the frame wait.
  mutating func reserve(_ place: StepPlace, at now: Instant) {
    let claim: [Int: Int64]
    do throws(EvaluationFailure) {
      claim = try self.claim(of: place, at: now)
    } catch {
      failEvaluation(place, error.failure, at: now)
      return
    }
    if let limit = pipeline.budgets.diskBytes {
      let size = claim[place.step] ?? 0
      let others = heldBesides(place)
      guard size <= limit - others else {
        let held = others > 0 ? " besides \(others) bytes that are held until it is done" : ""
        failEvaluation(
          place, Failure("needs \(size) bytes\(held), but the disk budget is \(limit) bytes"),
          at: now)
        return
      }
      if additional(claim, for: place.key) > 0 { releaseOtherClaims(of: place) }
      let more = additional(claim, for: place.key)
      let isFree = more <= limit - ledger.diskBytes && discards[place.key] == nil
      let isFirst = queues.disk.frames.allSatisfy { seniority(place.key) < seniority($0) }
      guard more <= 0 || (isFree && isFirst) else {
        queues.disk.enqueue(place.key, isFirst: false)
        // The place that it leaves is free for another.
        if let key = place.key, key.part == nil { unfilled.insert(key.loop) }
        blockers[place.key] = .disk(
          step: place.step, needed: more, available: max(0, limit - ledger.diskBytes))
        return
      }
    }
    grant(claim, to: place.key)
    if pipeline.steps[place.step].transfer != nil { ledger.transfers += 1 }
    issue(place, .attempt(reservedBytes: claim[place.step] ?? 0), at: now)
  }

  /// Bytes that the frame and the run hold for files other than the step's, and keep until the frame ends.
  private func heldBesides(_ place: StepPlace) -> Int64 {
    let files = steps(of: place.key).reduce(0) { sum, entry in
      // Space that is only claimed is not held: it can be returned.
      sum + (entry.step != place.step && entry.state.holdsFile ? entry.state.reservedBytes : 0)
    }
    let shared = place.key == nil ? 0 : state.frame.reduce(0) { $0 + $1.reservedBytes }
    let whole = place.key.map { $0.part == nil ? [] : frame($0.whole) } ?? []
    return files + shared + whole.reduce(0) { $0 + $1.reservedBytes }
  }

  /// The bytes of the claim in addition to the frame's reservations.
  private func additional(_ claim: [Int: Int64], for key: ItemKey?) -> Int64 {
    claim.reduce(0) { sum, entry in
      sum + entry.value - (stepState(entry.key, for: key, \.reservedBytes) ?? 0)
    }
  }

  private mutating func grant(_ claim: [Int: Int64], to key: ItemKey?) {
    for (step, bytes) in claim.sorted(by: { $0.key < $1.key }) {
      ledger.diskBytes += bytes - (stepState(step, for: key, \.reservedBytes) ?? 0)
      update(StepPlace(key: key, step: step)) { $0.reservedBytes = bytes }
    }
  }

  /// Bytes to reserve, by step: those of the step's own file and, if the frame holds no file yet, those of its
  /// later files.
  private func claim(of place: StepPlace, at now: Instant) throws(EvaluationFailure) -> [Int: Int64]
  {
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
        ?? assumedSize(of: step, beside: size)
    }
    let all = claim.values.reduce(0, +) + state.frame.reduce(0) { $0 + $1.reservedBytes }
    // What cannot be held at once, or is only estimated, must not keep the item from its first file.
    return all <= limit ? claim : [place.step: size]
  }

  /// The estimate for a file whose size depends on values that are not known yet.
  private func assumedSize(of step: Int, beside size: Int64) -> Int64 {
    guard case .materialize(let template) = pipeline.steps[step].action else { return size }
    return switch template.source {
    case .json, .text, .xml: min(size, 16384)
    case .file, .multipart, .concat: size
    }
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

  /// Returns the reservation of an attempt that did not leave a file; a frame that holds files keeps its
  /// claim, so that it does not have to wait while holding files.
  mutating func release(_ place: StepPlace) {
    let frame = frame(place.key)
    guard stepState(place.step, for: place.key, \.holdsFile) != true,
      frame.allSatisfy({ !$0.holdsFile })
    else { return }
    for (step, current) in steps(of: place.key) where current.reservedBytes > 0 {
      ledger.diskBytes -= current.reservedBytes
      update(StepPlace(key: place.key, step: step)) { $0.reservedBytes = 0 }
    }
  }

  /// Returns the frame's claim for later files: the current one goes first.
  private mutating func releaseOtherClaims(of place: StepPlace) {
    for (step, _) in steps(of: place.key) where step != place.step {
      releaseClaim(StepPlace(key: place.key, step: step))
    }
  }

  /// Returns the claim for a file that will not be created.
  mutating func releaseClaim(_ place: StepPlace) {
    guard let current = stepState(place.step, for: place.key), !current.holdsFile,
      current.reservedBytes > 0
    else { return }
    ledger.diskBytes -= current.reservedBytes
    update(place) { $0.reservedBytes = 0 }
  }

  /// Deletes the files of a frame; their bytes stay reserved until then.
  mutating func discard(_ key: ItemKey?, _ bytes: Int64, partials: Bool = false) {
    ledger.discardingBytes += bytes
    discards[key, default: 0] += bytes
    effects.append(.discardFiles(key, bytes: bytes, partials: partials))
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

  /// Serves the frames that wait for space; returns whether anything was started.
  mutating func serveDisk(at now: Instant) -> Bool {
    guard let limit = pipeline.budgets.diskBytes, !queues.disk.isEmpty,
      let key = queues.disk.frames.min(by: { seniority($0) < seniority($1) }),
      case .disk(let step, _, _)? = blockers[key]
    else { return false }
    let place = StepPlace(key: key, step: step)
    guard let claim = try? claim(of: place, at: now) else {
      // It reports its problem itself.
      return continueFromDisk(key)
    }
    let more = additional(claim, for: key)
    let free = limit - ledger.diskBytes
    blockers[key] = .disk(step: step, needed: more, available: max(0, free))
    if more <= free, discards[key] == nil {
      grant(claim, to: key)
      return continueFromDisk(key)
    }
    if makeRoom(for: place, lacking: more - free - ledger.discardingBytes, at: now) { return true }
    guard inFlight.isEmpty, waiting.isUndelayed, discards.isEmpty, queues.allowance.isEmpty,
      shortages.isEmpty
    else {
      return false
    }
    // Others wait in a batch: all wait for the space that it holds.
    return sendSmallerBatch(at: now)
  }

  private mutating func continueFromDisk(_ key: ItemKey?) -> Bool {
    if let key { makeDue(key) } else { isRunDue = true }
    return true
  }

  /// Releases files of juniors that cannot continue themselves, if that and pending deletions free enough.
  private mutating func makeRoom(
    for place: StepPlace, lacking bytes: Int64, at now: Instant
  ) -> Bool {
    var idle: [(key: ItemKey?, bytes: Int64)] = []
    var moving: Int64 = 0
    func weigh(_ key: ItemKey?, _ frame: Frame) {
      let held = frame.reduce(0) { $0 + $1.reservedBytes }
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
    let youngest = idle.map(\.key).sorted { seniority($0) > seniority($1) }
    // Withdrawing a mere claim costs nothing.
    for key in youngest where lack > 0 { lack -= yieldClaims(of: key) }
    for key in youngest where lack > 0 { lack -= yieldFiles(of: key, at: now) }
    return true
  }

  /// Whether a frame releases its files for another: it no longer needs them, or it is junior and
  /// waits for something that the other one blocks.
  private func canYield(_ key: ItemKey?, to other: ItemKey?) -> Bool {
    guard let key, abandonProgress(of: key) == nil, discards[key] == nil,
      !frame(key).contains(where: \.isInFlight)
    else { return false }
    if filesNeededAgain(by: key).isEmpty,
      frame(key).allSatisfy({ $0.holdsFile || $0.reservedBytes == 0 })
    {
      return true
    }
    guard seniority(other) < seniority(key) else { return false }
    switch blockers[key] {
    case .disk: return true
    case .batch(_, _, nil): return true
    case .dependency, .concurrency: return other == nil
    case .attempt, .probe, .compensation, .delay, .earliest, .transfers, .connections, .host,
      .rate, .shortage, .renewal, .batch, .batchUnderWay, .allowance, .parts, .loop, .enumeration,
      .stopped, nil:
      return false
    }
  }

  private mutating func yieldClaims(of key: ItemKey?) -> Int64 {
    let held = ledger.diskBytes
    for (step, _) in steps(of: key) { releaseClaim(StepPlace(key: key, step: step)) }
    return held - ledger.diskBytes
  }

  private mutating func yieldFiles(of key: ItemKey?, at now: Instant) -> Int64 {
    let files = steps(of: key).filter(\.state.holdsFile)
    guard !files.isEmpty else { return 0 }
    let needed = filesNeededAgain(by: key)
    var bytes: Int64 = 0
    for (step, current) in files {
      bytes += current.reservedBytes
      let place = StepPlace(key: key, step: step)
      // A file that is no longer needed is just released.
      if needed.contains(step) { remakeFile(place, at: now) }
      update(place) { step in
        step.file = nil
        step.reservedBytes = 0
      }
    }
    discard(key, bytes)
    if let key, queuedBatchStep(of: key) != nil { makeDue(key) }
    return bytes
  }

  /// The steps whose files a frame has and still needs.
  private func filesNeededAgain(by key: ItemKey?) -> Set<Int> {
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
}
