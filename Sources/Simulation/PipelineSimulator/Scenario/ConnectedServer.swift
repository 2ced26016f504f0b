/// A server on the scenario's network, whose latency, bandwidth and loss requests have.
///
/// The transfer service handles how transfers wait and how fast their bytes move.
struct ConnectedServer: SimulatedServer {
  private(set) var server: ModelServer
  /// The requests that reached the server with its responses, for an observer to collect.
  private(set) var observed: [ObservedExchange] = []
  let isWatched: Bool
  private let start: Instant
  private let conditions: [(after: Duration, ScenarioConditions)]
  private var place = 0
  private var random: SplitMix64

  /// A request that reached the server.
  struct ObservedExchange: Sendable {
    let request: SimulatedRequest
    let status: Int
    let isLost: Bool
    /// Whether it took effect, and is not a replay of an earlier response.
    let isCommitted: Bool
    let isDuplicate: Bool
  }

  init(
    _ server: ModelServer, _ schedule: LifeSchedule, from start: Instant, isWatched: Bool,
    seed: UInt64
  ) {
    (self.server, self.start, self.isWatched) = (server, start, isWatched)
    conditions = schedule.conditions
    random = SplitMix64(seed: seed ^ 0x6e65_7477_6f72_6b01)
  }

  mutating func takeObserved() -> [ObservedExchange] {
    defer { observed = [] }
    return observed
  }

  mutating func respond(to exchange: SimulatedRequest, for command: Command) -> SimulatedResponse {
    let isTransfer = exchange.file != nil
    let now = exchange.at - start
    while place + 1 < conditions.count, conditions[place + 1].after <= now { place += 1 }
    let way = conditions[place].1
    guard way.network != ScenarioConditions.Network.none else {
      return SimulatedResponse(
        failure: TransportFailure(
          .networkUnavailable, message: "there is no network", mayHaveBeenSent: false))
    }
    let bandwidth = way.bandwidth ?? DeviceConditions().bandwidth
    var latency = way.latency ?? .zero
    if !isTransfer, bandwidth > 0 {
      latency += .clamped(milliseconds: Double(exchange.bodySize) / Double(bandwidth) * 1000)
    }
    var breaks = false
    if let loss = way.loss, loss > 0 { breaks = Double.random(in: 0..<1, using: &random) < loss }
    if breaks, Bool.random(using: &random) {
      return Self.broken(after: latency, mayHaveBeenSent: true)
    }
    let known = server.journal.deliveries.count
    var response = server.respond(to: exchange, for: command)
    response.latency += latency
    let gone = outage(before: now + response.latency)
    if isWatched {
      for delivery in server.journal.deliveries[known...] {
        observe(exchange, delivery, response, isLost: breaks || gone != nil)
      }
    }
    guard breaks || gone != nil else { return response }
    var broken = Self.broken(
      after: gone.map { $0 - now } ?? response.latency, mayHaveBeenSent: true)
    broken.oddities = response.oddities
    return broken
  }

  private mutating func observe(
    _ exchange: SimulatedRequest, _ delivery: ServerJournal.Delivery, _ response: SimulatedResponse,
    isLost: Bool
  ) {
    let status: Int
    var isCommitted = false
    switch delivery.outcome {
    case .lost: return
    case .serverError: status = 503
    case .throttled: status = 429
    case .refused(let refusal, _): status = refusal
    case .committed, .repeated, .probed, .abandoned:
      // If the response was lost, only the server's success is known.
      status = response.failure == nil ? response.status : 200
      if case .committed = delivery.outcome { isCommitted = true }
    }
    observed.append(
      ObservedExchange(
        request: exchange, status: status, isLost: isLost || delivery.isReplyLost,
        isCommitted: isCommitted, isDuplicate: delivery.isDuplicate))
  }

  private func outage(before end: Duration) -> Duration? {
    conditions.dropFirst(place + 1).prefix { $0.after < end }
      .first { $0.1.network == ScenarioConditions.Network.none }?.after
  }

  private static func broken(after latency: Duration, mayHaveBeenSent: Bool) -> SimulatedResponse {
    SimulatedResponse(
      failure: TransportFailure(
        .connectionLost, message: "the network broke off", mayHaveBeenSent: mayHaveBeenSent),
      latency: latency)
  }
}
