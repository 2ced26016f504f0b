/// An event of the history for programs; the stored form has times in milliseconds, and outputs without names.
struct HistoryRecord {
  private let pipeline: Pipeline

  init(_ pipeline: Pipeline) { self.pipeline = pipeline }

  func line(_ fields: MapValue, of batch: HistoryBatch) -> String {
    let head: [(String, Value)] = [
      ("sequence", .int(Int64(batch.sequence))), ("at", .string(batch.at.description)),
    ]
    return Value.map(MapValue(head + members(fields, fields["step"]?.stringValue))).jsonText()
  }

  private func members(_ fields: MapValue, _ step: String?) -> [(String, Value)] {
    fields.flatMap { name, value in
      name.stringValue.map { members($0, value, in: fields, step) } ?? []
    }
  }

  private func members(
    _ name: String, _ value: Value, in fields: MapValue, _ step: String?
  ) -> [(String, Value)] {
    let loop = fields["loop"]?.intValue ?? 0
    switch name {
    case "item": return [(name, .string("\(loop)/\(value.intValue ?? 0)"))]
    case "loop": return fields["item"] == nil ? [(name, value)] : []
    case "ordinals":
      let keys = value.listValue?.map { Value.string("\(loop)/\($0.intValue ?? 0)") }
      return [("loaded", .list(keys ?? []))]
    case "parts": return [("part_of", value)]
    case "parts_generation": return [("part_generation", value)]
    case "status": return [("http_status", value)]
    case "milliseconds": return [("seconds", Self.seconds(value))]
    case "network_timeout", "slower": return [("\(name)_seconds", Self.seconds(value))]
    case "low", "high": return [("offset_\(name)_seconds", Self.seconds(value))]
    case "after", "until": return [(name, Self.moment(value))]
    // What was lacking is a part of the failure.
    case "resource": return []
    case "failure":
      return value.mapValue.map { failure($0, hasStatus: fields["status"] != nil) } ?? []
    case "outputs": return [(name, outputs(value, of: step))]
    case "file": return [(name, file(value))]
    case "results":
      let verdicts = value.listValue?.compactMap(\.mapValue) ?? []
      return [(name, .list(verdicts.map { .map(MapValue(members($0, step))) }))]
    default: return [(name, value)]
    }
  }

  private func failure(_ fields: MapValue, hasStatus: Bool) -> [(String, Value)] {
    var members: [(String, Value)] = []
    if let message = fields["message"] { members.append(("reason", message)) }
    if !hasStatus, let status = fields["status"] { members.append(("http_status", status)) }
    if let lacking = fields["lacking"] { members.append(("lacking", lacking)) }
    if let time = fields["milliseconds"] { members.append(("seconds", Self.seconds(time))) }
    guard let answer = HistoryText.failure(fields).flatMap(ResponseForm.init) else {
      return members
    }
    var response: [(String, Value)] = []
    if let status = answer.status { response.append(("status", .int(Int64(status)))) }
    if let body = answer.body { response.append(("body", .string(body))) }
    response.append(("body_bytes", .int(Int64(answer.body_bytes))))
    let names = answer.request_ids.sorted { $0.key < $1.key }
    response.append(("request_ids", .map(MapValue(names.map { ($0.key, .string($0.value)) }))))
    return members + [("response", .map(MapValue(response)))]
  }

  private func outputs(_ stored: Value, of step: String?) -> Value {
    let declared = pipeline.steps.first { $0.id.rawValue == step }?.outputs ?? []
    let outputs = zip(declared, stored.listValue.map(Array.init) ?? []).map { output, stored in
      let members = (stored.mapValue ?? MapValue([])).flatMap { name, value -> [(String, Value)] in
        switch name.stringValue {
        case "expires", "stale": [(name.stringValue ?? "", Self.moment(value))]
        case "slide": [("slide_seconds", Self.seconds(value))]
        case let name?: [(name, value)]
        case nil: []
        }
      }
      return (output.name, Value.map(MapValue(members)))
    }
    return .map(MapValue(outputs))
  }

  private func file(_ stored: Value) -> Value {
    let members = (stored.mapValue ?? MapValue([])).compactMap { name, value in
      name.stringValue.map { name in
        // Nanoseconds since 1970.
        (name, name == "modified" ? Self.moment(value, perMillisecond: 1_000_000) : value)
      }
    }
    return .map(MapValue(members))
  }

  private static func seconds(_ milliseconds: Value) -> Value {
    .double(Double(milliseconds.intValue ?? 0) / 1000)
  }

  private static func moment(_ time: Value, perMillisecond: Int64 = 1) -> Value {
    .string(Instant(milliseconds: (time.intValue ?? 0) / perMillisecond).description)
  }
}

/// Lines of the history for people, or as NDJSON.
enum HistoryText {
  /// One line for each event of `batch`, or for those of one item.
  static func lines(
    _ batch: HistoryBatch, of pipeline: Pipeline, only key: ItemKey?, _ format: ReportFormat
  ) -> [String] {
    guard let events = (try? Value(json: batch.events))?.listValue else { return [] }
    return events.flatMap { event -> [String] in
      guard let fields = event.mapValue else { return [] }
      if let key {
        guard fields["loop"] == .int(Int64(key.loop)), fields["item"] == .int(Int64(key.ordinal))
        else { return [] }
      }
      if format == .json { return [HistoryRecord(pipeline).line(fields, of: batch)] }
      let answer = fields["failure"]?.mapValue.flatMap(failure).flatMap(ResponseForm.init)
      let hops = fields["hops"]?.listValue?.compactMap(\.mapValue) ?? []
      return ["\(ReportFormatting.timestamp(batch.at))  \(text(fields))"]
        + hops.map { hop in
          "    \(hop["status"]?.intValue ?? 0) from \(hop["address"]?.stringValue ?? "")"
        } + ReportFormatting.lines(answer, indent: "    ")
    }
  }

  /// A failure with what the server said.
  static func failure(_ fields: MapValue) -> Failure? {
    guard let answer = fields["response"]?.mapValue else { return nil }
    let names = answer["request_ids"]?.listValue ?? []
    return Failure(
      "", status: fields["status"]?.intValue.map(Int.init),
      response: KeptResponse(
        body: answer["body"]?.stringValue ?? "",
        bodyBytes: answer["bytes"]?.intValue.map(Int.init) ?? 0,
        requestIDs: names.compactMap { pair in
          guard let pair = pair.listValue, pair.count == 2, let name = pair[0].stringValue,
            let text = pair[1].stringValue
          else { return nil }
          return Response.Header(name: name, value: text)
        }))
  }

  private static func text(_ fields: MapValue) -> String {
    var words: [String] = []
    if let loop = fields["loop"]?.intValue, let item = fields["item"]?.intValue {
      // As in keys of items, and with the number that protocols give the part.
      let part = fields["part"]?.intValue.map { " part \($0 + 1)" } ?? ""
      words.append("\(loop)/\(item)\(part)")
    }
    if let step = fields["step"]?.stringValue { words.append(step) }
    if let verdict = fields["verdict"]?.stringValue {
      words.append(verdict.replacing("_", with: " "))
    } else if let event = fields["event"]?.stringValue, event != "not_undone" {
      words.append(event.replacing("_", with: " "))
    }
    if let renewal = fields["renewal"]?.stringValue { words.append("(\(renewal))") }
    let failure = fields["failure"]?.mapValue
    for name in ["status", "generation", "attempt", "count", "bytes", "from", "to", "milliseconds"]
    {
      if let number = (fields[name] ?? (name == "milliseconds" ? failure?[name] : nil))?.intValue {
        words.append("\(name)=\(number)")
      }
    }
    if let expired = fields["expired"]?.stringValue { words.append("(result of '\(expired)')") }
    if let message = failure?["message"]?.stringValue { words.append(message) }
    if let again = fields["again"]?.stringValue { words.append("(again, because \(again))") }
    return words.joined(separator: " ")
  }
}
