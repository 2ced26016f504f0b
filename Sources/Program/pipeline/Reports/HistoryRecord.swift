/// An event of the history for programs, by its form; the stored form has times in milliseconds, and outputs without names.
struct HistoryRecord {
  private let pipeline: Pipeline

  init(_ pipeline: Pipeline) { self.pipeline = pipeline }

  private static let forms = Dictionary(
    uniqueKeysWithValues: OutputSchema.historyEvents.map { ($0.name, $0.members) })

  func line(_ fields: MapValue, of batch: HistoryBatch) -> String {
    let event = fields["event"] ?? .null
    let head: [(String, Value)] = [
      ("sequence", .int(Int64(batch.sequence))), ("at", .string(batch.at.description)),
      ("event", event),
    ]
    let form = Self.forms[event.stringValue ?? ""] ?? []
    return Value.map(MapValue(head + members(fields, as: form, of: fields))).jsonText()
  }

  /// The members that the form declares and `fields` contains, in the order of the fields.
  private func members(
    _ fields: MapValue, as form: [OutputMember], of event: MapValue
  ) -> [(String, Value)] {
    func named(_ name: String, _ value: Value) -> [(String, Value)] {
      form.filter { $0.stored == name }.map { ($0.name, printed(value, as: $0, of: event)) }
    }
    return fields.flatMap { name, value -> [(String, Value)] in
      guard name == "failure", let failure = value.mapValue else {
        return named(name.stringValue ?? "", value)
      }
      let response = HistoryText.failure(failure).flatMap(ResponseForm.init).map(Self.response)
      return ["message", "status", "lacking", "milliseconds"].flatMap { name in
        fields[name] == nil ? failure[name].map { named(name, $0) } ?? [] : []
      } + (response.map { [("response", $0)] } ?? [])
    }
  }

  private func printed(_ value: Value, as member: OutputMember, of event: MapValue) -> Value {
    func object(_ value: Value, _ form: [OutputMember]) -> Value {
      .map(MapValue(members(value.mapValue ?? MapValue(), as: form, of: event)))
    }
    func key(_ number: Value) -> Value {
      .string("\(event["loop"]?.intValue ?? 0)/\(number.intValue ?? 0)")
    }
    func time(_ milliseconds: Int64) -> Value {
      .string(Instant(milliseconds: milliseconds).description)
    }
    let number = value.intValue ?? 0
    let list = value.listValue.map(Array.init) ?? []
    return switch member.shape {
    case .text where member.name == "item": key(value)
    case .list(.text): .list(list.map(key))
    // A file's time is in nanoseconds.
    case .time where member.name == "modified": time(number / 1_000_000)
    case .time: time(number)
    case .amount, .number: .double(Double(number) / 1000)
    case .object(let form): object(value, form)
    case .list(.object(let form)): .list(list.map { object($0, form) })
    case .map(.object(let form)):
      .map(MapValue(zip(outputs(of: event), list).map { ($0.name, object($1, form)) }))
    default: value
    }
  }

  private func outputs(of event: MapValue) -> [OutputDeclaration] {
    pipeline.steps.first { $0.id.rawValue == event["step"]?.stringValue }?.outputs ?? []
  }

  private static func response(_ answer: ResponseForm) -> Value {
    let ids = answer.request_ids.sorted { $0.key < $1.key }.map { ($0.key, Value.string($0.value)) }
    let members: [(String, Value?)] = [
      ("status", answer.status.map { .int(Int64($0)) }), ("body", answer.body.map { .string($0) }),
      ("body_bytes", .int(Int64(answer.body_bytes))), ("request_ids", .map(MapValue(ids))),
    ]
    return .map(MapValue(members.compactMap { name, value in value.map { (name, $0) } }))
  }
}

/// Lines of the history as text, or as NDJSON.
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

  /// A failure with the server's response.
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
      // As in keys of items, and with the number of the part in protocols.
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
