public import PipelineCore
public import PipelineEngine

/// Something observable that happened in a simulation, and when.
public struct TraceEvent: Hashable, Sendable {
  /// What can happen.
  public enum Fact: Hashable, Sendable {
    /// The process started to work on the run; `resumed` if another process had done so before.
    case processBegan(resumed: Bool)
    /// The process was killed.
    case processEnded
    /// A request was sent, or a transfer started to move.
    case sent(SimulatedRequest)
    /// The response, or the reason why there is none, has reached the device.
    case answered(EffectID, Response)
    /// An effect in flight was stopped.
    case interrupted(EffectID)
    /// An upload was handed over to the transfer service.
    case transferQueued(EffectID, bytes: Int64)
    /// A transfer asks for a new request, and the process is told.
    case asked(EffectID, Renewal)
    /// A transfer that asked continues, with a new request or the old one.
    case renewed(EffectID, isAnew: Bool)
    /// A file was made.
    case wrote(EffectID, FileValue)
    /// A file could not be made.
    case writeFailed(EffectID, FileFailure)
    /// An attempt, a probe or a compensation ended.
    case concluded(EffectID, Verdict)
    /// A step is reissued because its result, or what it was made from, expired.
    case reissued(EffectID, cause: Failure?)
    /// An item left the window.
    case itemLeft(ItemKey, Item.Status, Failure?)
    /// A frame waits for something new; only if blockers are traced.
    case blocked(ItemKey?, Blocker)
    case allowance(DeviceChange)
    /// The process is suspended, with this many transfers at the transfer service.
    case suspended(transfers: Int)
    /// A fact about the device, if it can be observed.
    case device(DeviceFact)
    /// The device's wall clock was moved forward, or back.
    case clockChanged(by: Duration)
    /// The device was restarted.
    case deviceRestarted
    /// The simulation is over.
    case ended(SimulatedRun.Outcome)
  }

  /// When it happened.
  public let at: Instant
  /// What happened.
  public let fact: Fact

  /// Records a fact.
  public init(at: Instant, _ fact: Fact) {
    self.at = at
    self.fact = fact
  }
}

/// Everything observable in one simulation, in order.
public struct Trace: Hashable, Sendable {
  /// The events so far.
  public private(set) var events: [TraceEvent] = []

  /// An empty trace.
  public init() {}

  mutating func note(_ fact: TraceEvent.Fact, at now: Instant) {
    events.append(TraceEvent(at: now, fact))
  }

  /// The requests that were sent, in order.
  public var exchanges: [SimulatedRequest] {
    events.compactMap { if case .sent(let exchange) = $0.fact { exchange } else { nil } }
  }

  /// The responses to the requests that were sent.
  public var responses: [EffectID: Response] {
    var answers: [EffectID: Response] = [:]
    for event in events {
      if case .answered(let id, let response) = event.fact { answers[id] = response }
    }
    return answers
  }
}
