/// The clocks of a simulated device: the wall clock, which users can set; the steady clock, which counts from the
/// device's start; and the run's time, which follows both as ``/PipelineCore/TimeAnchor`` describes.
struct DeviceClocks: Sendable {
  /// How far the wall clock is ahead of virtual time.
  private var wallLead = Duration.zero
  private var boot = 1
  /// The last start, in virtual time.
  private var bootedAt: Instant
  /// How far the run's time is ahead of virtual time.
  private(set) var lead = Duration.zero

  init(at now: Instant) { bootedAt = now }
  mutating func change(by step: Duration) { wallLead += step }

  mutating func restart(at now: Instant) {
    boot += 1
    bootedAt = now
  }

  /// The time information that a process receives when it starts to work on a run.
  mutating func anchor(_ state: RunState, at now: Instant) -> TimeAnchor {
    let anchor = TimeAnchor(
      continuing: state, boot: "\(boot)", elapsed: now - bootedAt, wall: now + wallLead)
    lead = anchor.origin - bootedAt
    return anchor
  }
}

extension SimulatedRun {
  /// The time that the engine receives.
  var runTime: Instant { now + clocks.lead }

  /// The virtual time of an instant of the run's time.
  func virtual(_ instant: Instant) -> Instant { instant - clocks.lead }

  /// The verdict with its instants in virtual time.
  func virtual(_ verdict: Verdict) -> Verdict {
    guard clocks.lead != .zero else { return verdict }
    switch verdict {
    case .retry(let failure, let after?, let progressed):
      return .retry(failure, after: virtual(after), progressed: progressed)
    case .poll(let instant?, let status, let words, let slower):
      return .poll(at: virtual(instant), status: status, words: words, slower: slower)
    case .uncertain(let answered): return .uncertain(virtual(answered))
    case .success(var result):
      result.outputs = result.outputs.map { output in
        OutputValue(
          value: output.value, isSecret: output.isSecret, isSealed: output.isSealed,
          expires: output.expires.map(virtual), staleFrom: output.staleFrom.map(virtual),
          slide: output.slide)
      }
      return .success(result)
    case .results, .retry, .expired, .fail, .pause, .pauseRun, .stale, .unknown, .unavailable,
      .poll, .interrupted, .notDone, .itemDone, .itemSkipped:
      return verdict
    }
  }

  /// A response that a port has dated by the run's time.
  func verdict(on response: Response, _ flight: InFlightCommand) -> Verdict {
    interpreter.verdict(on: dated(response), to: flight.operation, of: flight.command)
  }

  /// The response's information about the server's clock, if it refuses a signature;
  /// for ``/PipelineCore/Event/serverTimeRead(_:)``.
  func serverTime(in response: Response, _ flight: InFlightCommand) -> Event? {
    interpreter.serverTime(in: dated(response), to: flight.operation, of: flight.command)
      .map(Event.serverTimeRead)
  }

  private func dated(_ response: Response) -> Response {
    guard clocks.lead != .zero else { return response }
    return Response(
      status: response.status, headers: response.headers, body: response.body, url: response.url,
      error: response.error, sent: response.sent + clocks.lead,
      received: response.received + clocks.lead)
  }
}

extension Blocker {
  /// The same, with its instants shifted by `lead`.
  func moved(by lead: Duration) -> Blocker {
    switch self {
    case .delay(let step, let until): .delay(step: step, until: until + lead)
    case .earliest(let step, let until): .earliest(step: step, until: until + lead)
    case .host(let name, let step, let until): .host(name, step: step, until: until + lead)
    case .rate(let rate, let step, let until): .rate(rate, step: step, until: until + lead)
    case .batch(let step, let items, let until?):
      .batch(step: step, items: items, until: until + lead)
    case .shortage(let resource, let step, let since, let until):
      .shortage(resource, step: step, since: since + lead, until: until + lead)
    case .attempt, .probe, .compensation, .concurrency, .disk, .transfers, .connections,
      .dependency, .batch, .batchUnderWay,
      .allowance, .renewal, .parts, .loop, .enumeration, .stopped:
      self
    }
  }
}
