import CEL
package import PipelineCore
package import PipelineEngine

extension HistoryCoding {
  /// Reads what ``encode(_:)`` wrote about the run `id`.
  ///
  /// Data that the history omits comes from elsewhere: items that were read from the store come from
  /// `item`; a secret becomes an empty text, and information in responses about their server's clock
  /// is omitted.
  package func decode(
    _ bytes: [UInt8], of id: RunID, item: (ItemKey) -> Item?
  ) throws(CheckpointCoding.Damage) -> [Event] {
    guard let value = try? Value(json: bytes), case .list(let elements) = value else {
      throw Damage(message: "expected an array of events")
    }
    var events: [Event] = []
    for element in elements {
      let fields = try Fields(element)
      guard try fields.string("event") != Self.notUndone else { continue }
      events.append(try event(fields, id, item))
    }
    return events
  }

  private func limits(_ fields: Fields) -> ProcessLimits {
    ProcessLimits(
      exchanges: fields.optionalInt("exchanges"),
      networkTimeout: fields.optionalInt("network_timeout").map { .milliseconds(Int64($0)) },
      sendsPieces: fields.bool("sends_pieces"), worker: fields["worker"]?.stringValue,
      shares: fields.optionalInt("shares") ?? 1)
  }

  private func event(
    _ fields: Fields, _ id: RunID, _ item: (ItemKey) -> Item?
  ) throws(Damage) -> Event {
    switch try fields.string("event") {
    case "run_began": return .runBegan
    case "run_resumed": return .runResumed
    case "timer_fired": return .timerFired
    case "allowance_expiring": return .allowanceExpiring
    case "allowance_granted": return .allowanceGranted(until: fields.optionalInstant("until"))
    case "unpaused": return .unpaused
    case "cancel_requested": return .cancelRequested
    case "pause_requested": return .pauseRequested(try failure(fields))
    case "items_enumerated":
      return .itemsEnumerated(loop: try fields.int("loop"), count: try fields.int("count"))
    case "enumeration_failed":
      return .enumerationFailed(loop: try fields.int("loop"), try failure(fields))
    case "load_failed": return .loadFailed(loop: try fields.int("loop"), try failure(fields))
    case "limits_known": return .limitsKnown(limits(fields))
    case "shares_changed": return .sharesChanged(try fields.int("shares"))
    case "items_requeued":
      return .itemsRequeued(
        loop: try fields.int("loop"), paused: try fields.int("paused"),
        failed: try fields.int("failed"))
    case "items_loaded":
      let loop = try fields.int("loop")
      let items = try fields.ints("ordinals").map { ordinal throws(Damage) in
        guard let item = item(ItemKey(loop: loop, ordinal: ordinal)) else {
          throw Damage(message: "there is no item \(loop)/\(ordinal)")
        }
        return item
      }
      return .itemsLoaded(loop: loop, items, isLast: fields.bool("last"))
    case "files_discarded":
      return .filesDiscarded(try key(fields), bytes: Int64(try fields.int("bytes")))
    case "server_time_read":
      let (low, high) = (Int64(try fields.int("low")), Int64(try fields.int("high")))
      return .serverTimeRead(
        .init(host: try fields.string("host"), offset: ClockOffset(low: low, high: high)))
    case "moved":
      let (from, to) = (Int64(try fields.int("from")), Int64(try fields.int("to")))
      return .moved(try effect(fields, id), from: from, to: to)
    case "redirected":
      let hops = try fields.list("hops").map { value throws(Damage) in
        let hop = try Fields(value)
        return Response.Hop(status: try hop.int("status"), url: try hop.string("address"))
      }
      return .redirected(try effect(fields, id), hops)
    case "renewal_asked":
      guard let renewal = Renewal(rawValue: try fields.string("renewal")) else {
        throw Damage(message: "expected 'challenge' or 'begin' in 'renewal'")
      }
      return .renewalRequested(try effect(fields, id), renewal)
    case "concluded": return .concluded(try effect(fields, id), try verdict(fields))
    case let other: throw Damage(message: "unknown event '\(other)'")
    }
  }

  private func key(_ fields: Fields) throws(Damage) -> ItemKey? {
    guard let ordinal = fields.optionalInt("item") else { return nil }
    let whole = ItemKey(loop: try fields.int("loop"), ordinal: ordinal)
    guard let number = fields.optionalInt("part") else { return whole }
    return whole.part(
      number, of: try step(try fields.string("parts")),
      generation: try fields.int("parts_generation"))
  }

  private func failure(_ fields: Fields) throws(Damage) -> Failure {
    guard let value = fields["failure"] else { throw Damage(message: "expected a failure") }
    return try Failure(stored: Fields(value))
  }

  private func step(_ name: String) throws(Damage) -> Int {
    guard let index = pipeline.stepIndex[StepID(name)] else {
      throw Damage(message: "no step has the id '\(name)'")
    }
    return index
  }

  private func effect(_ fields: Fields, _ id: RunID) throws(Damage) -> EffectID {
    let key = try key(fields)
    let attempt = try fields.int("attempt")
    if fields.bool("compensation") {
      return EffectID(run: id, item: key, target: .compensation, attempt: attempt)
    }
    return EffectID(
      run: id, item: key, step: try step(try fields.string("step")),
      generation: try fields.int("generation"), attempt: attempt)
  }

  private func verdict(_ fields: Fields) throws(Damage) -> Verdict {
    let said = try saidVerdict(fields)
    return fields.bool("uncertain") ? .uncertain(said) : said
  }

  private func saidVerdict(_ fields: Fields) throws(Damage) -> Verdict {
    switch try fields.string("verdict") {
    case "success": return .success(try result(fields))
    case "results":
      let results = try fields.list("results").map { value throws(Damage) in
        try verdict(Fields(value))
      }
      return .results(try result(fields), results)
    case "retry":
      return .retry(
        try failure(fields), after: fields.optionalInstant("after"),
        progressed: fields.bool("progressed"))
    case "expired":
      return .expired(
        step: try step(try fields.string("expired")), try failure(fields),
        after: fields.optionalInstant("after"))
    case "fail": return .fail(try failure(fields))
    case "pause": return .pause(try failure(fields))
    case "unknown": return .unknown(try failure(fields))
    case "unavailable":
      guard let resource = Resource(rawValue: try fields.string("resource")) else {
        throw Damage(message: "expected a resource")
      }
      return .unavailable(resource, try failure(fields))
    case "poll":
      return .poll(
        at: fields.optionalInstant("after"), status: fields.optionalInt("status"),
        words: fields["words"]?.stringValue,
        slower: fields.optionalInt("slower").map { .milliseconds(Int64($0)) })
    case "interrupted": return .interrupted
    case "not_done": return .notDone
    case "item_done": return .itemDone
    case "item_skipped": return .itemSkipped(try failure(fields))
    case let other: throw Damage(message: "unknown verdict '\(other)'")
    }
  }

  private func result(_ fields: Fields) throws(Damage) -> StepResult {
    let outputs = try fields.list("outputs").map { value throws(Damage) in
      let output = try OutputValue(stored: Fields(value))
      // It existed, or there would be no result.
      return output.isSecret
        ? OutputValue(
          value: "", isSecret: true, expires: output.expires, staleFrom: output.staleFrom,
          slide: output.slide) : output
    }
    return StepResult(
      outputs: outputs, file: try fields.object("file", FileValue.init(stored:)),
      status: fields.optionalInt("status"), duration: .milliseconds(try fields.int("milliseconds")),
      bytes: Int64(fields.optionalInt("bytes") ?? 0))
  }
}
