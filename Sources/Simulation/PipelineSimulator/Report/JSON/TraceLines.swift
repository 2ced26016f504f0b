import CEL
public import PipelineCore
import PipelineEngine
import PipelineScenarios

/// A trace as NDJSON: one JSON object per event.
///
/// Each has `t`, seconds after the start; `at`, the same time in UTC; `event`, what happened; and,
/// if they apply, `item` (its number from 1), `step`, `generation` and `attempt`. Further members
/// depend on the event; `docs/simulation.md` lists them.
public struct TraceLines: Sendable {
  private let pipeline: Pipeline
  private let start: Instant

  /// Creates a writer for traces of a simulation of `pipeline` that began at `start`.
  public init(_ pipeline: Pipeline, from start: Instant) {
    (self.pipeline, self.start) = (pipeline, start)
  }

  /// All events, one per line.
  public func render(_ trace: Trace) -> String { trace.events.map { line($0) + "\n" }.joined() }

  private typealias Members = [(String, Value)]

  private func line(_ event: TraceEvent) -> String {
    let time: Members = [
      ("t", .double((event.at - start).seconds)), ("at", .string("\(event.at)")),
    ]
    return Value.map(MapValue(time + members(event.fact))).jsonText()
  }

  private func members(_ fact: TraceEvent.Fact) -> Members {
    switch fact {
    case .processBegan(let resumed): [named("process-began"), ("resumed", .bool(resumed))]
    case .processEnded: [named("process-ended")]
    case .sent(let exchange):
      [named("sent")] + place(exchange.id) + [
        ("purpose", .string(exchange.purpose.rawValue)),
        ("method", .string(exchange.request.method)), ("url", .string(exchange.request.url)),
        ("bytes", .int(exchange.bodySize)),
      ]
    case .odd(let id, let oddity):
      [named("odd")] + place(id) + [("what", .string(oddity.rawValue))]
    case .answered(let id, let response):
      [named("answered")] + place(id) + [("status", .int(Int64(response.status)))]
        + (response.error.map { [("error", .string($0.kind.rawValue))] } ?? [])
    case .interrupted(let id): [named("interrupted")] + place(id)
    case .transferQueued(let id, let bytes):
      [named("transfer-queued")] + place(id) + [("bytes", .int(bytes))]
    case .asked(let id, let renewal):
      [named("transfer-asks")] + place(id) + [("renewal", .string(renewal.rawValue))]
    case .renewed(let id, let isAnew):
      [named("transfer-renewed")] + place(id) + [("anew", .bool(isAnew))]
    case .wrote(let id, let file): [named("wrote")] + place(id) + [("bytes", .int(file.size))]
    case .writeFailed(let id, let failure):
      [named("write-failed")] + place(id) + [("reason", .string(failure.message))]
    case .concluded(let id, let verdict):
      [named("concluded")] + place(id) + [("verdict", .string(Self.word(verdict)))]
    case .reissued(let id, let cause):
      [named("reissued")] + place(id) + [("cause", .string(Tally.cause(of: cause)))]
    case .itemLeft(let key, let status, let reason):
      [named("item-left"), item(key), ("status", .string(status.word))]
        + (reason.map { [("reason", .string($0.message))] } ?? [])
    case .blocked(let key, let blocker):
      [named("blocked")] + (key.map { [item($0)] } ?? []) + [
        ("on", .string(Tally.Stall(blocker).rawValue)),
        ("for", .string(TraceText(pipeline, from: start).text(blocker))),
      ]
    case .allowance(let change): members(change)
    case .suspended(let transfers): [named("suspended"), ("transfers", .int(Int64(transfers)))]
    case .device(let fact): members(fact)
    case .clockChanged(let step): [named("clock-changed"), ("by", .double(step.seconds))]
    case .deviceRestarted: [named("device-restarted")]
    case .ended(let outcome): [named("ended"), ("outcome", .string(TraceText.word(outcome)))]
    }
  }

  private func members(_ change: DeviceChange) -> Members {
    switch change {
    case .granted(let until):
      [named("allowance-granted")]
        + (until.map { [("until", .double(($0 - start).seconds))] } ?? [])
    case .expiring: [named("allowance-expiring")]
    }
  }

  private func members(_ fact: DeviceFact) -> Members {
    switch fact {
    case .life(let life): [named("app"), ("state", .string(Timeline.Life(life).rawValue))]
    case .conditions(let conditions):
      [
        named("conditions"), ("network", .string(conditions.network.rawValue)),
        ("bandwidth", .int(conditions.bandwidth)), ("power", .bool(conditions.hasPower)),
        ("battery", .double(conditions.battery)), ("expensive", .bool(conditions.isExpensive)),
        ("constrained", .bool(conditions.isConstrained)),
        ("low_power_mode", .bool(conditions.isLowPowerMode)),
        ("locked", .bool(conditions.isLocked)),
      ]
    case .woken(let delay): [named("woken"), ("delay", .double(delay.seconds))]
    case .transferHeld(let id, let hold):
      [named("transfer-held")] + place(id) + [("rule", .string(hold.rule))]
    case .transferMoves(let id): [named("transfer-moves")] + place(id)
    case .transferSent(let id): [named("transfer-sent")] + place(id)
    case .transferOver(let id): [named("transfer-over")] + place(id)
    case .transferGone(let id): [named("transfer-gone")] + place(id)
    case .diskUse(let bytes): [named("disk"), ("bytes", .int(bytes))]
    }
  }

  private func named(_ name: String) -> (String, Value) { ("event", .string(name)) }
  private func item(_ key: ItemKey) -> (String, Value) { ("item", .int(Int64(key.ordinal + 1))) }

  private func place(_ id: EffectID) -> Members {
    let target: Members =
      switch id.target {
      case .step(let step, let generation):
        [
          ("step", .string(pipeline.steps[step].id.rawValue)),
          ("generation", .int(Int64(generation))),
        ]
      case .compensation: [("compensation", true)]
      }
    let part = id.item?.part.map { [("part", .int(Int64($0.number + 1)))] as Members } ?? []
    return (id.item.map { [item($0)] } ?? []) + part + target + [
      ("attempt", .int(Int64(id.attempt)))
    ]
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
