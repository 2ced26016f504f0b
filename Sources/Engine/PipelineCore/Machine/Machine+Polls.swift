import CEL

extension Machine {
  /// Makes a `poll` step wait for its next question, or ends it; `false` for steps of another kind.
  mutating func askAgain(
    _ place: StepPlace, at wished: Instant?, _ again: StepState.Status, _ words: String?,
    _ current: StepState, now: Instant
  ) -> Bool {
    guard case .poll = pipeline.steps[place.step].action else { return false }
    guard let end = deadline(of: place, current, at: now) else { return true }
    let policy = pipeline.steps[place.step].retry
    // The response that was just noted.
    let noted = frames.stepState(place.step, for: place.key)
    let status = noted?.statuses.last
    guard now < end else {
      let begun = current.begun ?? now
      let text =
        "still not ready after \(Self.spell(now - begun))" + (words.map { ": \($0)" } ?? "")
      endStep(place, as: policy.exhausted, Failure(text, status: status), next: again, at: now)
      return true
    }
    // A server that answers is not failing.
    frames.update(place) { $0.failures = 0 }
    let next =
      max(wished ?? now + PollTemplate.defaultInterval, now + PollTemplate.shortestInterval)
      + (noted?.slower ?? .zero)
    postpone(
      place, again, words.map { Failure("not ready: \($0)", status: status) },
      until: min(next, end), at: now)
    return true
  }

  /// When the last request of a `poll` step is sent; also `nil` if that cannot be evaluated.
  mutating func deadline(
    of place: StepPlace, _ current: StepState, at now: Instant
  ) -> Instant? {
    guard case .poll(let poll) = pipeline.steps[place.step].action else { return nil }
    do throws(EvaluationFailure) {
      let value = try evaluator.value(poll.deadline, frames.scope(of: place.key, at: now))
      guard case .duration(let time) = value else {
        throw EvaluationFailure(
          message: "expected a duration", location: poll.deadline.location)
      }
      return (current.begun ?? now) + time
    } catch {
      failEvaluation(place, error.failure, at: now)
      return nil
    }
  }

  /// A duration as users write it: seconds below two minutes, then minutes, then hours.
  private static func spell(_ duration: Duration) -> String {
    let seconds = duration.milliseconds / 1000
    if seconds < 120 { return "\(seconds) s" }
    if seconds < 7200 { return "\(seconds / 60) min" }
    return "\(seconds / 3600) h"
  }
}
