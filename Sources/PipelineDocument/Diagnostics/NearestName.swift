/// The name most likely meant by `written`; `nil` if none is similar.
///
/// Similar means a distance of at most a third of the length, and at least one letter. Only the first names are
/// compared, so that a document full of mistakes is still checked fast.
func nearestName(to written: String, among names: some Sequence<String>) -> String? {
  let length = written.unicodeScalars.count
  let limit = max(1, length / 3)
  var best: (name: String, distance: Int)?
  for name in names.prefix(256)
  where name != written && abs(name.unicodeScalars.count - length) <= limit {
    let distance = editDistance(written, name)
    if distance <= limit, distance < best?.distance ?? .max { best = (name, distance) }
    if best?.distance == 1 { break }
  }
  return best?.name
}

/// The number of insertions, deletions, replacements and swaps of neighbours between two texts
/// (optimal string alignment), letter case ignored.
private func editDistance(_ left: String, _ right: String) -> Int {
  let (left, right) = (
    Array(left.lowercased().unicodeScalars), Array(right.lowercased().unicodeScalars)
  )
  if abs(left.count - right.count) > 8 || left.count > 64 || right.count > 64 { return .max }
  var rows = [Array(0...right.count)]
  for i in 0..<left.count {
    var row = [i + 1]
    for j in 0..<right.count {
      var cost = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (left[i] == right[j] ? 0 : 1))
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
        cost = min(cost, rows[i - 1][j - 1] + 1)
      }
      row.append(cost)
    }
    rows.append(row)
  }
  return rows[left.count][right.count]
}

/// `'a', 'b' and 'c'`, for messages; of many names only the first are listed.
func quotedList(_ names: some Sequence<String>, joinedBy conjunction: String = "and") -> String {
  let limit = 24
  let names = Array(names)
  if names.count > limit {
    let listed = names.prefix(limit).map { "'\($0)'" }.joined(separator: ", ")
    return "\(listed) \(conjunction) \(names.count - limit) more"
  }
  let quoted = names.map { "'\($0)'" }
  guard quoted.count > 1, let last = quoted.last else { return quoted.first ?? "" }
  return quoted.dropLast().joined(separator: ", ") + " \(conjunction) " + last
}
