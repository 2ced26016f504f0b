/// Items that wait at a step until a batch of them is sent.
struct BatchQueue: Hashable, Sendable {
  /// Identifies a batch that was sent before.
  struct BatchID: Hashable, Sendable, Comparable {
    let first: Int
    let generation: Int

    init(_ batch: BatchMembership) {
      first = batch.first
      generation = batch.generation
    }

    static func < (left: Self, right: Self) -> Bool {
      (left.first, left.generation) < (right.first, right.generation)
    }
  }

  /// Items for a new batch, in order of arrival.
  private(set) var fresh: [ItemKey] = []
  /// Members of batches that must be sent again; never empty.
  private(set) var resends: [BatchID: [ItemKey]] = [:]
  private var since: [Instant] = []

  var isEmpty: Bool { fresh.isEmpty && resends.isEmpty }
  var count: Int { resends.values.reduce(fresh.count) { $0 + $1.count } }
  /// When the first item that waits for a new batch arrived.
  var begun: Instant? { since.first }

  func contains(_ key: ItemKey) -> Bool {
    fresh.contains(key) || resends.values.contains { $0.contains(key) }
  }

  /// Queues an item by its arrival time, which may be in an earlier process.
  mutating func enqueue(_ key: ItemKey, since instant: Instant) {
    var place = fresh.endIndex
    while place > 0, (since[place - 1], fresh[place - 1]) > (instant, key) { place -= 1 }
    fresh.insert(key, at: place)
    since.insert(instant, at: place)
  }

  mutating func enqueue(_ key: ItemKey, for batch: BatchMembership) {
    resends[BatchID(batch), default: []].append(key)
  }

  mutating func remove(_ key: ItemKey) {
    if let index = fresh.firstIndex(of: key) {
      fresh.remove(at: index)
      since.remove(at: index)
      return
    }
    for (batch, members) in resends where members.contains(key) {
      let rest = members.filter { $0 != key }
      resends[batch] = rest.isEmpty ? nil : rest
      return
    }
  }
}
