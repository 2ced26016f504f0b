import PipelineCore
import PipelineDocument

/// A server behind the network of a scenario: what is sent while there is none does not arrive, and
/// latency, bandwidth and loss are those of the moment.
///
/// How transfers wait and how fast their bytes move is the transfer service's business.
struct ConnectedServer: SimulatedServer {
  private(set) var server: ModelServer
  /// What reached the server and what it said, for whoever watches; taken away by it.
  private(set) var heard: [Heard] = []
  /// Whether anybody watches.
  let isWatched: Bool

  private let start: Instant
  private let conditions: [(after: Duration, ScenarioConditions)]
  private var place = 0
  private var random: SplitMix64

  /// A request that reached the server.
  struct Heard: Sendable {
    let exchange: Exchange
    let status: Int
    /// Whether the answer did not arrive.
    let isLost: Bool
    /// Whether it took effect, and is no repetition of an earlier answer.
    let isCommitted: Bool
    /// Whether the network delivered it a second time.
    let isDuplicate: Bool
  }

  init(
    _ server: ModelServer, _ schedule: LifeSchedule, from start: Instant, isWatched: Bool,
    seed: UInt64
  ) {
    self.server = server
    self.start = start
    self.isWatched = isWatched
    conditions = schedule.conditions
    random = SplitMix64(seed: seed ^ 0x6e65_7477_6f72_6b01)
  }

  mutating func takeHeard() -> [Heard] {
    defer { heard = [] }
    return heard
  }

  mutating func reply(to exchange: Exchange, for command: Command) -> Reply {
    let isTransfer = exchange.file != nil
    let now = exchange.at - start
    while place + 1 < conditions.count, conditions[place + 1].after <= now { place += 1 }
    let way = conditions[place].1
    guard way.network != ScenarioConditions.Network.none else {
      return Reply(
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
    var reply = server.reply(to: exchange, for: command)
    reply.latency += latency
    let gone = outage(before: now + reply.latency)
    if isWatched {
      for delivery in server.journal.deliveries[known...] {
        hear(exchange, delivery, reply, isLost: breaks || gone != nil)
      }
    }
    if let gone { return Self.broken(after: gone - now, mayHaveBeenSent: true) }
    return breaks ? Self.broken(after: reply.latency, mayHaveBeenSent: true) : reply
  }

  private mutating func hear(
    _ exchange: Exchange, _ delivery: ServerJournal.Delivery, _ reply: Reply, isLost: Bool
  ) {
    let status: Int
    var isCommitted = false
    switch delivery.outcome {
    case .lost: return
    case .serverError: status = 503
    case .throttled: status = 429
    case .refused(let refusal, _): status = refusal
    case .committed, .repeated, .probed, .abandoned:
      // Of an answer that was lost, the server's success is all that is known.
      status = reply.failure == nil ? reply.status : 200
      if case .committed = delivery.outcome { isCommitted = true }
    }
    heard.append(
      Heard(
        exchange: exchange, status: status, isLost: isLost || delivery.isReplyLost,
        isCommitted: isCommitted, isDuplicate: delivery.isDuplicate))
  }

  /// When the network goes away before `end`.
  private func outage(before end: Duration) -> Duration? {
    var next = place + 1
    while next < conditions.count, conditions[next].after < end {
      if conditions[next].1.network == ScenarioConditions.Network.none {
        return conditions[next].after
      }
      next += 1
    }
    return nil
  }

  private static func broken(after latency: Duration, mayHaveBeenSent: Bool) -> Reply {
    Reply(
      failure: TransportFailure(
        .connectionLost, message: "the network broke off", mayHaveBeenSent: mayHaveBeenSent),
      latency: latency)
  }
}
