/// Whether and when a failed attempt is repeated, according to its policy.
extension Machine {
  enum RetryDecision {
    case at(Instant)
    case exhausted(Failure)
  }

  mutating func retryDecision(
    _ policy: RetryPolicy, _ failures: Int, since begun: Instant, _ failure: Failure,
    wished after: Instant?, at now: Instant
  ) -> RetryDecision {
    if failures >= policy.attempts {
      let attempts = failures == 1 ? "1 attempt" : "\(failures) attempts"
      let text = "gave up after \(attempts): \(failure.message)"
      return .exhausted(failure.saying(text))
    }
    var moment = now + jittered(policy.delay(afterFailures: failures), policy)
    if policy.retryAfter == .honor, let after { moment = max(moment, after) }
    if let elapsed = policy.elapsed, moment - begun > elapsed {
      let text = "gave up after \(Self.seconds(now - begun)) s: \(failure.message)"
      return .exhausted(failure.saying(text))
    }
    return .at(moment)
  }

  mutating func jittered(_ delay: Duration, _ policy: RetryPolicy) -> Duration {
    guard policy.jitter == .full, delay > .zero else { return delay }
    changes.isRunChanged = true
    return .milliseconds(Int64.random(in: 0...delay.milliseconds, using: &state.random))
  }

  static func seconds(_ duration: Duration) -> Int64 { duration.milliseconds / 1000 }
}
