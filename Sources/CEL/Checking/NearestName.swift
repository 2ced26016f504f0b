import Basics

/// The candidate that a misspelt `name` most likely means: few edits away for its length.
func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
  var best: (name: String, distance: Int)?
  for candidate in candidates where candidate != name {
    let limit = min(best.map { $0.distance } ?? .max, max(1, candidate.count / 3) + 1)
    let (written, meant) = (Array(name.utf8), Array(candidate.utf8))
    guard abs(written.count - meant.count) < limit else { continue }
    let distance = editDistance(written, meant)
    guard distance < limit else { continue }
    if let best, (best.distance, best.name) <= (distance, candidate) { continue }
    best = (candidate, distance)
  }
  return best?.name
}
