import CEL

/// Which answers each entry of a step's `on` decides.
package struct Outcomes {
  package struct Entry {
    package let matcher: DraftMatcher
    /// What its condition says of the status; always, where it has none.
    package let bounds: StatusBounds
    /// The statuses that earlier entries leave to it, at most.
    package let reached: StatusSet
  }

  package let entries: [Entry]
  /// The statuses for which it can be that no entry holds.
  package let rest: StatusSet

  package init(_ step: DraftStep, in analysis: Analysis) {
    var taken = StatusSet.none
    var entries: [Entry] = []
    for matcher in step.matchers {
      var bounds = StatusBounds.unknown
      if !matcher.hasCondition { bounds = .always }
      if let entry = analysis.entry(matcher.condition, in: step.index) {
        bounds = StatusBounds(entry.syntax)
      }
      entries.append(
        Entry(
          matcher: matcher, bounds: bounds,
          reached: bounds.possible.subtracting(taken)))
      taken = taken.union(bounds.certain)
    }
    self.entries = entries
    rest = taken.complement
  }

  /// Whether an answer can lead to one of the words.
  func canBe(_ words: MatcherWord...) -> Bool {
    entries.contains { entry in
      guard case .word(let word, _)? = entry.matcher.outcome else {
        // What could not be read may be anything.
        return entry.matcher.outcome == nil
      }
      return words.contains(word) && !entry.reached.isEmpty
    }
  }

  /// Whether an answer can be a success, by an entry or because no entry speaks of it.
  var canSucceed: Bool { canBe(.success) || !rest.intersection(.success).isEmpty }
}
