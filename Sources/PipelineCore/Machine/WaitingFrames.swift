/// Frames that wait for a point in time, and items that wait for one of their loop's places.
struct WaitingFrames: Hashable, Sendable {
  /// When each frame is due; `nil` is the run's own.
  private(set) var delays: [ItemKey?: Instant] = [:]
  /// The minimum of `delays`, cached so that an event that delays nothing costs nothing.
  private(set) var earliest: Instant?
  private var due: [[ItemKey]]
  private var delayedItems: [Int]

  /// An empty set, for this many loops.
  init(loops: Int) {
    due = Array(repeating: [], count: loops)
    delayedItems = Array(repeating: 0, count: loops)
  }

  var isUndelayed: Bool { delays.isEmpty }

  /// Items of the loop that wait without taking a place.
  func count(in loop: Int) -> Int { due[loop].count + delayedItems[loop] }

  /// The items of the loop that wait for a place, in order.
  func due(in loop: Int) -> [ItemKey] { due[loop] }

  /// All items that wait.
  var items: [ItemKey] { delays.keys.compactMap { $0 } + due.joined() }

  mutating func delay(_ key: ItemKey?, until instant: Instant) {
    remove(key)
    delays[key] = instant
    if let key, key.part == nil { delayedItems[key.loop] += 1 }
    earliest = earliest.map { min($0, instant) } ?? instant
  }

  /// Makes an item that waits for nothing else wait for a place.
  mutating func makeDue(_ key: ItemKey) { due[key.loop].append(key) }

  mutating func popDue(in loop: Int) -> ItemKey? {
    due[loop].isEmpty ? nil : due[loop].removeFirst()
  }

  mutating func remove(_ key: ItemKey?) {
    if let instant = delays.removeValue(forKey: key) {
      if let key, key.part == nil { delayedItems[key.loop] -= 1 }
      if instant == earliest { earliest = delays.values.min() }
    }
    if let key, key.part == nil { due[key.loop].removeAll { $0 == key } }
  }

  /// Removes and returns the frames whose time has come, the run's first, items in order.
  mutating func removeOver(at now: Instant) -> [ItemKey?] {
    guard let earliest, earliest <= now else { return [] }
    let over = delays.filter { $0.value <= now }.keys.sorted { left, right in
      guard let right else { return false }
      guard let left else { return true }
      return left < right
    }
    for key in over { remove(key) }
    return over
  }
}
