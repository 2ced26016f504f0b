/// What the responses so far show of hosts.
struct Hosts: Hashable, Sendable {
  /// Whether a host has responded in this run, according to the state.
  var wasAnswered: Bool
  /// By how much refusals outnumber other responses, by loop and host; only of hosts that refuse.
  var refusing: [Int: [String: Int]] = [:]
  /// The last refusals that may concern the whole run.
  var refusals: Refusals?
  /// The last items that used up their attempts at a host that refuses most requests.
  var outage: Refusals?

  init(_ state: RunState) {
    wasAnswered =
      state.pace != Pace() || !state.clocks.isEmpty || state.frame.contains { !$0.statuses.isEmpty }
  }

  /// Whether a host refuses most requests of the loop's items, so that no item starts while others are tried.
  func isRefused(_ loop: Int) -> Bool {
    refusing[loop]?.values.contains { $0 >= HostPause.refusingScore } ?? false
  }

  /// Counts a response to a request of the loop's items; returns whether the host may have recovered.
  mutating func record(_ name: String, of loop: Int, isRefused: Bool) -> Bool {
    let known = refusing[loop]?[name]
    guard known != nil || isRefused && (refusing[loop]?.count ?? 0) < 64 else { return false }
    let score = (known ?? 0) + (isRefused ? 1 : -1)
    refusing[loop, default: [:]][name] = score > 0 ? min(score, HostPause.highestScore) : nil
    if refusing[loop]?.isEmpty == true { refusing[loop] = nil }
    return !isRefused
  }

  /// Counts an item in a row of refusals, which pauses the run if it is long enough.
  mutating func count(
    _ refusal: Refusals, of key: ItemKey, _ failure: Failure,
    in row: WritableKeyPath<Self, Refusals?>, limit: Int, after patience: Duration = .zero,
    at now: Instant
  ) {
    guard limit > 0 else { return }
    var refusals = self[keyPath: row].flatMap { $0.isLike(refusal) ? $0 : nil } ?? refusal
    refusals.items.insert(key.whole)
    let count = refusals.items.count
    if count >= limit, now - refusals.since >= patience {
      refusals.reason = failure.saying(
        "\(count) \(count == 1 ? "item was" : "items in a row were") refused in the same way: "
          + "\(failure.message); correct the cause before the run continues",
        lacking: refusal.lack ?? failure.lacking)
    }
    self[keyPath: row] = refusals
  }

  /// A request of the step took effect, so the row of its refusals ends.
  mutating func endRefusals(of step: Int) {
    if refusals?.step == step { refusals = nil }
    if outage?.step == step { outage = nil }
  }

  /// Why the run must pause, if so; reading it clears it.
  mutating func takeReason() -> Failure? {
    guard let reason = refusals?.reason ?? outage?.reason else { return nil }
    refusals?.reason = nil
    outage?.reason = nil
    return reason
  }
}

/// Consecutive items that a step refused, with the same status.
struct Refusals: Hashable, Sendable {
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

  func isLike(_ other: Self) -> Bool {
    step == other.step && status == other.status && lack == other.lack
  }
}
