/// Frames that wait for one thing; each is queued at most once.
///
/// The greater rank goes first; among equal ranks, the earlier arrival.
struct FrameQueue: Hashable, Sendable {
  private(set) var frames: [ItemKey?] = []
  /// In descending order of ``frames``.
  private var ranks: [Double] = []

  /// Whether the queue is empty.
  var isEmpty: Bool { frames.isEmpty }

  /// Queues a frame behind those of its rank, or at their head if it was served but there was
  /// not enough.
  mutating func enqueue(_ key: ItemKey?, isFirst: Bool, rank: Double = 0) {
    guard !frames.contains(key) else { return }
    let place: Int
    if isFirst {
      place = ranks.firstIndex { $0 <= rank } ?? ranks.endIndex
    } else if let last = ranks.last, last < rank {
      place = ranks.firstIndex { $0 < rank } ?? ranks.endIndex
    } else {
      place = ranks.endIndex
    }
    frames.insert(key, at: place)
    ranks.insert(rank, at: place)
  }

  mutating func remove(_ key: ItemKey?) {
    guard let index = frames.firstIndex(of: key) else { return }
    frames.remove(at: index)
    ranks.remove(at: index)
  }

  /// Empties the queue and returns what was in it.
  mutating func removeAll() -> [ItemKey?] {
    defer { self = FrameQueue() }
    return frames
  }
}
