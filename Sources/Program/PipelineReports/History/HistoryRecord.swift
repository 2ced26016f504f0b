/// An event of the history for programs, by its form; the stored form has times in milliseconds, and outputs without names.
public struct HistoryRecord {
  private let pipeline: Pipeline

  /// For the runs of a pipeline.
  public init(_ pipeline: Pipeline) { self.pipeline = pipeline }

  private static let forms = Dictionary(
    uniqueKeysWithValues: HistoryForms.events.map { ($0.name, $0.members) })

  /// The events of a batch as JSON, or those of one item.
  public func lines(_ batch: HistoryBatch, only key: ItemKey? = nil) -> [String] {
    Self.events(batch, only: key).map { line($0, of: batch) }
  }

  package static func events(_ batch: HistoryBatch, only key: ItemKey?) -> [MapValue] {
    guard let events = (try? Value(json: batch.events))?.listValue else { return [] }
    let all = events.compactMap(\.mapValue)
    guard let key else { return all }
    return all.filter {
      $0["loop"] == .int(Int64(key.loop)) && $0["item"] == .int(Int64(key.ordinal))
    }
  }

  private func line(_ fields: MapValue, of batch: HistoryBatch) -> String {
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
      let response = Self.failure(failure).flatMap(ResponseForm.init)
        .flatMap { try? Value(json: EncodedJSON.of($0)) }
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

  /// A failure with the server's response.
  package static func failure(_ fields: MapValue) -> Failure? {
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
}
