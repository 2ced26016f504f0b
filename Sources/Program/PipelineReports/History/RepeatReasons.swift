/// Determines why each step was repeated, by reading the history from its start.
package struct RepeatReasons {
  private struct Place: Hashable {
    let loop, item, part: Int64?
    let step: String
  }

  private struct Success {
    let at: Instant
    /// When its request was sent: a lifetime counts from there.
    let begun: Instant
    let generation: Int64
    /// The output that expires first, and when.
    let first: (name: String, expires: Instant, stale: Instant)?
    /// Whether only the process has its result.
    let isSecret: Bool
    let process: Int
  }

  private let pipeline: Pipeline
  private var successes: [Place: Success] = [:]
  /// The refusals that named a step's result, by the refusing step.
  private var refusals: [Place: (by: String, at: Instant, words: String)] = [:]
  private var explained: [Place: Int64] = [:]
  /// When the effects of an item were last undone; the places have no step.
  private var undone: [Place: Instant] = [:]
  private var process = 0

  package init(_ pipeline: Pipeline) { self.pipeline = pipeline }

  /// Why the step of this event is done again, if this is the first event of its generation; `nil` for any other event.
  package mutating func reason(_ fields: MapValue, at now: Instant) -> String? {
    if fields["event"] == "run_began" || fields["event"] == "run_resumed" { process += 1 }
    if fields["compensation"] == .bool(true), fields["verdict"] == "success" {
      undone[item(fields["loop"]?.intValue, fields["item"]?.intValue)] = now
    }
    guard fields["event"] == "concluded", let id = fields["step"]?.stringValue,
      let generation = fields["generation"]?.intValue
    else { return nil }
    let place = Place(
      loop: fields["loop"]?.intValue, item: fields["item"]?.intValue,
      part: fields["part"]?.intValue, step: id)
    var reason: String?
    if generation > 1, explained[place] ?? 1 < generation {
      explained[place] = generation
      reason = explanation(place, now - .milliseconds(fields["milliseconds"]?.intValue ?? 0))
    }
    note(fields, place, generation, now)
    return reason
  }

  /// The batch with a member `again` in each event that is the first of a step that is done again.
  package mutating func annotated(_ batch: HistoryBatch) -> HistoryBatch {
    guard let events = (try? Value(json: batch.events))?.listValue else { return batch }
    var hasReason = false
    let annotated = events.map { event -> Value in
      guard var fields = event.mapValue, let reason = reason(fields, at: batch.at) else {
        return event
      }
      fields.insert(.string(reason), for: "again")
      hasReason = true
      return .map(fields)
    }
    guard hasReason else { return batch }
    return HistoryBatch(
      sequence: batch.sequence, at: batch.at, events: Array(Value.list(annotated).jsonText().utf8))
  }

  private mutating func note(
    _ fields: MapValue, _ place: Place, _ generation: Int64, _ now: Instant
  ) {
    if let producer = fields["expired"]?.stringValue {
      let words = fields["failure"]?.mapValue?["message"]?.stringValue ?? ""
      refusals[owner(producer, seenFrom: place)] = (place.step, now, words)
    }
    guard fields["verdict"] == "success" else { return }
    let step = pipeline.steps.first { $0.id.rawValue == place.step }
    let outputs = fields["outputs"]?.listValue.map(Array.init) ?? []
    var first: (name: String, expires: Instant, stale: Instant)?
    for (output, stored) in zip(step?.outputs ?? [], outputs) {
      guard let map = stored.mapValue, let expires = map["expires"]?.intValue else { continue }
      let stale = map["stale"]?.intValue ?? expires
      if first.map({ expires < $0.expires.milliseconds }) ?? true {
        first = (output.name, Instant(milliseconds: expires), Instant(milliseconds: stale))
      }
    }
    successes[place] = Success(
      at: now, begun: now - .milliseconds(fields["milliseconds"]?.intValue ?? 0),
      generation: generation, first: first,
      isSecret: outputs.contains {
        $0.mapValue?["secret"] == .bool(true) && $0.mapValue?["sealed"] == nil
      }, process: process)
  }

  /// The place of a step whose result was used at `place`: in the same part, the same item, or the run.
  private func owner(_ step: String, seenFrom place: Place) -> Place {
    let declared = pipeline.steps.first { $0.id.rawValue == step }
    guard declared?.loop != nil else { return Place(loop: nil, item: nil, part: nil, step: step) }
    return Place(
      loop: place.loop, item: place.item, part: declared?.partOf == nil ? nil : place.part,
      step: step)
  }

  private func item(_ loop: Int64?, _ item: Int64?) -> Place {
    Place(loop: loop, item: item, part: nil, step: "")
  }

  private func explanation(_ place: Place, _ begun: Instant) -> String? {
    guard let last = successes[place] else { return nil }
    if let undone = undone[item(place.loop, place.item)], undone >= last.at {
      return "the item had been undone"
    }
    if let refusal = refusals[place], refusal.at >= last.at {
      let what = last.first.map { "'\($0.name)'" } ?? "its result"
      let words = refusal.words.isEmpty ? "" : ": \(refusal.words)"
      return
        "'\(refusal.by)' found \(what) expired after \(ReportFormatting.duration(refusal.at - last.at))\(words)"
    }
    if let first = last.first, first.stale <= begun {
      let life = ReportFormatting.duration(first.expires - last.begun)
      return "'\(first.name)' expired after \(life)"
    }
    if last.isSecret, last.process < process {
      return "its secret result was lost with the process that had it"
    }
    guard let step = pipeline.steps.first(where: { $0.id.rawValue == place.step }) else {
      return nil
    }
    // A new credential does not repeat what was made with the old one.
    let sources = step.uses.filter { !$0.isCredential }
    let newer = sources.map { pipeline.steps[$0.step].id.rawValue }.first { name in
      successes[owner(name, seenFrom: place)].map { $0.at > last.at && $0.generation > 1 } ?? false
    }
    return newer.map { "step '\($0)' was done again" }
  }
}
