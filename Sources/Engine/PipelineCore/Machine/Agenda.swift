/// The work of the event that is being applied; empty between events.
struct Agenda: Hashable, Sendable {
  /// Effects so far, in order.
  var effects: [Effect] = []
  /// Whether the run's own frame must be checked after the event.
  var isRunDue = false
  /// Loops that may have free places, checked after the event.
  var unfilled: Set<Int> = []
  /// Parts that may continue, checked after the event.
  var dueParts: [ItemKey] = []
  /// Items that may continue because of their parts, checked after the event.
  var dueItems: Set<ItemKey> = []
  /// Members of the batch whose response is being applied: each continues when its loop has a place.
  var concluding: Set<ItemKey> = []
  /// Frames that are being served from a queue: they may pass those after them.
  var served: Set<ItemKey?> = []

  /// The effects of an event that has been applied; nothing else may be left.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }
}

/// What is being read from the lists and the store.
struct ItemReading: Hashable, Sendable {
  /// Loops whose list was requested.
  var enumerations: Set<Int> = []
  /// Loops whose read-ahead is out of date because rows went back to pending.
  var outdated: Set<Int> = []
}
