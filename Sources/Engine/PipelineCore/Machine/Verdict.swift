/// The result of an attempt or a probe, after evaluating the step's matchers.
public indirect enum Verdict: Hashable, Sendable {
  /// The step took effect.
  case success(StepResult)
  /// The response to a batch contains a result for each member of ``Scope/members``; its own has no outputs.
  case results(StepResult, [Verdict])
  /// It did not take effect, and may be retried.
  case retry(Failure, after: Instant? = nil, progressed: Bool = false)
  /// The result of another step, by its index in ``Pipeline/steps``, has expired; it is not reissued before the instant.
  case expired(step: Int, Failure, after: Instant? = nil)
  /// A retry cannot help.
  case fail(Failure)
  /// The user must decide.
  case pause(Failure)
  /// The user must decide for the whole run.
  case pauseRun(Failure)
  /// No response; the server may have accepted the request.
  case unknown(Failure)
  /// The response does not show the effect of a create; only a probe or a keyed repeat can.
  case uncertain(Verdict)
  /// Nothing was sent or written, because of a shortage of the machine that works on the run.
  /// Does not count as an attempt.
  case unavailable(Resource, Failure)
  /// Not ready, according to a response with the status and in the words that the author asked about; ask again at the
  /// instant. Does not count as an attempt. A poll asks later by `slower` from now on,
  /// because the server finds it too eager.
  case poll(at: Instant?, status: Int? = nil, words: String? = nil, slower: Duration? = nil)
  /// The kept connection was closed before the first byte of a response. Repeated once at once, which does not count as
  /// an attempt; after that, and if no repeat is safe, it is ``unknown(_:)``.
  case stale(Failure)
  /// We stopped the attempt. Does not count as an attempt.
  case interrupted
  /// The probe reports that the step did not take effect.
  case notDone
  /// The item needs no further step.
  case itemDone
  case itemSkipped(Failure)

  /// Whether the step took effect.
  var isSuccess: Bool { if case .success = self { true } else { false } }

  /// Whether a server has responded.
  var hasResponse: Bool {
    switch self {
    case .success(let result), .results(let result, _): result.status != nil
    case .uncertain(let verdict): verdict.hasResponse
    case .retry(let failure, _, _), .expired(_, let failure, _), .fail(let failure),
      .pause(let failure), .pauseRun(let failure), .unknown(let failure), .itemSkipped(let failure):
      failure.status != nil
    case .poll, .itemDone: true
    case .unavailable, .stale, .interrupted, .notDone: false
    }
  }

  /// Why the step is to be issued again; `nil` if it is not.
  var wantsRepeat: Failure? {
    switch self {
    case .retry(let failure, _, _), .expired(_, let failure, _), .unknown(let failure),
      .pauseRun(let failure), .stale(let failure):
      failure
    case .poll: Failure("the server is not ready yet")
    case .uncertain(let verdict): verdict.wantsRepeat
    case .success, .results, .fail, .pause, .unavailable, .interrupted, .notDone, .itemDone,
      .itemSkipped:
      nil
    }
  }

  /// Whether a file was created.
  var hasFile: Bool { if case .success(let result) = self { result.file != nil } else { false } }
}

/// The result of a successful step.
public struct StepResult: Hashable, Sendable {
  /// Values of the step's declared outputs, in their order.
  public var outputs: [OutputValue]
  /// The file, for a materialization.
  public var file: FileValue?
  /// HTTP status, if there was a response.
  public var status: Int?
  /// The host that responded, with the time of its `Date` header.
  public var clock: HostClock?
  /// Time from issue to response.
  public var duration: Duration
  /// Bytes of the body sent.
  public var bytes: Int64

  /// Creates a result.
  public init(
    outputs: [OutputValue] = [], file: FileValue? = nil, status: Int? = nil,
    clock: HostClock? = nil, duration: Duration = .zero, bytes: Int64 = 0
  ) {
    self.outputs = outputs
    self.file = file
    self.status = status
    self.clock = clock
    self.duration = duration
    self.bytes = bytes
  }

  /// A host and the bounds of its clock.
  public struct HostClock: Hashable, Sendable {
    public let host: String
    /// The bounds.
    public let offset: ClockOffset

    /// Pairs a host with its clock.
    public init(host: String, offset: ClockOffset) {
      self.host = host
      self.offset = offset
    }
  }
}
