/// The candidate that a misspelt `name` most likely means: few edits away for its length.
func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
  var best: (name: String, distance: Int)?
  for candidate in candidates where candidate != name {
    let limit = min(best.map { $0.distance } ?? .max, max(1, candidate.count / 3) + 1)
    let distance = editDistance(Array(name.utf8), Array(candidate.utf8), limit: limit)
    guard distance < limit else { continue }
    if let best, (best.distance, best.name) <= (distance, candidate) { continue }
    best = (candidate, distance)
  }
  return best?.name
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one text into the other;
/// any number of at least `limit` if there are at least that many.
private func editDistance(_ first: [UInt8], _ second: [UInt8], limit: Int) -> Int {
  if abs(first.count - second.count) >= limit { return limit }
  var beforePrevious: [Int] = []
  var previous = Array(0...second.count)
  for i in 0..<first.count {
    var current = [i + 1]
    for j in 0..<second.count {
      let replaced = previous[j] + (first[i] == second[j] ? 0 : 1)
      var cost = min(replaced, previous[j + 1] + 1, current[j] + 1)
      if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
        cost = min(cost, beforePrevious[j - 1] + 1)
      }
      current.append(cost)
    }
    (beforePrevious, previous) = (previous, current)
  }
  return previous[second.count]
}
