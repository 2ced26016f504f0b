/// A trace as NDJSON: one JSON object per event.
///
/// Each has `t`, seconds after the start; `at`, the same time in UTC; `event`, what happened; and,
/// if they apply, `item` (its number from 1), `step`, `generation` and `attempt`. Further members
/// depend on the event; `docs/simulation.md` lists them.
public struct TraceLines: Sendable {
  private let pipeline: Pipeline
  private let start: Instant

  /// Creates a writer for traces of a simulation of `pipeline` that started at `start`.
  public init(_ pipeline: Pipeline, from start: Instant) {
    (self.pipeline, self.start) = (pipeline, start)
  }

  /// All events, one per line.
  public func render(_ trace: Trace) -> String { trace.events.map { line($0) + "\n" }.joined() }

  private func line(_ event: TraceEvent) -> String {
    let (name, values) = content(event.fact)
    guard let form = Self.formsByName[name] else { preconditionFailure("'\(name)' has no form") }
    let time: [Value?] = [.double((event.at - start).seconds), .string("\(event.at)")]
    precondition(form.members.count == time.count + values.count, "'\(name)' has other members")
    var members = zip(form.members, time + values).compactMap { member, value in
      value.map { (member.name, $0) }
    }
    members.insert(("event", .string(name)), at: time.count)
    return Value.map(MapValue(members)).jsonText()
  }

  /// The name of an event, and the values of the members that its form declares after the time.
  private func content(_ fact: TraceEvent.Fact) -> (name: String, values: [Value?]) {
    switch fact {
    case .processBegan(let resumed): ("process-began", [.bool(resumed)])
    case .processEnded: ("process-ended", [])
    case .sent(let exchange):
      (
        "sent",
        place(exchange.id) + [
          .string(exchange.purpose.rawValue), .string(exchange.request.method),
          .string(exchange.request.url), .int(exchange.bodySize),
        ]
      )
    case .odd(let id, let oddity): ("odd", place(id) + [.string(oddity.rawValue)])
    case .answered(let id, let response):
      (
        "answered",
        place(id) + [
          .int(Int64(response.status)), response.error.map { .string($0.kind.rawValue) },
        ]
      )
    case .interrupted(let id): ("interrupted", place(id))
    case .transferQueued(let id, let bytes): ("transfer-queued", place(id) + [.int(bytes)])
    case .asked(let id, let renewal): ("transfer-asks", place(id) + [.string(renewal.rawValue)])
    case .renewed(let id, let isAnew): ("transfer-renewed", place(id) + [.bool(isAnew)])
    case .wrote(let id, let file): ("wrote", place(id) + [.int(file.size)])
    case .writeFailed(let id, let failure): ("write-failed", place(id) + [.string(failure.message)])
    case .concluded(let id, let verdict): ("concluded", place(id) + [.string(Self.word(verdict))])
    case .reissued(let id, let cause): ("reissued", place(id) + [.string(Tally.cause(of: cause))])
    case .itemLeft(let key, let status, let reason):
      ("item-left", [number(key), .string(status.word), reason.map { .string($0.message) }])
    case .blocked(let key, let blocker):
      (
        "blocked",
        [
          key.map(number), .string(Tally.Stall(blocker).rawValue),
          .string(TraceText(pipeline, from: start).text(blocker)),
        ]
      )
    case .allowance(.granted(let until)):
      ("allowance-granted", [until.map { .double(($0 - start).seconds) }])
    case .allowance(.expiring): ("allowance-expiring", [])
    case .suspended(let transfers): ("suspended", [.int(Int64(transfers))])
    case .device(let fact): content(fact)
    case .clockChanged(let step): ("clock-changed", [.double(step.seconds)])
    case .deviceRestarted: ("device-restarted", [])
    case .ended(let outcome): ("ended", [.string(TraceText.word(outcome))])
    }
  }

  private func content(_ fact: DeviceFact) -> (name: String, values: [Value?]) {
    switch fact {
    case .life(let life): ("app", [.string(Timeline.Life(life).rawValue)])
    case .conditions(let conditions):
      (
        "conditions",
        [
          .string(conditions.network.rawValue), .int(conditions.bandwidth),
          .bool(conditions.hasPower), .double(conditions.battery), .bool(conditions.isExpensive),
          .bool(conditions.isConstrained), .bool(conditions.isLowPowerMode),
          .bool(conditions.isLocked),
        ]
      )
    case .woken(let delay): ("woken", [.double(delay.seconds)])
    case .transferHeld(let id, let hold): ("transfer-held", place(id) + [.string(hold.rule)])
    case .transferMoves(let id): ("transfer-moves", place(id))
    case .transferSent(let id): ("transfer-sent", place(id))
    case .transferOver(let id): ("transfer-over", place(id))
    case .transferGone(let id): ("transfer-gone", place(id))
    case .diskUse(let bytes): ("disk", [.int(bytes)])
    }
  }

  private func number(_ key: ItemKey) -> Value { .int(Int64(key.ordinal + 1)) }

  private func place(_ id: EffectID) -> [Value?] {
    let item = [id.item.map(number), id.item?.part.map { .int(Int64($0.number + 1)) }]
    let attempt = Value.int(Int64(id.attempt))
    return switch id.target {
    case .step(let step, let generation):
      item + [.string(pipeline.steps[step].id.rawValue), .int(Int64(generation)), nil, attempt]
    case .compensation: item + [nil, nil, true, attempt]
    }
  }

  private static func word(_ verdict: Verdict) -> String {
    switch verdict {
    case .success: "success"
    case .results: "results"
    case .retry: "retry"
    case .expired: "expired"
    case .fail: "fail"
    case .pause: "pause"
    case .pauseRun: "pause-run"
    case .unknown: "unknown"
    case .stale: "stale"
    case .unavailable(let resource, _): "no-\(resource.rawValue)"
    case .uncertain(let answered): word(answered)
    case .poll: "poll"
    case .interrupted: "interrupted"
    case .notDone: "not-done"
    case .itemDone: "item-done"
    case .itemSkipped: "item-skipped"
    }
  }
}
