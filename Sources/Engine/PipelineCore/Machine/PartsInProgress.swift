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
}
