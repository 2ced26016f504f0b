/// Items that wait for the commands in flight of their parts, derived from the run's state.
struct PartsInProgress: Hashable, Sendable {
  /// How an item ends once its parts have nothing in flight.
  struct Ending: Hashable, Sendable {
    let step: Int
    let status: Item.Status
    let reason: Failure?
  }

  /// Items of which a part has failed or paused.
  var endings: [ItemKey: Ending] = [:]
  /// Items that wait for interrupted parts before they go back to an earlier step.
  var closing: Set<ItemKey> = []

  /// Whether the item waits for parts that were interrupted.
  mutating func isClosing(_ key: ItemKey, _ inFlight: Set<EffectID>) -> Bool {
    guard closing.contains(key) else { return false }
    if !effects(of: key, in: inFlight).isEmpty { return true }
    closing.remove(key)
    return false
  }

  /// The effects in flight of the item's parts, in order.
  func effects(of key: ItemKey, in inFlight: Set<EffectID>) -> [EffectID] {
    inFlight.filter { $0.item?.part != nil && $0.item?.whole == key }
      .sorted { ($0.item ?? key, $0.step ?? 0) < ($1.item ?? key, $1.step ?? 0) }
  }
}
