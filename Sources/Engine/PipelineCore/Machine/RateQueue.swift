/// Frames that wait for a token of a rate, in the order in which they came.
///
/// One queue for all rates: a frame that needs two of them has the same place for both, so that
/// those behind it cannot get the one while it waits for the other, and every frame gets its turn.
struct RateQueue: Sendable {
  struct Entry: Hashable, Sendable {
    let key: ItemKey?
    /// The rates that its request counts towards, by their index in ``Budgets/rates``.
    let rates: [Int]
    /// The one of them that has no token.
    var lacking: Int
  }

  private(set) var entries: [Entry] = []
  /// The place of each frame; one that is being served keeps it.
  private var tickets: [ItemKey?: Int] = [:]
  private var nextTicket = 0

  var isEmpty: Bool { entries.isEmpty }
  var frames: [ItemKey?] { entries.map(\.key) }

  func contains(_ key: ItemKey?) -> Bool {
    tickets[key] != nil && entries.contains { $0.key == key }
  }

  /// The combinations of rates that frames wait for, each once.
  var needs: Set<[Int]> { Set(entries.map(\.rates)) }

  /// Whether a frame that comes now must wait for another that lacks one of the rates.
  func holds(back key: ItemKey?, _ rates: [Int]) -> Bool {
    entries.contains { $0.key != key && rates.contains($0.lacking) }
  }

  /// Queues a frame, at its old place if it is being served.
  mutating func enqueue(_ key: ItemKey?, _ rates: [Int], lacking: Int) {
    if let known = entries.firstIndex(where: { $0.key == key }) {
      entries[known] = Entry(key: key, rates: rates, lacking: lacking)
      return
    }
    let ticket = tickets[key] ?? nextTicket
    if tickets[key] == nil { nextTicket += 1 }
    tickets[key] = ticket
    let place = entries.firstIndex { (tickets[$0.key] ?? 0) > ticket } ?? entries.endIndex
    entries.insert(Entry(key: key, rates: rates, lacking: lacking), at: place)
  }

  /// Removes a frame; one that is being served can come back to its place.
  mutating func remove(_ key: ItemKey?, keepsPlace: Bool) {
    guard tickets[key] != nil else { return }
    entries.removeAll { $0.key == key }
    if !keepsPlace { tickets[key] = nil }
  }

  /// A frame that was served does not come back.
  mutating func forget(_ key: ItemKey?) {
    if !entries.contains(where: { $0.key == key }) { tickets[key] = nil }
  }
}

extension RateQueue: Hashable {
  /// Only the order counts.
  static func == (left: Self, right: Self) -> Bool { left.entries == right.entries }

  func hash(into hasher: inout Hasher) { hasher.combine(entries) }
}
