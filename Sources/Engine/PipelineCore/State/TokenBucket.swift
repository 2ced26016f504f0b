/// The remaining tokens of a ``Rate``: when its bucket is full again.
///
/// Each request consumes a token, and a pause of `period / pauses` returns it. The moment is exact, in parts of a
/// millisecond, so that nothing drifts in long runs. This is the virtual scheduling of the generic cell rate algorithm
/// (ITU-T I.371, annex A).
public struct TokenBucket: Hashable, Sendable {
  /// The whole milliseconds of the moment.
  public let full: Instant
  /// The rest of it, in parts of a millisecond: `rest / pauses`.
  public let rest: Int64

  /// A bucket that is full at `full`, plus `rest` parts of a millisecond.
  public init(full: Instant, rest: Int64 = 0) { (self.full, self.rest) = (full, rest) }

  /// The same bucket, no emptier than a bucket can be: for one that was stored, because a clock may have been set back.
  public func checked(_ rate: Rate, at now: Instant) -> TokenBucket {
    let most = now + .milliseconds(Int64(rate.burst) * rate.period.milliseconds / rate.pauses + 1)
    guard full < most else { return TokenBucket(full: most) }
    return TokenBucket(full: full, rest: min(max(rest, 0), rate.pauses - 1))
  }

  /// The earliest moment at which there is a token; it may be long past.
  public func next(_ rate: Rate) -> Instant {
    // The time until the tokens of a burst except one return, in parts of a millisecond.
    let spare = Int64(rate.burst - 1) * rate.period.milliseconds - rest
    return full - .milliseconds(spare >= 0 ? spare / rate.pauses : -1)
  }

  /// The bucket after a request at `now`.
  public func taken(_ rate: Rate, at now: Instant) -> TokenBucket {
    // Up to a millisecond was waited in addition, because moments are whole milliseconds.
    let isLate = full + .milliseconds(rest > 0 ? 1 : 0) < now
    let own = isLate ? TokenBucket(full: now) : self
    let (whole, part) = rate.period.milliseconds.quotientAndRemainder(dividingBy: rate.pauses)
    let rest = own.rest + part
    return rest < rate.pauses
      ? TokenBucket(full: own.full + .milliseconds(whole), rest: rest)
      : TokenBucket(full: own.full + .milliseconds(whole + 1), rest: rest - rate.pauses)
  }
}
