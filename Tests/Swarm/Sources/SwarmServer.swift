import Basics
import PipelineCore
import PipelineScenarios
import PipelineSimulator

/// A server with a network on which more can go wrong than on a server by itself: spans without a network, no
/// descriptors, responses that contradict the effect, and requests that are carried out late.
struct SwarmServer: SimulatedServer {
  private(set) var model: ModelServer
  private(set) var coverageMarks: [CoverageMark: Int] = [:]
  private let pipeline: Pipeline
  private var faults: SwarmPlan.WayFaults
  private var draws: Draws
  private var start: Instant?
  /// Requests that are no longer awaited, and will be carried out.
  private var underWay: [(due: Instant, exchange: SimulatedRequest, command: Command)] = []

  private let bug: PlantedBug?
  private var attempts: Set<Attempt> = []
  /// Attempts that sent their request more than once: only the machine repeats one (invariant 12).
  private(set) var violations: [String] = []

  private struct Attempt: Hashable {
    let id: EffectID
    let purpose: SimulatedRequest.Purpose
    let request: RenderedRequest
  }

  init(_ model: ModelServer, _ plan: SwarmPlan, _ tape: DrawTape?, bug: PlantedBug?) {
    self.model = model
    self.bug = bug
    pipeline = plan.pipeline
    faults = plan.way
    draws = Draws(seed: plan.seed ^ 0x5345_5256_4552, tape: tape)
  }

  var journal: ServerJournal { model.journal }

  /// From now on nothing goes wrong.
  mutating func calm() {
    faults = SwarmPlan.WayFaults()
    model.model.faults = .none
    model.model.lifetimes = [:]
    model.model.latency = .constant(0.1)
  }

  mutating func jumpClock(by step: Duration) { model.model.clockSkew += step }

  private mutating func mark(_ sighting: CoverageMark) { coverageMarks[sighting, default: 0] += 1 }

  mutating func respond(to exchange: SimulatedRequest, for command: Command) -> SimulatedResponse {
    let first = deliver(exchange, for: command)
    guard bug == .transportRestarts, first.failure?.mayHaveBeenSent == true else { return first }
    return deliver(exchange, for: command)
  }

  private mutating func deliver(
    _ exchange: SimulatedRequest, for command: Command
  ) -> SimulatedResponse {
    let attempt = Attempt(id: exchange.id, purpose: exchange.purpose, request: exchange.request)
    // After a crash, a compensation is sent again under its fence.
    if !exchange.isRedirected, exchange.purpose != .abandon, !attempts.insert(attempt).inserted {
      violations.append("\(exchange.id) sent its request again, which no one counted")
    }
    let begin = start ?? exchange.at
    start = begin
    carryOut(before: exchange.at)
    if let failure = unreachable(exchange.at - begin) { return SimulatedResponse(failure: failure) }
    if let full = faults.full, full.contains((exchange.at - begin).milliseconds / 1000),
      exchange.purpose == .attempt, let step = pipeline.step(of: exchange.id),
      exchange.file != nil || step.effect == .create
    {
      mark(.full)
      return SimulatedResponse(status: 507)
    }
    if let delay = lateness(of: exchange), draws.flip(faults.late, "carried out late") {
      mark(.carriedOutLate)
      underWay.append((exchange.at + delay, exchange, command))
      return SimulatedResponse(latency: exchange.request.timeout + .seconds(1))
    }
    if draws.flip(faults.endlessWish, "endless Retry-After") {
      mark(.endlessWish)
      return SimulatedResponse(
        status: 503,
        headers: [.init(name: "Retry-After", value: "Fri, 31 Dec 9999 23:59:59 GMT")])
    }
    if exchange.purpose == .abandon, draws.flip(faults.refusedCompensation, "compensation refused")
    {
      mark(.compensationRefused)
      return SimulatedResponse(status: draws.pick([403, 500, 503], "refusal of a compensation"))
    }
    let commits = journal.commits.count
    let response = model.respond(to: exchange, for: command)
    guard journal.commits.count > commits, response.failure == nil else { return response }
    if !command.scope.members.isEmpty, faults.lostBatch > 0,
      draws.flip(faults.lostBatch, "response to a batch lost")
    {
      return SimulatedResponse(
        failure: TransportFailure(
          .connectionLost, message: "the response was lost", mayHaveBeenSent: true))
    }
    guard draws.flip(faults.misreported, "contradicting response") else { return response }
    mark(.misreported)
    return misreport(response, to: exchange.id)
  }

  private mutating func carryOut(before now: Instant) {
    let over = underWay.filter { $0.due <= now }.sorted { $0.due < $1.due }
    underWay.removeAll { $0.due <= now }
    for (due, exchange, command) in over {
      let late = SimulatedRequest(
        id: exchange.id, purpose: exchange.purpose, request: exchange.request, file: exchange.file,
        body: exchange.body, at: due)
      _ = model.respond(to: late, for: command)
    }
  }

  private mutating func unreachable(_ time: Duration) -> TransportFailure? {
    if faults.offline.contains(where: { $0.contains(time.milliseconds / 1000) }) {
      mark(.offline)
      return TransportFailure(
        .networkUnavailable, message: "there is no network", mayHaveBeenSent: false)
    }
    guard draws.flip(faults.descriptors, "no descriptor") else { return nil }
    mark(.outOfDescriptors)
    return TransportFailure(
      .tooManyOpenFiles, message: "no descriptor is left", mayHaveBeenSent: false)
  }

  /// How much later than it was sent a request can be carried out; `nil` where nothing makes the step safe against that.
  private mutating func lateness(of exchange: SimulatedRequest) -> Duration? {
    guard exchange.purpose == .attempt, exchange.file == nil,
      let step = pipeline.step(of: exchange.id), step.effect == .create
    else { return nil }
    // A server that is at work on a request refuses none that shows the same key later: the answer is the first one's.
    let most = step.keyPlace == nil ? step.probe?.until ?? .zero : .seconds(600)
    // From the sending on: a process that is killed then asks from then on.
    guard most > .zero else { return nil }
    return .milliseconds(
      draws.draw("lateness") { Int64(Double(most.milliseconds) * $0.nextFraction() * 0.99) })
  }

  private mutating func misreport(
    _ response: SimulatedResponse, to id: EffectID
  ) -> SimulatedResponse {
    var other = SimulatedResponse(latency: response.latency)
    let statuses = [
      200, 400, 401, 403, 404, 408, 409, 410, 425, 429, 500, 501, 502, 503, 504,
      507,
    ]
    other.status = draws.pick(statuses, "which contradicting response")
    // A pipeline that treats 404 and 410 as "not done" relies on that: a wrong report causes duplicates.
    if [404, 410].contains(other.status), let step = pipeline.step(of: id), step.effect == .create,
      step.matchers.contains(where: { if case .expired = $0.outcome { true } else { false } })
    {
      other.status = 503
    }
    other.body = Array("<html>".utf8)
    if other.status == 429 { other.headers.append(.init(name: "Retry-After", value: "7")) }
    return other
  }
}
