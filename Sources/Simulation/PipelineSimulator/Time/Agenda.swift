/// A queue of due events, ordered by instant and then by the order of scheduling, so that runs can be repeated.
package struct Agenda<Entry: Sendable>: Sendable {
  private struct Slot {
    let at: Instant
    let sequence: UInt64
    let entry: Entry

    func precedes(_ other: Slot) -> Bool {
      at == other.at ? sequence < other.sequence : at < other.at
    }
  }

  /// A binary heap, earliest first.
  private var slots: [Slot] = []
  private var sequence: UInt64 = 0

  package init() {}

  package var count: Int { slots.count }
  package var isEmpty: Bool { slots.isEmpty }
  package var nextEntry: Entry? { slots.first?.entry }
  package var next: Instant? { slots.first?.at }

  package mutating func schedule(_ entry: Entry, at instant: Instant) {
    slots.append(Slot(at: instant, sequence: sequence, entry: entry))
    sequence += 1
    var child = slots.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard slots[child].precedes(slots[parent]) else { break }
      slots.swapAt(child, parent)
      child = parent
    }
  }

  /// Removes and returns the next entry that is due at `limit` or before.
  package mutating func popDue(by limit: Instant) -> (at: Instant, entry: Entry)? {
    guard let first = slots.first, first.at <= limit else { return nil }
    let last = slots.removeLast()
    if !slots.isEmpty {
      slots[0] = last
      sink()
    }
    return (first.at, first.entry)
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < slots.count && slots[child].precedes(slots[least]) { least = child }
      if least == parent { return }
      slots.swapAt(parent, least)
      parent = least
    }
  }
}

extension Duration {
  /// The number of milliseconds, rounded up, and clamped so that instants can be moved by it.
  static func clamped(milliseconds: Double) -> Duration {
    guard milliseconds.isFinite else { return .milliseconds(Self.most) }
    return .milliseconds(
      Int64(min(max(milliseconds.rounded(.up), -Double(Self.most)), Double(Self.most))))
  }

  /// 300,000 years.
  private static var most: Int64 { 9_000_000_000_000_000 }
}
