/// Finds the word most likely meant, as diagnostics do.
public enum NearestWord {
  /// The name nearest to `word`; `nil` if none is similar.
  public static func nearest(to word: String, among names: [String]) -> String? {
    nearestName(to: word, among: names)
  }
}
