import Basics

enum NearestName {
  /// The nearest candidate, up to a third of the length away; ties go to the earlier one.
  static func of(_ name: String, in candidates: [String]) -> String? {
    let wrong = folded(name)
    guard !wrong.isEmpty, wrong.count <= 64 else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in candidates where !candidate.isByteEqual(to: name) {
      let right = folded(candidate)
      let allowed = max(1, max(wrong.count, right.count) / 3)
      guard right.count <= 64, abs(right.count - wrong.count) <= allowed else { continue }
      let distance = editDistance(wrong, right)
      guard distance <= allowed, distance < max(wrong.count, right.count),
        distance < best?.distance ?? .max
      else { continue }
      best = (candidate, distance)
    }
    return best?.name
  }

  /// Lower-case scalars without `-` and `_`, so that naming style does not matter.
  private static func folded(_ name: String) -> [Unicode.Scalar] {
    name.lowercased().unicodeScalars.filter { $0 != "-" && $0 != "_" }
  }
}
