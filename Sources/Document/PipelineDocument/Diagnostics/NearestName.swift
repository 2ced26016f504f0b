/// The name most likely meant by `written`; `nil` if none is similar.
///
/// Similar means a distance of at most a third of the length, and at least one letter. Only the first names are
/// compared, so that a document full of mistakes is still checked fast.
package func nearestName(to written: String, among names: some Sequence<String>) -> String? {
  let length = written.unicodeScalars.count
  let limit = max(1, length / 3)
  let letters = Array(written.lowercased().unicodeScalars)
  var best: (name: String, distance: Int)?
  for name in names.prefix(256)
  where name != written && abs(name.unicodeScalars.count - length) <= limit {
    let meant = Array(name.lowercased().unicodeScalars)
    guard abs(letters.count - meant.count) <= 8, letters.count <= 64, meant.count <= 64
    else { continue }
    let distance = editDistance(letters, meant)
    if distance <= limit, distance < best?.distance ?? .max { best = (name, distance) }
    if best?.distance == 1 { break }
  }
  return best?.name
}

/// `'a', 'b' and 'c'`, for messages; of very many names only the first are listed.
package func quotedList(_ names: some Sequence<String>, joinedBy conjunction: String = "and")
  -> String
{
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

/// Finds the word most likely meant, as diagnostics do.
public enum NearestWord {
  /// The name nearest to `word`; `nil` if none is similar.
  public static func nearest(to word: String, among names: [String]) -> String? {
    nearestName(to: word, among: names)
  }
}
