/// The history's record of each item: attempts, and the time from its first attempt to the last.
public struct ItemRecords: Sendable {
  package struct Record: Sendable {
    var attempts = 0
    var first, last: Instant?
    /// Of the last success of each step, without secrets: items that are done have no frame any more.
    var outputs: [String: [String: Value]] = [:]

    package init() {}

    var duration: Duration? {
      guard let first, let last else { return nil }
      return last - first
    }
  }

  private var records: [ItemKey: Record] = [:]
  private let pipeline: Pipeline
  /// The sequence of the last batch of the history that was read.
  private var sequence = 0

  /// Reads the history of a run.
  public init(_ store: any CheckpointStore, _ pipeline: Pipeline) async throws {
    self.init(of: pipeline)
    try await read(store)
  }

  /// Records without a history so far.
  package init(of pipeline: Pipeline) { self.pipeline = pipeline }

  /// Reads what was added to the history since the last call.
  package mutating func read(_ store: any CheckpointStore) async throws {
    try await store.eachBatch(after: sequence) { batch in
      add(batch)
      sequence = batch.sequence
    }
  }

  /// An item with its attempts and outputs, as JSON.
  public func json(of item: Item) -> String {
    EncodedJSON.of(ItemForm(item, self[item.key], pipeline))
  }

  package subscript(key: ItemKey) -> Record { records[key] ?? Record() }

  private mutating func add(_ batch: HistoryBatch) {
    guard let events = (try? Value(json: batch.events))?.listValue else { return }
    for event in events {
      guard let fields = event.mapValue, fields["event"] == "concluded",
        let loop = fields["loop"]?.intValue, let ordinal = fields["item"]?.intValue
      else { continue }
      let key = ItemKey(loop: Int(loop), ordinal: Int(ordinal))
      let duration = Duration.milliseconds(fields["milliseconds"]?.intValue ?? 0)
      var record = records[key] ?? Record()
      // A question to a server that is not ready does not count as an attempt.
      if fields["verdict"] != "poll" { record.attempts += 1 }
      record.first = min(record.first ?? batch.at, batch.at - duration)
      record.last = batch.at
      if fields["verdict"] == "success", fields["part"] == nil, let id = fields["step"]?.stringValue
      {
        record.outputs[id] = outputs(of: id, fields["outputs"]?.listValue.map(Array.init) ?? [])
      }
      records[key] = record
    }
  }

  private func outputs(of id: String, _ stored: [Value]) -> [String: Value] {
    // The values of a turn are no response, so an earlier one would be out of date.
    guard let step = pipeline.steps.first(where: { $0.id.rawValue == id }) else { return [:] }
    if case .repeat = step.action { return [:] }
    var outputs: [String: Value] = [:]
    for (declared, stored) in zip(step.outputs, stored) {
      // Never a secret, whether the pipeline or the stored value declares it.
      guard !declared.isSecret, let map = stored.mapValue, map["secret"] == nil else { continue }
      if let value = map["value"] { outputs[declared.name] = value }
    }
    return outputs
  }
}

extension ItemForm {
  package init(
    _ item: Item, _ record: ItemRecords.Record, _ pipeline: Pipeline, shard: Shard? = nil
  ) {
    self.init()
    self.shard = shard?.description
    self.item = item.key.description
    name = item.subject.place
    status = item.status.word
    reason = item.reason?.message
    http_status = item.reason?.status
    attempts = record.attempts
    bytes_moved = item.bytesMoved
    seconds = record.duration.map { Double($0.milliseconds) / 1000 }
    var outputs = record.outputs.filter { !$0.value.isEmpty }.mapValues { values in
      values.mapValues { AnyValue($0) }
    }
    for (index, state) in zip(pipeline.loops[item.key.loop].steps, item.frame) {
      let step = pipeline.steps[index]
      for (declared, known) in zip(step.outputs, state.outputs) {
        // Never a secret, whether the pipeline or the stored value declares it.
        guard !declared.isSecret, !known.isSecret, let value = known.value else { continue }
        outputs[step.id.rawValue, default: [:]][declared.name] = AnyValue(value)
      }
    }
    self.outputs = outputs
  }

  /// The first line of a CSV file (RFC 4180).
  package static let head =
    "item,name,status,http_status,attempts,bytes_moved,seconds,reason,outputs"

  /// A line of a CSV file; the outputs are JSON.
  package var csv: String {
    let cells: [String] = [
      item, name, status, http_status.map(String.init) ?? "", "\(attempts)", "\(bytes_moved)",
      seconds.map { "\($0)" } ?? "", reason ?? "", outputs.isEmpty ? "" : EncodedJSON.of(outputs),
    ]
    return cells.map(Self.quoted).joined(separator: ",")
  }

  private static func quoted(_ text: String) -> String {
    let needsQuotes = text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
    return needsQuotes ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
  }
}
