/// Finds the word that someone most likely meant, as diagnostics do.
public enum NearestWord {
  /// The name that is nearest to `word`; `nil` where none is near.
  public static func nearest(to word: String, among names: [String]) -> String? {
    nearestName(to: word, among: names)
  }
}
