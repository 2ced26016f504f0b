/// Why a frame does not move, with details (every wait has a reason).
public enum Blocker: Hashable, Sendable, Codable {
  /// An attempt is in flight.
  case attempt(step: Int)
  /// A probe is in flight.
  case probe(step: Int)
  /// A compensation is in flight, or (with an instant) waits for its back-off until then.
  case compensation(until: Instant? = nil)
  /// Back-off, `Retry-After` or a poll's interval.
  case delay(step: Int, until: Instant)
  /// A transfer that must not start before the instant.
  case earliest(step: Int, until: Instant)
  /// A due item waits for one of the loop's places.
  case concurrency(limit: Int)
  /// The disk budget is used up.
  case disk(step: Int, needed: Int64, available: Int64)
  /// All transfer slots of the budget are in use.
  case transfers(step: Int, limit: Int)
  /// As many requests and transfers are in flight as the process has connections for.
  case connections(step: Int, limit: Int)
  /// The host, or a host of the named rate, asked to stop requests; this one is sent at the instant.
  case host(String, step: Int, until: Instant)
  /// No token of the rate, an index in ``Budgets/rates``, before the instant, for the first that waits.
  case rate(Int, step: Int, until: Instant)
  /// The machine has a shortage, since the first instant; it is tried again at the second.
  case shortage(Resource, step: Int, since: Instant, until: Instant)
  /// A run-level step is being reissued.
  case dependency(step: Int, on: Int)
  /// A transfer in flight waits for a new request, and the run-level step for it is being reissued.
  case renewal(step: Int, on: Int)
  /// Queued for a batch of this many items, which is sent at the instant at the latest, if there is one.
  case batch(step: Int, items: Int, until: Instant?)
  /// A batch that another one of the step must end before.
  case batchUnderWay(step: Int)
  /// Short requests may not run, or not long enough.
  case allowance(step: Int, needed: Duration)
  /// An item waits for its parts, or a part for its item.
  case parts(step: Int)
  /// A loop's items must end first.
  case loop(Int)
  /// A loop's list is being read.
  case enumeration(loop: Int)
  /// The run does not continue by itself: it is paused, cancelled or finished.
  case stopped

  /// The step of the waiting frame; `nil` if something else waits.
  public var step: Int? {
    switch self {
    case .attempt(let step), .probe(let step), .delay(let step, _), .earliest(let step, _),
      .disk(let step, _, _), .transfers(let step, _), .connections(let step, _),
      .host(_, let step, _), .rate(_, let step, _), .shortage(_, let step, _, _),
      .dependency(let step, _),
      .renewal(let step, _), .batch(let step, _, _), .batchUnderWay(let step),
      .allowance(let step, _), .parts(let step):
      step
    case .compensation, .concurrency, .loop, .enumeration, .stopped: nil
    }
  }

  /// The run-level step that must succeed first.
  public var producer: Int? {
    if case .dependency(_, let other) = self { return other }
    if case .renewal(_, let other) = self { return other }
    return nil
  }

  /// When it ends at the latest, or is tried again, if time ends it.
  public var until: Instant? {
    switch self {
    case .delay(_, let until), .earliest(_, let until), .host(_, _, let until),
      .rate(_, _, let until), .shortage(_, _, _, let until):
      until
    case .compensation(let until), .batch(_, _, let until): until
    case .attempt, .probe, .concurrency, .disk, .transfers, .connections, .dependency, .renewal,
      .batchUnderWay, .allowance, .parts, .loop, .enumeration, .stopped:
      nil
    }
  }

  /// What frames are queued for.
  enum Queue: Hashable, Sendable {
    case disk, transfers, connections, allowance, rate, step, moment
    case shortage(Resource)
  }

  var queue: Queue? {
    switch self {
    case .disk: .disk
    case .transfers: .transfers
    case .connections: .connections
    case .allowance: .allowance
    case .rate: .rate
    case .shortage(let resource, _, _, _): .shortage(resource)
    case .dependency, .renewal: .step
    case .delay, .earliest, .compensation, .host: .moment
    case .attempt, .probe, .concurrency, .batch, .batchUnderWay, .parts, .loop, .enumeration,
      .stopped:
      nil
    }
  }
}
