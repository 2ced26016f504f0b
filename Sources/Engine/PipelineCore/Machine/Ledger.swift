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
