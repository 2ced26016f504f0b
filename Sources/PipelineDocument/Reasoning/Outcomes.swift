import CEL

/// The responses that each entry of a step's `on` decides.
package struct Outcomes {
  package struct Entry {
    package let matcher: DraftMatcher
    /// The statuses for which its condition holds; all if it has none.
    package let bounds: StatusBounds
    /// The statuses that earlier entries may leave to it.
    package let reached: StatusSet
  }

  package let entries: [Entry]
  /// The statuses for which possibly no entry holds.
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
        Entry(matcher: matcher, bounds: bounds, reached: bounds.possible.subtracting(taken)))
      taken = taken.union(bounds.certain)
    }
    self.entries = entries
    rest = taken.complement
  }

  func canBe(_ words: MatcherWord...) -> Bool {
    entries.contains { entry in
      guard case .word(let word, _)? = entry.matcher.outcome else {
        // An entry that could not be read may mean anything.
        return entry.matcher.outcome == nil
      }
      return words.contains(word) && !entry.reached.isEmpty
    }
  }

  var canSucceed: Bool { canBe(.success) || !rest.intersection(.success).isEmpty }
}
