import Basics

/// Writes events for the history: one JSON object each, with steps by id and without secrets.
public struct HistoryCoding: Sendable {
  package let pipeline: Pipeline

  /// Creates the history coding for runs of `pipeline`.
  public init(_ pipeline: Pipeline) { self.pipeline = pipeline }

  /// A JSON array of `events`, followed by one object for each of the `items` that left something at the server.
  public func encode(_ events: [Event], items: [Item] = []) -> [UInt8] {
    var writer = JSONWriter()
    writer.array {
      for event in events { $0.object { write(event, &$0) } }
      for item in items.filter(\.isLeftAtServer).sorted(by: { $0.key < $1.key }) {
        $0.object {
          $0.string("event", Self.notUndone)
          write(item.key, &$0)
          if let reason = item.reason { $0.write(reason, "failure") }
        }
      }
    }
    return writer.bytes
  }

  /// Not an event: the machine's action as a result.
  package static let notUndone = "not_undone"

  private func write(_ event: Event, _ writer: inout JSONWriter) {
    func named(
      _ name: String, _ numbers: KeyValuePairs<String, Int> = [:], _ failure: Failure? = nil
    ) {
      writer.string("event", name)
      for (name, number) in numbers { writer.int(name, number) }
      if let failure { writer.write(failure, "failure") }
    }
    switch event {
    case .runBegan: named("run_began")
    case .runResumed: named("run_resumed")
    case .itemsEnumerated(let loop, let count):
      named("items_enumerated", ["loop": loop, "count": count])
    case .enumerationFailed(let loop, let failure):
      named("enumeration_failed", ["loop": loop], failure)
    case .itemsLoaded(let loop, let items, let isLast):
      named("items_loaded")
      writer.int("loop", loop)
      writer.array("ordinals") { for item in items { $0.int(nil, item.key.ordinal) } }
      writer.bool("last", isLast)
    case .loadFailed(let loop, let failure): named("load_failed", ["loop": loop], failure)
    case .concluded(let id, let verdict):
      named("concluded")
      write(id, &writer)
      write(verdict, &writer)
    case .serverTimeRead(let clock):
      named(
        "server_time_read", ["low": Int(clock.offset.low), "high": Int(clock.offset.high)])
      writer.string("host", clock.host)
    case .redirected(let id, let hops):
      named("redirected")
      write(id, &writer)
      write(hops, &writer)
    case .moved(let id, let from, let to):
      named("moved", ["from": Int(from), "to": Int(to)])
      write(id, &writer)
    case .renewalRequested(let id, let renewal):
      named("renewal_asked")
      write(id, &writer)
      writer.string("renewal", renewal.rawValue)
    case .filesDiscarded(let key, let bytes):
      named("files_discarded")
      if let key { write(key, &writer) }
      writer.int("bytes", bytes)
    case .timerFired: named("timer_fired")
    case .allowanceGranted(let until):
      named("allowance_granted")
      if let until { writer.int("until", until.milliseconds) }
    case .allowanceExpiring: named("allowance_expiring")
    case .pauseRequested(let reason): named("pause_requested", [:], reason)
    case .unpaused: named("unpaused")
    case .cancelRequested: named("cancel_requested")
    case .limitsKnown(let limits):
      named("limits_known")
      write(limits, &writer)
    case .sharesChanged(let shares): named("shares_changed", ["shares": shares])
    case .itemsRequeued(let loop, let paused, let failed):
      named("items_requeued", ["loop": loop, "paused": paused, "failed": failed])
    }
  }

  private func write(_ limits: ProcessLimits, _ writer: inout JSONWriter) {
    if let exchanges = limits.exchanges { writer.int("exchanges", exchanges) }
    if let timeout = limits.networkTimeout { writer.int("network_timeout", timeout.milliseconds) }
    if limits.sendsPieces { writer.bool("sends_pieces", true) }
    if let worker = limits.worker { writer.string("worker", worker) }
    if limits.shares != 1 { writer.int("shares", limits.shares) }
  }

  private func write(_ hops: [Response.Hop], _ writer: inout JSONWriter) {
    writer.array("hops") {
      for hop in hops {
        $0.object {
          $0.int("status", hop.status)
          $0.string("address", hop.url)
        }
      }
    }
  }

  private func write(_ key: ItemKey, _ writer: inout JSONWriter) {
    writer.int("loop", key.loop)
    writer.int("item", key.ordinal)
    if let part = key.part {
      writer.int("part", part.number)
      writer.string("parts", pipeline.steps[part.step].id.rawValue)
      writer.int("parts_generation", part.generation)
    }
  }

  private func write(_ id: EffectID, _ writer: inout JSONWriter) {
    if let key = id.item { write(key, &writer) }
    switch id.target {
    case .compensation: writer.bool("compensation", true)
    case .step(let step, let generation):
      writer.string("step", pipeline.steps[step].id.rawValue)
      writer.int("generation", generation)
    }
    writer.int("attempt", id.attempt)
  }

  private func write(_ verdict: Verdict, _ writer: inout JSONWriter) {
    func named(_ name: String, _ failure: Failure? = nil) {
      writer.string("verdict", name)
      if let failure { writer.write(failure, "failure") }
    }
    func named(_ name: String, _ result: StepResult) {
      named(name)
      if let status = result.status { writer.int("status", status) }
      writer.int("milliseconds", result.duration.milliseconds)
      if result.bytes > 0 { writer.int("bytes", result.bytes) }
    }
    switch verdict {
    case .success(let result):
      named("success", result)
      if !result.outputs.isEmpty { writer.write(result.outputs, "outputs") }
      if let file = result.file { writer.write(file, "file") }
    case .results(let result, let verdicts):
      named("results", result)
      writer.array("results") { for verdict in verdicts { $0.object { write(verdict, &$0) } } }
    case .retry(let failure, let after, let progressed):
      named("retry", failure)
      if let after { writer.int("after", after.milliseconds) }
      if progressed { writer.bool("progressed", true) }
    case .expired(let step, let failure, let after):
      named("expired", failure)
      if let after { writer.int("after", after.milliseconds) }
      writer.string("expired", pipeline.steps[step].id.rawValue)
    case .fail(let failure): named("fail", failure)
    case .pause(let failure): named("pause", failure)
    case .pauseRun(let failure): named("pause_run", failure)
    case .unknown(let failure): named("unknown", failure)
    case .unavailable(let resource, let failure):
      named("unavailable", failure)
      writer.string("resource", resource.rawValue)
    case .uncertain(let answered):
      write(answered, &writer)
      writer.bool("uncertain", true)
    case .poll(let instant, let status, let words, let slower):
      named("poll")
      if let slower { writer.int("slower", slower.milliseconds) }
      if let words { writer.string("words", words) }
      if let status { writer.int("status", status) }
      if let instant { writer.int("after", instant.milliseconds) }
    case .stale(let failure): named("stale", failure)
    case .interrupted: named("interrupted")
    case .notDone: named("not_done")
    case .itemDone: named("item_done")
    case .itemSkipped(let failure): named("item_skipped", failure)
    }
  }
}
