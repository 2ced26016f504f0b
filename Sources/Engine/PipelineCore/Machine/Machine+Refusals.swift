import CEL

/// Refusals that concern the whole run, such as a wrong password or a full account: after several items in a row, the run
/// waits for the user before each of its items gets the same response.
extension Machine {
  /// Consecutive items that a step refused, with the same status.
  struct Refusals: Hashable {
    let step: Int
    /// `nil` for an outage, whose responses may differ.
    let status: Int?
    let lack: Lack?
    let since: Instant
    var items: Set<ItemKey> = []
    /// Why the run must pause.
    var reason: Failure?

    /// How long a host may let all items use up their attempts: one that restarts is back sooner.
    static var patience: Duration { .seconds(3600) }
  }

  /// Counts a refusal, or ends the row of them.
  mutating func countRefusal(of id: EffectID, _ verdict: Verdict, at now: Instant) {
    guard let step = id.step else { return }
    if verdict.tookEffect {
      if refusals?.step == step { refusals = nil }
      if outage?.step == step { outage = nil }
    } else if let failure = verdict.refusal {
      let lack = lack(failure, at: step)
      guard lack != nil || failure.isRefusal(withCredentials: hasCredentials(step)) else { return }
      count(step, failure.status, failure, lack, of: id.item, in: \.refusals, at: now)
    }
  }

  /// Counts an item that used up its attempts at a host that refuses most requests: if none succeeds for an hour, the others
  /// would do the same, in turn, for days.
  mutating func countExhaustion(of place: StepPlace, _ failure: Failure, at now: Instant) {
    guard let key = place.key, isRefused(key.loop), failure.isOfHost else { return }
    // A server that is down may respond with 500, with 503 or not at all: it is one outage.
    count(place.step, nil, failure, nil, of: key, in: \.outage, after: Refusals.patience, at: now)
  }

  private mutating func count(
    _ step: Int, _ status: Int?, _ failure: Failure, _ lack: Lack?, of key: ItemKey?,
    in row: WritableKeyPath<Self, Refusals?>, after patience: Duration = .zero, at now: Instant
  ) {
    guard let key = key?.whole, pipeline.budgets.refusals > 0 else { return }
    let first = Refusals(step: step, status: status, lack: lack, since: now)
    var refusals = self[keyPath: row] ?? first
    if refusals.step != step || refusals.status != status || refusals.lack != lack {
      refusals = first
    }
    refusals.items.insert(key)
    let count = refusals.items.count
    if count >= pipeline.budgets.refusals, now - refusals.since >= patience {
      refusals.reason = failure.saying(
        "\(count) \(count == 1 ? "item was" : "items in a row were") refused in the same way: "
          + "\(failure.message); correct the cause before the run continues",
        lacking: lack ?? failure.lacking)
    }
    self[keyPath: row] = refusals
  }

  /// Whether the request contains something that the user supplied to authorize it.
  func hasCredentials(_ step: Int) -> Bool {
    guard let request = pipeline.steps[step].action.request else { return false }
    return request.authorization != nil
      || request.expressions.flatMap(\.compiled.references).contains {
        $0.variable.hasPrefix("inputs.") && pipeline.secretNames.contains($0.variable)
      }
  }

  /// Pauses the run if the responses to its items' requests require it; commands in flight end.
  mutating func haltIfRefused(at now: Instant) {
    guard let reason = refusals?.reason ?? outage?.reason else { return }
    refusals?.reason = nil
    outage?.reason = nil
    haltRefused(reason, at: now)
  }

  mutating func haltRefused(_ reason: Failure, at now: Instant) {
    guard state.status == .running else { return }
    halt(reason, at: now)
    blockers[nil] = .stopped
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
