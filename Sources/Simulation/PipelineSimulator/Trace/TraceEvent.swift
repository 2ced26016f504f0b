/// Something observable that happened in a simulation, and when.
public struct TraceEvent: Hashable, Sendable {
  /// The kinds of events.
  public enum Fact: Hashable, Sendable {
    /// The process started to work on the run; `resumed` if another process had done so before.
    case processBegan(resumed: Bool)
    case processEnded
    /// A request was sent, or a transfer started to move.
    case sent(SimulatedRequest)
    /// The server or the network did something with a request that its response does not show.
    case odd(EffectID, SimulatedResponse.Oddity)
    /// The response, or the reason why there is none, has reached the device.
    case answered(EffectID, Response)
    /// An effect in flight was stopped.
    case interrupted(EffectID)
    /// An upload was handed over to the transfer service.
    case transferQueued(EffectID, bytes: Int64)
    /// A transfer requires a new request, and the process is notified.
    case asked(EffectID, Renewal)
    /// A transfer that asked continues, with a new request or the old one.
    case renewed(EffectID, isAnew: Bool)
    case wrote(EffectID, FileValue)
    case writeFailed(EffectID, FileFailure)
    /// An attempt, a probe or a compensation ended.
    case concluded(EffectID, Verdict)
    /// A step is reissued because its result, or a result that it depends on, expired.
    case reissued(EffectID, cause: Failure?)
    case itemLeft(ItemKey, Item.Status, Failure?)
    /// A frame waits for something new; only if blockers are traced.
    case blocked(ItemKey?, Blocker)
    case allowance(DeviceChange)
    /// The process is suspended, with this many transfers at the transfer service.
    case suspended(transfers: Int)
    case device(DeviceFact)
    /// The device's wall clock was moved forward, or back.
    case clockChanged(by: Duration)
    case deviceRestarted
    case ended(SimulatedRun.Outcome)
  }

  /// When it happened.
  public let at: Instant
  /// What happened.
  public let fact: Fact
}

/// Everything observable in one simulation, in order.
public struct Trace: Hashable, Sendable {
  /// The events so far.
  public private(set) var events: [TraceEvent] = []

  /// An empty trace.
  public init() {}

  mutating func note(_ fact: TraceEvent.Fact, at now: Instant) {
    events.append(TraceEvent(at: now, fact: fact))
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

/// Something observable about a device, for reports.
public enum DeviceFact: Hashable, Sendable {
  case life(DeviceLife)
  case conditions(DeviceConditions)
  /// The transfer service has resumed the app; tasks created in the background now wait for `delay` (RL1).
  case woken(delay: Duration)
  case transferHeld(EffectID, TransferHold)
  case transferMoves(EffectID)
  /// The server has the whole request of a transfer.
  case transferSent(EffectID)
  /// A transfer has ended, but the app has not been notified yet.
  case transferOver(EffectID)
  /// The transfer service has forgotten a transfer: the app was notified, or has cancelled it.
  case transferGone(EffectID)
  case diskUse(Int64)
}

/// The state of an app.
public enum DeviceLife: Hashable, Sendable {
  case inFront
  /// In the background, and running until the instant (BT1, BT2).
  case behind(until: Instant)
  /// In memory, but not running.
  case asleep
  /// Not in memory; the transfer service can launch it again (FQ4).
  case gone
  /// Swiped away: only the user can launch it again (FQ1).
  case forceQuit
}
