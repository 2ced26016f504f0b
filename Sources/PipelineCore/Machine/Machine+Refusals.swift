import CEL

/// Refusals that concern the whole run, such as a wrong password or a full account: after several items in a row, the run
/// waits for a person before each of its items gets the same response.
extension Machine {
  /// Items that a step refused one after the other, with the same status.
  struct Refusals: Hashable {
    let step: Int
    let status: Int?
    let lack: Lack?
    var items: Set<ItemKey> = []
  }

  /// Counts a refusal; returns why the run must pause, if it must.
  mutating func countRefusal(of id: EffectID, _ verdict: Verdict) -> Failure? {
    guard let step = id.step, let key = id.item?.whole, pipeline.budgets.refusals > 0 else {
      return nil
    }
    if verdict.tookEffect {
      if refusals?.step == step { refusals = nil }
      return nil
    }
    guard let failure = verdict.refusal else { return nil }
    let lack = lack(failure, at: step)
    guard lack != nil || failure.isRefusal(withCredentials: hasCredentials(step)) else {
      return nil
    }
    let status = failure.status
    if refusals?.step != step || refusals?.status != status || refusals?.lack != lack {
      refusals = Refusals(step: step, status: status, lack: lack)
    }
    refusals?.items.insert(key)
    guard let count = refusals?.items.count, count >= pipeline.budgets.refusals else { return nil }
    return failure.saying(
      "\(count) \(count == 1 ? "item was" : "items in a row were") refused in the same way: "
        + "\(failure.message); correct the cause, then `pipeline retry` continues with them",
      lacking: lack ?? failure.lacking)
  }

  /// Whether the request contains something that the user supplied to authorize it.
  func hasCredentials(_ step: Int) -> Bool {
    guard let request = pipeline.steps[step].action.request else { return false }
    return request.authorization != nil
      || request.expressions.flatMap(\.compiled.references).contains {
        $0.variable.hasPrefix("inputs.") && pipeline.secretNames.contains($0.variable)
      }
  }

  /// Pauses the run because of a response to an item's request; what is in flight ends.
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

  /// Why the server did not do what it was asked to do.
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
  /// Whether the server refuses what it was asked for a reason that concerns other items as well.
  public func isRefusal(withCredentials: Bool) -> Bool {
    switch status {
    case 401, 403: withCredentials || isOfQuota
    case 402, 507: true
    case nil: false
    case let status?: status >= 400 && isOfQuota
    }
  }

  private var isOfQuota: Bool {
    let text = message.lowercased()
    return ["quota", "storage full", "insufficient storage", "not enough space", "no space left"]
      .contains { text.contains($0) }
  }
}
