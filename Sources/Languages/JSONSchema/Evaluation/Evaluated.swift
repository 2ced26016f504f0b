/// Which members and items of one instance value have been evaluated, for `unevaluated…`.
struct Evaluated {
  /// Whether the set is tracked; untracked sets stay empty.
  let isTracked: Bool
  private(set) var allProperties = false
  private(set) var allItems = false
  /// Items before this index are evaluated.
  private(set) var prefix = 0
  private var properties = IndexSet()
  private var items = IndexSet()

  init(isTracked: Bool) { self.isTracked = isTracked }
  mutating func insertProperty(_ place: Int) { if isTracked { properties.insert(place) } }
  mutating func insertItem(_ place: Int) { if isTracked { items.insert(place) } }
  mutating func insertAllProperties() { allProperties = true }
  mutating func insertAllItems() { allItems = true }
  mutating func insertPrefix(_ count: Int) { prefix = max(prefix, count) }
  func hasProperty(_ place: Int) -> Bool { allProperties || properties.contains(place) }
  func hasItem(_ place: Int) -> Bool { allItems || place < prefix || items.contains(place) }

  mutating func formUnion(_ other: Evaluated) {
    guard isTracked else { return }
    allProperties = allProperties || other.allProperties
    allItems = allItems || other.allItems
    prefix = max(prefix, other.prefix)
    properties.formUnion(other.properties)
    items.formUnion(other.items)
  }
}

/// A set of small indices without allocation up to 64.
private struct IndexSet {
  private var low: UInt64 = 0
  private var high: [UInt64] = []

  mutating func insert(_ place: Int) {
    guard place >= 64 else {
      low |= 1 << UInt64(place)
      return
    }
    let word = place / 64 - 1
    while high.count <= word { high.append(0) }
    high[word] |= 1 << UInt64(place % 64)
  }

  func contains(_ place: Int) -> Bool {
    guard place >= 64 else { return low & (1 << UInt64(place)) != 0 }
    let word = place / 64 - 1
    return word < high.count && high[word] & (1 << UInt64(place % 64)) != 0
  }

  mutating func formUnion(_ other: IndexSet) {
    low |= other.low
    while high.count < other.high.count { high.append(0) }
    for word in other.high.indices { high[word] |= other.high[word] }
  }
}
