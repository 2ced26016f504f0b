import PipelineCore

extension Step {
  /// How a server reports that an identifier or credential in a request has expired.
  package enum Refusal {
    case identifier, credential

    /// Statuses that servers use for it (RFC 9110 §15.5).
    package var statuses: [Int64] {
      switch self {
      case .identifier: [403, 404, 410]
      case .credential: [401, 403]
      }
    }
  }

  /// Whether `on` handles a response that reports an expired result of `producer`.
  ///
  /// Besides `expired: PRODUCER`, that is any entry that repeats the step, because the engine checks the clock before it does,
  /// and any entry that does not treat such a response as a failure. When in doubt, the response counts as handled.
  func handles(_ refusal: Refusal, by producer: Int, _ constants: Constants) -> Bool {
    refusal.statuses.contains { status in
      for matcher in matchers {
        if matcher.outcome == .expired(producer) { return true }
        let holds = matcher.condition.map { constants.holds($0, onStatus: status) } ?? true
        guard holds != false else { continue }
        if matcher.outcome != .fail { return true }
        if holds == true { break }
      }
      return false
    }
  }
}
