/// Frames that wait for one thing, each once: the greater rank first, then the earlier arrival.
struct FrameQueue: Hashable, Sendable {
  private(set) var frames: [ItemKey?] = []
  /// In descending order of ``frames``.
  private var ranks: [Double] = []

  var isEmpty: Bool { frames.isEmpty }

  /// Queues a frame after those of its rank, or at their head if it was served without success.
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

  mutating func removeAll() -> [ItemKey?] {
    defer { self = FrameQueue() }
    return frames
  }
}
