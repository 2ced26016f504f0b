/// The edits, swaps of neighbours included, that turn one text into the other (optimal string alignment).
///
/// Inlinable, because the generic function is six times as slow, and each check for misspelled names calls it.
@inlinable public func editDistance<Unit: Equatable>(_ first: [Unit], _ second: [Unit]) -> Int {
  var beforePrevious = Array(repeating: 0, count: second.count + 1)
  var previous = Array(0...second.count)
  var current = beforePrevious
  for i in 0..<first.count {
    current[0] = i + 1
    for j in 0..<second.count {
      let replaced = previous[j] + (first[i] == second[j] ? 0 : 1)
      var cost = min(replaced, previous[j + 1] + 1, current[j] + 1)
      if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
        cost = min(cost, beforePrevious[j - 1] + 1)
      }
      current[j + 1] = cost
    }
    (beforePrevious, previous, current) = (previous, current, beforePrevious)
  }
  return previous[second.count]
}
