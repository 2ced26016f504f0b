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

  /// A bucket without tokens.
  static func empty(_ rate: Rate, at now: Instant) -> TokenBucket {
    let wait = Int64(rate.burst) * rate.period.milliseconds / rate.pauses + 1
    return TokenBucket(full: now + .milliseconds(wait))
  }

  /// The same bucket, no emptier than a bucket can be: for one that was stored, because a clock may have been set back.
  public func checked(_ rate: Rate, at now: Instant) -> TokenBucket {
    let empty = Self.empty(rate, at: now)
    guard full < empty.full else { return empty }
    return TokenBucket(full: full, rest: min(max(rest, 0), rate.pauses - 1))
  }

  /// The bucket with as many tokens missing, which return at the pace of `new`.
  func paced(_ new: Rate, after old: Rate, at now: Instant) -> TokenBucket {
    guard full > now else { return self }
    // Up to a millisecond more; the limit is far from overflow, and more than any bucket lacks.
    let wait = min(Double((full - now).milliseconds + 1) * new.pause / old.pause, 1e15)
    return TokenBucket(full: now + .milliseconds(Int64(wait.rounded(.up)))).checked(new, at: now)
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
