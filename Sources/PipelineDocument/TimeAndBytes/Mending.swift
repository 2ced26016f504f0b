import PipelineCore

extension Step {
  /// How a server says that something is dead that a request names, or that authorizes it.
  package enum Refusal {
    case identifier
    case credential

    /// Statuses that servers use for it (RFC 9110 §15.5).
    package var statuses: [Int64] {
      switch self {
      case .identifier: [403, 404, 410]
      case .credential: [401, 403]
      }
    }
  }

  /// Whether `on` provides for an answer that says that what `producer` made is dead.
  ///
  /// Besides `expired: PRODUCER` that is any entry that lets the step be issued again, because the engine looks at the clock
  /// before it does; and any that says that such an answer is no failure. What cannot be told counts as provided for.
  func providesFor(_ refusal: Refusal, by producer: Int, _ constants: Constants) -> Bool {
    refusal.statuses.contains { status in
      for matcher in matchers {
        if matcher.outcome == .expired(producer) { return true }
        let holds =
          matcher.condition.map { constants.holds($0, onStatus: status) } ?? true
        guard holds != false else { continue }
        if matcher.outcome != .fail { return true }
        if holds == true { break }
      }
      return false
    }
  }
}
