import CEL

/// Refusals that concern the whole run, such as a wrong password or a full account: after several items in a row, the run
/// waits for the user before each of its items gets the same response.
extension Machine {
  /// Counts a refusal, or ends the row of them.
  mutating func countRefusal(of id: EffectID, _ verdict: Verdict, at now: Instant) {
    guard let step = id.step else { return }
    if verdict.tookEffect {
      hosts.endRefusals(of: step)
    } else if let failure = verdict.refusal {
      let lack = limits.lack(failure, at: step, in: pipeline)
      guard lack != nil || failure.isRefusal(withCredentials: pipeline.hasCredentials(step)),
        let key = id.item
      else { return }
      let refusal = Refusals(step: step, status: failure.status, lack: lack, since: now)
      hosts.count(
        refusal, of: key, failure, in: \.refusals, limit: pipeline.budgets.refusals, at: now)
    }
  }

  /// Counts an item that used up its attempts at a host that refuses most requests: if none succeeds for an hour, the others
  /// would do the same, in turn, for days.
  mutating func countExhaustion(of place: StepPlace, _ failure: Failure, at now: Instant) {
    guard let key = place.key, hosts.isRefused(key.loop), failure.isOfHost else { return }
    // A server that is down may respond with 500, with 503 or not at all: it is one outage.
    let refusal = Refusals(step: place.step, status: nil, lack: nil, since: now)
    hosts.count(
      refusal, of: key, failure, in: \.outage, limit: pipeline.budgets.refusals,
      after: Refusals.patience, at: now)
  }

  /// Pauses the run if the responses to its items' requests require it; commands in flight end.
  mutating func haltIfRefused(at now: Instant) {
    guard let reason = hosts.takeReason() else { return }
    haltRefused(reason, at: now)
  }

  mutating func haltRefused(_ reason: Failure, at now: Instant) {
    guard state.status == .running else { return }
    halt(reason, at: now)
    waiting.blockers[nil] = .stopped
  }
}

extension Verdict {
  fileprivate var tookEffect: Bool {
    switch self {
    case .success, .results, .itemDone: true
    case .retry, .expired, .fail, .pause, .pauseRun, .unknown, .uncertain, .unavailable, .poll,
      .stale, .interrupted, .notDone, .itemSkipped:
      false
    }
  }

  /// Why the server did not fulfill the request.
  fileprivate var refusal: Failure? {
    switch self {
    case .retry(let failure, _, _), .fail(let failure), .pause(let failure), .unknown(let failure):
      failure
    case .uncertain(let verdict): verdict.refusal
    case .success, .results, .expired, .pauseRun, .unavailable, .poll, .stale, .interrupted,
      .notDone, .itemDone, .itemSkipped:
      nil
    }
  }
}

extension Failure {
  /// Whether the server refuses the request for a reason that concerns other items as well.
  public func isRefusal(withCredentials: Bool) -> Bool {
    switch status {
    case 401, 403: withCredentials || isOfQuota
    case 402, 507: true
    // A quota of requests is a wait that the server ends, not the user.
    case 429, nil: false
    case let status?: status >= 400 && isOfQuota
    }
  }

  private var isOfQuota: Bool {
    // What follows the name of the step, in letters only: "insufficient_space", "insufficientSpace".
    let name = message.hasPrefix("step '") ? message.firstRange(of: "': ") : nil
    let words = message[(name?.upperBound ?? message.startIndex)...]
    let text = words.lowercased().filter(\.isLetter).replacing("quotation", with: "")
    return [
      "quota", "storagefull", "diskfull", "insufficientstorage", "insufficientspace",
      "notenoughspace", "nospaceleft", "storagelimit", "storagecap", "capexceeded",
    ].contains { text.contains($0) }
  }
}
