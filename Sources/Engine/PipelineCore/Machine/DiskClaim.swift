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
    let all = claim.values.reduce(0, +) + frames.state.frame.reduce(0) { $0 + $1.reservedBytes }
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
