import CEL
public import PipelineCore
import PipelineEngine
import PipelineScenarios

/// A trace as NDJSON: one JSON object per event.
///
/// Each has `t`, seconds after the start; `at`, the same time in UTC; `event`, what happened; and, if they apply, `item` (its
/// number from 1), `step`, `generation` and `attempt`. `docs/simulation.md` lists the members of each event.
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
    let (name, members) = content(event.fact)
    let head: Members = [
      ("t", .seconds(event.at - start)), ("at", .string("\(event.at)")), ("event", .string(name)),
    ]
    return Value.object(head + members).jsonText()
  }

  private func content(_ fact: TraceEvent.Fact) -> (name: String, Members) {
    switch fact {
    case .processBegan(let resumed): ("process-began", [("resumed", .bool(resumed))])
    case .processEnded: ("process-ended", [])
    case .sent(let exchange):
      (
        "sent",
        place(
          exchange.id, ("purpose", .string(exchange.purpose.rawValue)),
          ("method", .string(exchange.request.method)), ("url", .string(exchange.request.url)),
          ("bytes", .int(exchange.bodySize)))
      )
    case .odd(let id, let oddity): ("odd", place(id, ("what", .string(oddity.rawValue))))
    case .answered(let id, let response):
      (
        "answered",
        place(id, ("status", .number(response.status)))
          + (response.error.map { [("error", .string($0.kind.rawValue))] } ?? [])
      )
    case .interrupted(let id): ("interrupted", place(id))
    case .transferQueued(let id, let bytes): ("transfer-queued", place(id, ("bytes", .int(bytes))))
    case .asked(let id, let renewal):
      ("transfer-asks", place(id, ("renewal", .string(renewal.rawValue))))
    case .renewed(let id, let isAnew): ("transfer-renewed", place(id, ("anew", .bool(isAnew))))
    case .wrote(let id, let file): ("wrote", place(id, ("bytes", .int(file.size))))
    case .writeFailed(let id, let failure):
      ("write-failed", place(id, ("reason", .string(failure.message))))
    case .concluded(let id, let verdict):
      ("concluded", place(id, ("verdict", .string(Self.word(verdict)))))
    case .reissued(let id, let cause):
      ("reissued", place(id, ("cause", .string(Tally.cause(of: cause)))))
    case .itemLeft(let key, let status, let reason):
      (
        "item-left",
        item(key) + [("status", .string(status.word))]
          + (reason.map { [("reason", .string($0.message))] } ?? [])
      )
    case .blocked(let key, let blocker):
      (
        "blocked",
        item(key) + [
          ("on", .string(Tally.Stall(blocker).rawValue)),
          ("for", .string(TraceText(pipeline, from: start).text(blocker))),
        ]
      )
    case .allowance(.granted(let until)):
      ("allowance-granted", until.map { [("until", .seconds($0 - start))] } ?? [])
    case .allowance(.expiring): ("allowance-expiring", [])
    case .suspended(let transfers): ("suspended", [("transfers", .number(transfers))])
    case .device(let fact): content(fact)
    case .clockChanged(let step): ("clock-changed", [("by", .seconds(step))])
    case .deviceRestarted: ("device-restarted", [])
    case .ended(let outcome): ("ended", [("outcome", .string(TraceText.word(outcome)))])
    }
  }

  private func content(_ fact: DeviceFact) -> (name: String, Members) {
    switch fact {
    case .life(let life): ("app", [("state", .string(Timeline.Life(life).rawValue))])
    case .conditions(let conditions):
      (
        "conditions",
        [
          ("network", .string(conditions.network.rawValue)),
          ("bandwidth", .int(conditions.bandwidth)), ("power", .bool(conditions.hasPower)),
          ("battery", .double(conditions.battery)), ("expensive", .bool(conditions.isExpensive)),
          ("constrained", .bool(conditions.isConstrained)),
          ("low_power_mode", .bool(conditions.isLowPowerMode)),
          ("locked", .bool(conditions.isLocked)),
        ]
      )
    case .woken(let delay): ("woken", [("delay", .seconds(delay))])
    case .transferHeld(let id, let hold): ("transfer-held", place(id, ("rule", .string(hold.rule))))
    case .transferMoves(let id): ("transfer-moves", place(id))
    case .transferSent(let id): ("transfer-sent", place(id))
    case .transferOver(let id): ("transfer-over", place(id))
    case .transferGone(let id): ("transfer-gone", place(id))
    case .diskUse(let bytes): ("disk", [("bytes", .int(bytes))])
    }
  }

  private func item(_ key: ItemKey?) -> Members {
    key.map { [("item", .number($0.ordinal + 1))] } ?? []
  }

  private func place(_ id: EffectID, _ details: (String, Value)...) -> Members {
    let target: Members =
      switch id.target {
      case .step(let step, let generation):
        [("step", .string(pipeline.steps[step].id.rawValue)), ("generation", .number(generation))]
      case .compensation: [("compensation", true)]
      }
    let part: Members = id.item?.part.map { [("part", .number($0.number + 1))] } ?? []
    return item(id.item) + part + target + [("attempt", .number(id.attempt))] + details
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
