/// Converts the engine's progress of a run into facts for reports.
public struct ProgressMeter {
  private static let window: Duration = .seconds(10)
  private let pipeline: Pipeline
  private let sizes: ItemSizes?
  /// Bytes of items that are neither done nor skipped, with those that failed.
  private var undone: Int64
  /// Bytes of items that are still to be worked on.
  private var ahead: Int64
  private var recent: [(at: Instant, bytes: Int64, settled: Int)] = []

  /// - Parameter sizes: Those of the items when the process started; `nil` if they are unknown.
  public init(pipeline: Pipeline, sizes: ItemSizes?) {
    self.pipeline = pipeline
    // A loop over files that moves none of them would only blur the estimate.
    let moves = pipeline.loops.indices.allSatisfy { loop in
      pipeline.steps.contains { $0.loop == loop && $0.kind.isTransfer }
    }
    let sizes = moves ? sizes : nil
    self.sizes = sizes
    undone = sizes?.bytes { $0 != .done && $0 != .skipped } ?? 0
    ahead = sizes?.bytes { $0 == .pending || $0 == .active } ?? 0
  }

  /// Counts items that have ended.
  public mutating func itemsLeft(_ items: [Item]) {
    for item in items {
      guard case .file(let file) = item.subject else { continue }
      ahead -= file.size
      if item.status == .done || item.status == .skipped { undone -= file.size }
    }
  }

  /// The figures at a time, as JSON.
  public mutating func json(_ progress: RunProgress) -> String {
    EncodedJSON.of(ProgressForm(facts(progress, causes: [])))
  }

  package mutating func facts(_ progress: RunProgress, causes: [FailureTally.Cause])
    -> ProgressFacts
  {
    let counts = progress.counts
    let total = counts.values.reduce(0, +)
    let ended = (counts[.done] ?? 0) + (counts[.skipped] ?? 0)
    let open = (counts[.pending] ?? 0) + (counts[.active] ?? 0)
    let bytes = progress.bytesMoved
    // If the list of a loop came later, its items have no sizes that are known.
    let totalBytes = sizes.flatMap { $0.count == total && $0.total > 0 ? $0.total : nil }
    recent.append((progress.at, bytes, total - open))
    recent.removeAll { progress.at - $0.at > Self.window }
    var rate: Double?
    var left: Duration?
    if !progress.isAtRest, let oldest = recent.first, progress.at > oldest.at {
      let seconds = Double((progress.at - oldest.at).milliseconds) / 1000
      let byteRate = Double(max(bytes - oldest.bytes, 0)) / seconds
      let itemRate = Double(total - open - oldest.settled) / seconds
      rate = byteRate
      if totalBytes != nil, byteRate > 0 {
        // The duration of requests after the last byte cannot be derived from bytes.
        let bytesLeft = ahead - progress.bytesOfActive
        left = bytesLeft > 0 ? .seconds(Double(bytesLeft) / byteRate) : nil
      } else if totalBytes == nil, itemRate > 0 {
        left = .seconds(max(Double(open) - progress.parts.items, 0) / itemRate)
      }
      if open == 0 { left = nil }
    }
    return ProgressFacts(
      run: progress, ended: ended, total: total,
      percent: percent(progress, ended, total, totalBytes), totalBytes: totalBytes, rate: rate,
      secondsLeft: left.map { Double($0.milliseconds) / 1000 }, waiting: waiting(progress),
      causes: causes)
  }

  /// Rounded down, so that 100 % means everything.
  private func percent(
    _ progress: RunProgress, _ ended: Int, _ total: Int, _ totalBytes: Int64?
  ) -> Int {
    guard total > 0 else { return 0 }
    guard ended < total else { return 100 }
    let share: Double
    if let totalBytes {
      // Bytes on the way are still of items that are not done.
      let moved = min(progress.bytesOfActive, max(ahead, 0))
      share = Double(totalBytes - undone + moved) / Double(totalBytes)
    } else {
      share = (Double(ended) + progress.parts.items) / Double(total)
    }
    return min(max(Int(share * 100), 0), 99)
  }

  /// While the items are shown, that the run or an item waits for its own, or others for all that are busy, adds nothing.
  private func waiting(_ progress: RunProgress) -> [ProgressFacts.Waiting] {
    var merged: [String: ProgressFacts.Waiting] = [:]
    for wait in progress.waits {
      if case .pending = wait.subject { continue }
      if [.parts, .items, .process].contains(wait.blocker.kind.0) { continue }
      let words = wait.blocker.words(in: pipeline)
      merged[words, default: .init(words: words, count: 0, failure: wait.failure?.message)].count +=
        1
    }
    return merged.values.sorted { ($1.count, $0.words) < ($0.count, $1.words) }
  }
}
