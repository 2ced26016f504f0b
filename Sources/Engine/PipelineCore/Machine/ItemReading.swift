/// What is being read from the lists and the store.
struct ItemReading: Hashable, Sendable {
  /// Loops whose list was requested.
  var enumerations: Set<Int> = []
  /// Loops whose read-ahead is out of date because rows went back to pending.
  var outdated: Set<Int> = []
}
