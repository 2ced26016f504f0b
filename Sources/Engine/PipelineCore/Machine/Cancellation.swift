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
