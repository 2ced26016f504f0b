/// Frames that wait for a token of a rate, in the order in which they came.
///
/// One queue for all rates: a frame that needs two of them has the same place for both, so that
/// those behind it cannot get the one while it waits for the other, and every frame gets its turn.
struct RateQueue: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    let key: ItemKey?
    /// The rates that its request counts towards, by their index in ``Budgets/rates``.
    let rates: [Int]
    /// The one of them that has no token.
    var lacking: Int
  }

  private(set) var entries: [Entry] = []
  /// The frames in the order in which they came: those of the entries, and those that are being served and keep their place.
  private var places: [ItemKey?] = []

  var isEmpty: Bool { entries.isEmpty }
  var frames: [ItemKey?] { entries.map(\.key) }

  func contains(_ key: ItemKey?) -> Bool { entries.contains { $0.key == key } }

  /// The combinations of rates that frames wait for, each once.
  var needs: Set<[Int]> { Set(entries.map(\.rates)) }

  /// Whether a frame that comes now must wait for another that lacks one of the rates.
  func holds(back key: ItemKey?, _ rates: [Int]) -> Bool {
    entries.contains { $0.key != key && rates.contains($0.lacking) }
  }

  /// Queues a frame, at its old place if it is being served.
  mutating func enqueue(_ key: ItemKey?, _ rates: [Int], lacking: Int) {
    let entry = Entry(key: key, rates: rates, lacking: lacking)
    if let known = entries.firstIndex(where: { $0.key == key }) {
      entries[known] = entry
      return
    }
    guard let place = places.firstIndex(of: key) else {
      places.append(key)
      entries.append(entry)
      return
    }
    let after = Set(places[place...])
    entries.insert(entry, at: entries.firstIndex { after.contains($0.key) } ?? entries.endIndex)
  }

  /// Removes a frame; one that is being served can come back to its place.
  mutating func remove(_ key: ItemKey?, keepsPlace: Bool) {
    guard let place = places.firstIndex(of: key) else { return }
    entries.removeAll { $0.key == key }
    if !keepsPlace { places.remove(at: place) }
  }

  /// A frame that was served does not come back.
  mutating func forget(_ key: ItemKey?) { if !contains(key) { remove(key, keepsPlace: false) } }
}
