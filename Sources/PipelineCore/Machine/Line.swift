/// Frames that wait for one thing, first come, first served; each stands in it at most once.
struct Line: Hashable, Sendable {
  private(set) var frames: [ItemKey?] = []

  /// Whether nobody waits.
  var isEmpty: Bool { frames.isEmpty }

  /// Lines a frame up, at the head where it was served and there was not enough.
  mutating func wait(_ key: ItemKey?, isFirst: Bool) {
    guard !frames.contains(key) else { return }
    if isFirst { frames.insert(key, at: 0) } else { frames.append(key) }
  }

  mutating func removeFirst() -> ItemKey? { frames.removeFirst() }

  mutating func remove(_ key: ItemKey?) {
    if !frames.isEmpty { frames.removeAll { $0 == key } }
  }

  /// Empties the line and gives those that stood in it.
  mutating func removeAll() -> [ItemKey?] {
    defer { frames = [] }
    return frames
  }
}
