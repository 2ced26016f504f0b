/// Frames that wait for one thing; each stands in it at most once.
///
/// The greater rank goes first, and of equal ranks who came first.
struct FrameQueue: Hashable, Sendable {
  private(set) var frames: [ItemKey?] = []
  /// In the order of ``frames``, falling.
  private var ranks: [Double] = []

  /// Whether nobody waits.
  var isEmpty: Bool { frames.isEmpty }

  /// Queues a frame behind those of its rank, or at their head where it was served and there was
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

  mutating func removeFirst() -> ItemKey? {
    ranks.removeFirst()
    return frames.removeFirst()
  }

  mutating func remove(_ key: ItemKey?) {
    guard let index = frames.firstIndex(of: key) else { return }
    frames.remove(at: index)
    ranks.remove(at: index)
  }

  /// Empties the queue and gives those that stood in it.
  mutating func removeAll() -> [ItemKey?] {
    defer { self = FrameQueue() }
    return frames
  }
}
