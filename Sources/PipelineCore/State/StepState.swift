public import CEL

/// Where one step of one frame stands.
public struct StepState: Hashable, Sendable {
  /// The states of a step.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// Not begun in this generation, or to be issued again. Can transition to: queued, running,
    /// probing, skipped.
    case pending
    /// Stands in the line for a batch, since ``StepState/since``. Can transition to: running,
    /// pending.
    case queued
    /// An attempt is demanded and not answered. Can transition to: pending, unknown, succeeded.
    case running
    /// A probe is demanded and not answered. Can transition to: pending, unknown, succeeded.
    case probing
    /// The server may have taken the last attempt; the probe must tell. Can transition to:
    /// probing, pending.
    case unknown
    /// Answered well; the result may have died since, see ``isInvalidated``. Can transition to: pending.
    case succeeded
    /// Its condition was false. Can transition to: pending.
    case skipped
  }

  /// Where the step stands.
  public var status: Status = .pending
  /// Raised each time the step is issued anew because its result died; begins at 1 with the first
  /// issue.
  public var generation = 0
  /// Issues of this generation so far, interrupted ones too.
  public var attempt = 0
  /// Failed attempts that count toward the policy's limit; progress sets it back.
  public var failures = 0
  /// Times the result died in this item (run scope: since something last succeeded with it).
  public var reissues = 0
  /// Deaths of the result in a row before anything had succeeded with it.
  public var unusedInvalidations = 0
  /// Whether the result was found dead, by the clock or by the server.
  public var isInvalidated = false
  /// Whether the author's matcher made a success of an answer that was none (a 409, say) to a creating step: what it
  /// names may have been there before, and is never undone.
  public var isForeign = false
  /// When the status last changed.
  public var since = Instant(milliseconds: 0)
  /// When the first attempt of this generation was issued.
  public var begun: Instant?
  /// Not to be issued before: back-off, `Retry-After` or a poll's interval.
  public var notBefore: Instant?
  /// When an attempt ended of which nobody knows whether it took effect; until the probe's time is over, its
  /// "not done" may be too early.
  public var unknownSince: Instant?
  /// Not to be begun by the transfer service before, where the step leaves that to it; stays with
  /// later generations.
  public var earliest: Instant?
  /// Challenges of this attempt that were answered with another authorization.
  public var challenges = 0
  /// Why the last attempt did not succeed.
  public var failure: Failure?
  /// Statuses of the generation's answers, oldest first, at most ``historyLimit``.
  public var statuses: [Int] = []
  /// Values of the step's declared outputs, in their order; empty unless succeeded.
  public var outputs: [OutputValue] = []
  /// The file a materialization made.
  public var file: FileValue?
  /// Generations of the results this one was made from, in the order of the step's identifying
  /// uses.
  public var sources: [Int] = []
  /// Bytes of the disk budget held for the step's file.
  public var reservedBytes: Int64 = 0
  /// The batch that the item was sent in and whose result is not known.
  public var batch: BatchMembership?

  /// A step that has not begun.
  public init() {}

  /// Answers that ``statuses`` keeps at most.
  public static let historyLimit = 16
  /// Whether an effect is demanded and not answered.
  public var isInFlight: Bool { status == .running || status == .probing }
}

/// Why an attempt did not succeed; holds no secret and no byte of a body.
public struct Failure: Hashable, Sendable {
  /// What went wrong, for people, without a final stop.
  public let message: String
  /// HTTP status of the answer, where there was one.
  public let status: Int?
  /// What the machine lacked, where that is why.
  public let lacking: Resource?

  /// Describes a failure.
  public init(_ message: String, status: Int? = nil, lacking: Resource? = nil) {
    self.message = message
    self.status = status
    self.lacking = lacking
  }
}

/// The value of an output.
public struct OutputValue: Hashable, Sendable {
  /// The value; `nil` where it was secret and the process that held it is gone.
  public let value: Value?
  /// Whether the value stays out of the store.
  public let isSecret: Bool
  /// End of life on our clock.
  public let expires: Instant?
  /// From here on the value is not used any more: ``expires`` less the skew.
  public let staleFrom: Instant?

  /// Makes a value.
  public init(
    value: Value?, isSecret: Bool = false, expires: Instant? = nil, staleFrom: Instant? = nil
  ) {
    self.value = value
    self.isSecret = isSecret
    self.expires = expires
    self.staleFrom = staleFrom
  }

  /// The value as the store may hold it.
  public var redacted: OutputValue {
    isSecret
      ? OutputValue(value: nil, isSecret: true, expires: expires, staleFrom: staleFrom) : self
  }

  /// Whether the value is there and will live for `need` more after `now`.
  public func isValid(at now: Instant, for need: Duration = .zero) -> Bool {
    guard value != nil else { return false }
    guard let staleFrom else { return true }
    return now + need < staleFrom
  }
}
