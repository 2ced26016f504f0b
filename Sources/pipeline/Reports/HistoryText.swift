import CEL
import PipelineCommands
import PipelineCore
import PipelineEngine

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
      return ["\(ReportFormatting.timestamp(batch.at))  \(text(fields))"]
        + ReportFormatting.lines(answer, indent: "    ")
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
    for name in ["status", "generation", "attempt", "count", "bytes", "milliseconds"] {
      if let number = fields[name]?.intValue { words.append("\(name)=\(number)") }
    }
    if let expired = fields["expired"]?.stringValue { words.append("(result of '\(expired)')") }
    if let message = fields["failure"]?.mapValue?["message"]?.stringValue { words.append(message) }
    if let again = fields["again"]?.stringValue { words.append("(again, because \(again))") }
    return words.joined(separator: " ")
  }
}
