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

/// How far a run that is being cancelled is; empty for any other.
struct Cancellation: Hashable, Sendable {
  /// Rows of a loop that may have left something at the server.
  struct LeftoverRows: Hashable, Comparable {
    let loop: Int
    let status: Item.Status

    static func < (left: Self, right: Self) -> Bool {
      (left.loop, left.status.rawValue) < (right.loop, right.status.rawValue)
    }
  }

  /// Rows that must be searched for effects that they left on the server, with the last item examined.
  var leftovers: [LeftoverRows: Int] = [:]
  /// Whether the run must stop before it is done.
  var isHalting = false

  /// Records which rows, in addition to the paused ones, may have left something in an earlier try.
  mutating func findLeftovers(in loops: [LoopState]) {
    var rows: [LeftoverRows] = []
    for (loop, current) in loops.enumerated() {
      if current.leftAtServer > 0 { rows.append(LeftoverRows(loop: loop, status: .failed)) }
      if current.isRequeued { rows.append(LeftoverRows(loop: loop, status: .pending)) }
    }
    leftovers = Dictionary(uniqueKeysWithValues: rows.map { ($0, -1) })
  }

  /// The rows of the loop to be searched next.
  func nextLeftovers(of loop: Int) -> LeftoverRows? {
    leftovers.keys.filter { $0.loop == loop }.min()
  }
}

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
