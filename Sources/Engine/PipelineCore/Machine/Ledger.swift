/// The reservations of the budgets.
struct Ledger: Hashable, Sendable {
  /// Bytes of materialized files, including those being written or deleted.
  var diskBytes: Int64 = 0
  /// Files that are being deleted, with their sizes in bytes.
  var discards: [ItemKey?: Int64] = [:]
  /// Uploads that were handed over and have no response yet.
  var transfers = 0
  /// Requests and transfers in flight.
  var exchanges = 0

  /// Bytes of `diskBytes` whose files are being deleted.
  var discardingBytes: Int64 { discards.values.reduce(0, +) }

  /// A materialization that was in flight left nothing: the sweep deleted its unfinished file.
  mutating func recover(_ frames: inout Frames) {
    for (key, frame) in frames.all() {
      let steps = frames.pipeline.steps(of: key)
      let holdsFiles = frame.contains(where: \.holdsFile)
      for (step, current) in zip(steps, frame) where current.reservedBytes > 0 {
        if !holdsFiles, !frames.isAdoptable(current, step) {
          frames.update(StepPlace(key: key, step: step)) { $0.reservedBytes = 0 }
        } else {
          diskBytes += current.reservedBytes
        }
      }
    }
  }

  /// Reserves the bytes of a claim.
  mutating func grant(_ claim: DiskClaim, to key: ItemKey?, in frames: inout Frames) {
    for (step, bytes) in claim.bytes.sorted(by: { $0.key < $1.key }) {
      diskBytes += bytes - (frames.stepState(step, for: key, \.reservedBytes) ?? 0)
      frames.update(StepPlace(key: key, step: step)) { $0.reservedBytes = bytes }
    }
  }

  /// Returns the reservation of an attempt that did not leave a file; a frame that holds files keeps its
  /// claim, so that it does not have to wait while holding files.
  mutating func release(_ place: StepPlace, in frames: inout Frames) {
    let frame = frames.frame(place.key)
    guard frames.stepState(place.step, for: place.key, \.holdsFile) != true,
      frame.allSatisfy({ !$0.holdsFile })
    else { return }
    for (step, current) in frames.steps(of: place.key) where current.reservedBytes > 0 {
      diskBytes -= current.reservedBytes
      frames.update(StepPlace(key: place.key, step: step)) { $0.reservedBytes = 0 }
    }
  }

  /// Returns the frame's claim for later files: the current one goes first.
  mutating func releaseOtherClaims(of place: StepPlace, in frames: inout Frames) {
    for (step, _) in frames.steps(of: place.key) where step != place.step {
      releaseClaim(StepPlace(key: place.key, step: step), in: &frames)
    }
  }

  /// Returns the claim for a file that will not be created.
  mutating func releaseClaim(_ place: StepPlace, in frames: inout Frames) {
    guard let current = frames.stepState(place.step, for: place.key), !current.holdsFile,
      current.reservedBytes > 0
    else { return }
    diskBytes -= current.reservedBytes
    frames.update(place) { $0.reservedBytes = 0 }
  }

  /// Returns the claims of a frame for files that it has not created; returns their bytes.
  mutating func yieldClaims(of key: ItemKey?, in frames: inout Frames) -> Int64 {
    let held = diskBytes
    for (step, _) in frames.steps(of: key) {
      releaseClaim(StepPlace(key: key, step: step), in: &frames)
    }
    return held - diskBytes
  }
}

/// Bytes of the disk budget to reserve, by step.
struct DiskClaim {
  private(set) var bytes: [Int: Int64]

  /// The claim of a step's file and, if the frame holds no file yet, of its later files.
  init(
    of place: StepPlace, in frames: Frames, limits: ProcessLimits, at now: Instant
  ) throws(EvaluationFailure) {
    let size = try limits.fileSize(place, in: frames, at: now)
    bytes = [place.step: size]
    guard let limit = frames.pipeline.budgets.diskBytes, let key = place.key,
      frames.frame(key).allSatisfy({ !$0.holdsFile && $0.reservedBytes == 0 })
    else { return }
    var claim = bytes
    let scope = frames.scope(of: key, at: now)
    for (step, current) in frames.steps(of: key) where step != place.step {
      let declaration = frames.pipeline.steps[step]
      guard declaration.makesFile, !declaration.savesFile, current.status == .pending else {
        continue
      }
      if let condition = declaration.condition {
        guard (try? frames.evaluator.isTrue(condition, scope)) == true else { continue }
      }
      claim[step] =
        (try? limits.fileSize(StepPlace(key: key, step: step), in: frames, at: now))
        ?? frames.pipeline.assumedSize(of: step, beside: size)
    }
    let all = claim.values.reduce(0, +) + frames.state.frame.reservedBytes
    // What cannot be held at once, or is only estimated, must not keep the item from its first file.
    if all <= limit { bytes = claim }
  }

  /// The bytes of the claim in addition to the frame's reservations.
  func additional(for key: ItemKey?, in frames: Frames) -> Int64 {
    bytes.reduce(0) { sum, entry in
      sum + entry.value - (frames.stepState(entry.key, for: key, \.reservedBytes) ?? 0)
    }
  }
}

/// Ranks a frame as the budget serves: the run's own first, a batch to resend like its first item.
struct Seniority: Comparable {
  let loop: Int
  let batch: Int
  let ordinal: Int
  let part: Int

  static func < (left: Self, right: Self) -> Bool {
    (left.loop, left.batch, left.ordinal, left.part)
      < (right.loop, right.batch, right.ordinal, right.part)
  }

  init(of key: ItemKey?, in frames: Frames) {
    let batch = key.flatMap { frames.frame($0).lazy.compactMap(\.batch?.first).first }
    (loop, ordinal) = (key?.loop ?? -1, key?.ordinal ?? 0)
    (self.batch, part) = (batch ?? ordinal, key?.part?.number ?? -1)
  }
}
