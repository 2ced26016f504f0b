public import CEL

/// The state of one step of one frame.
public struct StepState: Hashable, Sendable {
  /// The states of a step.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// Not started in this generation, or to be issued again. Can transition to: queued, running, probing, skipped.
    case pending
    /// In the queue for a batch, since ``StepState/since``. Can transition to: running, pending.
    case queued
    /// An attempt was issued and has no result yet. Can transition to: pending, unknown, succeeded.
    case running
    /// A probe was issued and has no result yet. Can transition to: pending, unknown, succeeded.
    case probing
    /// The outcome of the last attempt is unknown. Can transition to: probing, running, pending.
    case unknown
    /// Succeeded; the result may have expired since, see ``isInvalidated``. Can transition to: pending.
    case succeeded
    /// Its condition was false. Can transition to: pending.
    case skipped
  }

  /// The step's status.
  public var status: Status = .pending
  /// Incremented each time the step is reissued because its result expired; 1 after the first issue.
  public var generation = 0
  /// Issues of this generation so far, including interrupted ones.
  public var attempt = 0
  /// Failed attempts that count toward the policy's limit; progress resets it.
  public var failures = 0
  /// How many times the result expired in this item (for run-level steps: since something last succeeded with it).
  public var reissues = 0
  /// How many times in a row the result expired before anything had succeeded with it.
  public var unusedInvalidations = 0
  /// Whether the result was found to be expired, by the clock or by the server.
  public var isInvalidated = false
  /// Whether a matcher made a success of a refusal (such as 409) of a create: its result is never undone.
  public var isForeign = false
  /// When the status last changed.
  public var since = Instant(milliseconds: 0)
  /// When the first attempt of this generation was issued.
  public var begun: Instant?
  /// Not to be issued before: back-off, `Retry-After` or a poll's interval.
  public var notBefore: Instant?
  /// How much longer a poll waits between requests than its author specifies, since the server found it too eager.
  public var slower: Duration?
  /// When an attempt ended with an outcome that is still unknown; a probe's "not done" may be too early.
  public var unknownSince: Instant?
  /// Not to be started by the transfer service before; kept for later generations.
  public var earliest: Instant?
  /// Challenges in this attempt that were answered with new credentials.
  public var challenges = 0
  /// Why the last attempt failed.
  public var failure: Failure?
  /// Statuses of the generation's responses, oldest first, at most ``historyLimit``.
  public var statuses: [Int] = []
  /// Values of the step's declared outputs, in their order; empty unless it succeeded.
  public var outputs: [OutputValue] = []
  /// The file that a materialization made.
  public var file: FileValue?
  /// Generations of the results that this one was derived from, in the order of the identifying uses.
  public var sources: [Int] = []
  /// How far attempts of a transfer have come in its file or body: bytes that are moved again up to here count once.
  public var movedTo: Int64 = 0
  /// Bytes of the disk budget held for the step's file.
  public var reservedBytes: Int64 = 0
  /// The turn of a `repeat` step, from 1; 0 before it has values.
  public var turn = 0
  /// Whether the turns of a `repeat` step have ended, or all parts of a `for_each` step are done.
  public var isOver = false
  /// The largest value of a `repeat` step's first whole number: there is no progress until a greater one comes.
  public var farthest: Int64?
  /// How far the parts of a `for_each` step are; `nil` before it has started and once all are done.
  public var parts: PartsState?
  /// The batch that the item was sent in, while its result is unknown.
  public var batch: BatchMembership?
  /// The outputs of the last success, while the step is issued again; only if its own expressions read them as `previous.NAME`.
  public var previous: [OutputValue] = []

  /// A step that has not started.
  public init() {}

  /// Maximum number of entries in ``statuses``.
  public static let historyLimit = 16
  /// Whether an effect was issued and has no result yet.
  public var isInFlight: Bool { status == .running || status == .probing }
  /// Whether the server may have accepted an attempt of this generation, and the outcome is unknown.
  package var isUnresolved: Bool {
    switch status {
    case .unknown, .probing: true
    case .running: unknownSince != nil
    case .pending, .queued, .succeeded, .skipped: false
    }
  }
}

/// Why an attempt failed; contains no secret.
public struct Failure: Hashable, Sendable, Codable {
  /// The error, for the user, without a final full stop; without NUL, which not every store and report can contain.
  public let message: String
  /// HTTP status of the response, if there was one.
  public let status: Int?
  /// The missing resource that caused it, if any.
  public let lacking: Lack?
  /// The server's response, if any.
  public let response: KeptResponse?
  /// The duration of the failed attempt; `nil` if no attempt did.
  public let duration: Duration?

  /// Describes a failure.
  public init(
    _ message: String, status: Int? = nil, lacking: Lack? = nil, response: KeptResponse? = nil,
    duration: Duration? = nil
  ) {
    self.message = message.utf8.contains(0) ? Self.withoutNUL(message) : message
    (self.status, self.lacking, self.response) = (status, lacking, response)
    self.duration = duration
  }

  /// The text with another character for each NUL: a server's words are part of messages.
  private static func withoutNUL(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value == 0 ? "\u{FFFD}" : $0 }))
  }
}

/// A result that a step stored, with when it expires.
public struct OutputValue: Hashable, Sendable {
  /// The value; `nil` if it was secret and its process has ended.
  public let value: Value?
  /// Whether the value must not be stored.
  public let isSecret: Bool
  /// Whether a secret value is stored encrypted.
  public let isSealed: Bool
  /// The encrypted value, as the store has it; of a value that was created in this process,
  /// or that is not sealed, `nil`.
  public let sealedText: String?
  /// When it expires, on our clock.
  public let expires: Instant?
  /// From this time on, the value is no longer used: ``expires`` minus the skew.
  public let staleFrom: Instant?
  /// The whole lifetime, if it starts over whenever the value was used with success; `nil` for any other.
  public let slide: Duration?

  /// Makes a value.
  public init(
    value: Value?, isSecret: Bool = false, isSealed: Bool = false, sealedText: String? = nil,
    expires: Instant? = nil, staleFrom: Instant? = nil, slide: Duration? = nil
  ) {
    (self.slide, self.value) = (slide, value)
    self.isSecret = isSecret || isSealed
    (self.isSealed, self.sealedText, self.expires) = (isSealed, sealedText, expires)
    self.staleFrom = staleFrom
  }

  /// The value as a store in memory may contain it: a secret that is not sealed is left out.
  public var redacted: OutputValue { isSecret && !isSealed ? with(value: nil) : self }

  /// The value with its lifetime started again at `moment`; unchanged if it does not slide, or already lasts longer.
  func renewed(at moment: Instant) -> OutputValue {
    guard let slide, let expires, let staleFrom, moment + slide > expires else { return self }
    let delay = moment + slide - expires
    return OutputValue(
      value: value, isSecret: isSecret, isSealed: isSealed, sealedText: sealedText,
      expires: moment + slide, staleFrom: staleFrom + delay, slide: slide)
  }

  /// The same with another value.
  public func with(value: Value?) -> OutputValue {
    OutputValue(
      value: value, isSecret: isSecret, isSealed: isSealed, sealedText: sealedText,
      expires: expires, staleFrom: staleFrom, slide: slide)
  }

  var withoutLifetime: OutputValue {
    OutputValue(value: value, isSecret: isSecret, isSealed: isSealed, sealedText: sealedText)
  }

  /// The same with the encrypted form of its value; `nil` if it is to be encrypted again.
  public func with(sealedText: String?) -> OutputValue {
    OutputValue(
      value: value, isSecret: isSecret, isSealed: isSealed, sealedText: sealedText,
      expires: expires, staleFrom: staleFrom, slide: slide)
  }

  /// Whether the value exists and stays valid for `need` after `now`.
  public func isValid(at now: Instant, for need: Duration = .zero) -> Bool {
    guard value != nil else { return false }
    guard let staleFrom else { return true }
    return now + need < staleFrom
  }
}

extension StepState {
  mutating func note(_ status: Int?) {
    guard let status else { return }
    statuses.append(status)
    if statuses.count > Self.historyLimit { statuses.removeFirst() }
  }
}

extension StepState { var holdsFile: Bool { file?.isInRunFolder ?? false } }
