/// Lines of the history as text, or as NDJSON.
enum HistoryText {
  /// One line for each event of `batch`, or for those of one item.
  static func lines(
    _ batch: HistoryBatch, of pipeline: Pipeline, only key: ItemKey?, _ format: ReportFormat
  ) -> [String] {
    if format == .json { return HistoryRecord(pipeline).lines(batch, only: key) }
    return HistoryRecord.events(batch, only: key).flatMap { fields in
      let answer = fields["failure"]?.mapValue.flatMap(HistoryRecord.failure).flatMap(
        ResponseForm.init)
      let hops = fields["hops"]?.listValue?.compactMap(\.mapValue) ?? []
      return ["\(ReportFormatting.timestamp(batch.at))  \(text(fields))"]
        + hops.map { hop in
          "    \(hop["status"]?.intValue ?? 0) from \(hop["address"]?.stringValue ?? "")"
        } + ReportFormatting.lines(answer, indent: "    ")
    }
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
