import Basics
public import CEL

/// The format in which stores keep a run, version ``formatVersion``: JSON, with steps by id.
///
/// Fields with their initial value are omitted, and secret values are never written.
public struct CheckpointCoding: Sendable {
  public static let formatVersion = 1
  /// The definition that contains the IDs of steps.
  public let pipeline: Pipeline
  private let sealing: OutputSealing

  /// Creates the coding of runs of `pipeline`; without a sealer, new sealed outputs are not stored.
  public init(_ pipeline: Pipeline, sealer: (any SecretSealer)? = nil) {
    self.pipeline = pipeline
    sealing = OutputSealing(sealer: sealer, pipeline: pipeline)
  }

  /// Stored text that cannot be understood.
  public struct Damage: Error, Hashable, Sendable {
    /// The expected form.
    public let message: String

    /// Creates the error.
    public init(message: String) { self.message = message }
  }

  /// Encodes what an item is about: a file or a value.
  public func encode(subject: Item.Subject) -> [UInt8] {
    var writer = JSONWriter()
    writer.object {
      switch subject {
      case .file(let file): $0.write(file, "file")
      case .value(let value): $0.write(value, "value")
      }
    }
    return writer.bytes
  }

  /// Reads the output of ``encode(subject:)``.
  public func subject(_ bytes: [UInt8]) throws(Damage) -> Item.Subject {
    let fields = try Fields(bytes)
    if let file = fields["file"] { return .file(try FileValue(stored: try Fields(file))) }
    guard let value = try fields.value("value") else {
      throw Damage(message: "expected a file or a value")
    }
    return .value(value)
  }

  /// The state of the item: its steps, its reason and its compensation.
  public func encode(progress item: Item) -> [UInt8] {
    let bytesMoved = item.bytesMoved == item.usualBytesMoved ? nil : item.bytesMoved
    if item.frame.isEmpty, item.reason == nil, item.abandoning == nil, item.remnants.isEmpty,
      item.refusedBy.isEmpty, bytesMoved == nil
    {
      return []
    }
    var writer = JSONWriter()
    let steps = pipeline.loops[item.key.loop].steps
    writer.object {
      if !item.frame.isEmpty {
        $0.write(sealing.sealed(item.frame, steps, of: item.key), steps, of: pipeline, "steps")
      }
      if let reason = item.reason { $0.write(reason, "reason") }
      if let bytesMoved { $0.int("bytes_moved", bytesMoved) }
      if let abandoning = item.abandoning { $0.write(abandoning) }
      if !item.refusedBy.isEmpty {
        $0.array("refused_by") { for name in item.refusedBy { $0.string(nil, name) } }
      }
      guard !item.remnants.isEmpty else { return }
      $0.array("remnants") {
        for remnant in item.remnants {
          $0.object {
            $0.int("compensation", remnant.compensation)
            $0.write(
              sealing.sealed(remnant.frame, steps, of: item.key), steps, of: pipeline, "steps")
          }
        }
      }
    }
    return writer.bytes
  }

  /// The values collected from a part: a list.
  public func encode(part values: [Value]) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { $0.write(.list(values), "collected") }
    return writer.bytes
  }

  /// Reads the output of ``encode(part:)``.
  public func part(_ bytes: [UInt8]) throws(Damage) -> [Value] {
    guard case .list(let values)? = try Fields(bytes).value("collected") else {
      throw Damage(message: "expected the values collected from a part")
    }
    return Array(values)
  }

  /// An item from its stored parts.
  public func item(
    _ key: ItemKey, subject: [UInt8], status: Item.Status, progress: [UInt8]
  ) throws(Damage) -> Item {
    var item = Item(key: key, subject: try self.subject(subject), status: status)
    item.bytesMoved = item.usualBytesMoved
    guard !progress.isEmpty else { return item }
    guard pipeline.loops.indices.contains(key.loop) else { throw Damage(message: "no such loop") }
    let fields = try Fields(progress)
    let steps = pipeline.loops[key.loop].steps
    if let stored = fields["steps"] {
      item.frame = sealing.opened(try frame(stored, steps), steps, of: key)
    }
    item.reason = try fields.object("reason", Failure.init(stored:))
    item.bytesMoved = fields.optionalInt("bytes_moved").map(Int64.init) ?? item.bytesMoved
    item.remnants = try remnants(fields["remnants"], of: key)
    item.refusedBy = try fields.list("refused_by").compactMap(\.stringValue)
    item.abandoning = try fields["abandoning"].map { value throws(Damage) in
      try Item.AbandonProgress(
        stored: Fields(value),
        requests: pipeline.loops[key.loop].onAbandon.count + item.remnants.count)
    }
    return item
  }

  private func remnants(_ stored: Value?, of key: ItemKey) throws(Damage) -> [Remnant] {
    guard let stored else { return [] }
    guard case .list(let list) = stored else { throw Damage(message: "expected remnants") }
    let loop = pipeline.loops[key.loop]
    let steps = loop.steps
    var remnants: [Remnant] = []
    for value in list {
      let fields = try Fields(value)
      let index = try fields.int("compensation")
      guard loop.onAbandon.indices.contains(index) else {
        throw Damage(message: "expected the position of a compensation")
      }
      let frame = sealing.opened(try frame(fields["steps"], steps), steps, of: key)
      remnants.append(Remnant(compensation: index, frame: frame))
    }
    return remnants
  }

  /// The run without its items.
  public func encode(_ state: RunState) -> [UInt8] {
    var writer = JSONWriter()
    writer.object {
      write(turn: state, to: &$0)
      write(frame: state, to: &$0)
    }
    return writer.bytes
  }

  /// What almost every turn changes of a run, and which is small.
  public func encode(turn state: RunState) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { write(turn: state, to: &$0) }
    return writer.bytes
  }

  /// What few turns change of a run, and which may be large: its inputs, and the states of its own steps, such as a list of a million names.
  public func encode(frame state: RunState) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { write(frame: state, to: &$0) }
    return writer.bytes
  }

  private func write(turn state: RunState, to writer: inout JSONWriter) {
    writer.int("format", Self.formatVersion)
    writer.string("id", state.id.rawValue)
    writer.string("status", state.status.rawValue)
    if let reason = state.reason { writer.write(reason, "reason") }
    writer.array("loops") { for loop in state.loops { $0.write(loop) } }
    writer.string("random", String(state.random.state))
    if let seed = state.keySeed { writer.string("key_seed", seed) }
    writer.write(state.clocks.mapValues { [$0.low, $0.high] }, "clocks")
    if let rate = state.pace.bytesPerSecond { writer.double("bytes_per_second", rate) }
    if let seconds = state.pace.requestSeconds { writer.double("request_seconds", seconds) }
    if !state.buckets.isEmpty {
      writer.write(state.buckets.mapValues { [$0.full.milliseconds, $0.rest] }, "rates")
    }
    if !state.pauses.isEmpty {
      writer.write(
        state.pauses.mapValues {
          [$0.until.milliseconds, $0.next.milliseconds, $0.gap.milliseconds]
        }, "pauses")
    }
    writer.int("began", state.began.milliseconds)
    if let ended = state.ended { writer.int("ended", ended.milliseconds) }
    if let time = state.time {
      writer.object("time") {
        $0.string("boot", time.boot)
        $0.int("origin", time.origin.milliseconds)
      }
    }
  }

  private func write(frame state: RunState, to writer: inout JSONWriter) {
    if let shard = state.shard { writer.string("shard", shard.description) }
    writer.object("inputs") {
      for (name, value) in state.inputs.sorted(by: { $0.key < $1.key }) { $0.write(value, name) }
    }
    sealing.bind(to: state.id, state.shard)
    writer.write(
      sealing.sealed(state.frame, pipeline.runSteps, of: nil), pipeline.runSteps, of: pipeline,
      "steps")
  }

  /// Reads the output of ``encode(_:)-(RunState)``, without a window and secret inputs.
  public func state(_ bytes: [UInt8]) throws(Damage) -> RunState {
    try state(turn: bytes, frame: bytes)
  }

  /// Reads the output of ``encode(turn:)`` and ``encode(frame:)``.
  public func state(turn bytes: [UInt8], frame kept: [UInt8]) throws(Damage) -> RunState {
    let fields = try Fields(bytes)
    let kept = try Fields(kept)
    guard try fields.int("format") == Self.formatVersion else {
      throw Damage(message: "expected format \(Self.formatVersion)")
    }
    guard let status = RunState.Status(rawValue: try fields.string("status")) else {
      throw Damage(message: "expected a run's status")
    }
    guard let seed = UInt64(try fields.string("random")) else {
      throw Damage(message: "expected a generator's state")
    }
    var inputs: [String: Value] = [:]
    for (name, value) in try kept.members("inputs") { inputs[name] = try Value(stored: value) }
    var state = RunState(
      id: RunID(try fields.string("id")), pipeline: pipeline, inputs: inputs, seed: seed,
      began: Instant(milliseconds: Int64(try fields.int("began"))),
      keySeed: try fields["key_seed"] == nil ? nil : fields.string("key_seed"),
      shard: try kept["shard"] == nil ? nil : shard(kept.string("shard")))
    state.status = status
    state.reason = try fields.object("reason", Failure.init(stored:))
    sealing.bind(to: state.id, state.shard)
    state.frame = sealing.opened(
      try frame(kept["steps"], pipeline.runSteps), pipeline.runSteps, of: nil)
    state.ended = fields.optionalInt("ended").map { Instant(milliseconds: Int64($0)) }
    state.time = try fields["time"].map { value throws(Damage) in
      let time = try Fields(value)
      return TimeAnchor(
        boot: try time.string("boot"), origin: Instant(milliseconds: Int64(try time.int("origin"))))
    }
    state.pace = Pace(
      bytesPerSecond: fields.optionalDouble("bytes_per_second"),
      requestSeconds: fields.optionalDouble("request_seconds"))
    for (host, bounds) in try fields.numbers("clocks", 2) {
      state.clocks[host] = ClockOffset(low: bounds[0], high: bounds[1])
    }
    for (name, bucket) in try fields.numbers("rates", 2) {
      state.buckets[name] = TokenBucket(full: Instant(milliseconds: bucket[0]), rest: bucket[1])
    }
    for (name, pause) in try fields.numbers("pauses", 3) {
      state.pauses[name] = HostPause(
        until: Instant(milliseconds: pause[0]), next: Instant(milliseconds: pause[1]),
        gap: .milliseconds(pause[2]))
    }
    guard case .list(let loops)? = fields["loops"], loops.count == state.loops.count else {
      throw Damage(message: "expected \(state.loops.count) loops")
    }
    for (index, value) in loops.enumerated() {
      state.loops[index] = try LoopState(stored: Fields(value))
    }
    return state
  }

  private func shard(_ text: String) throws(Damage) -> Shard {
    guard let shard = Shard(stored: text) else {
      throw Damage(message: "expected a shard, not '\(text)'")
    }
    return shard
  }

  private func frame(_ stored: Value?, _ steps: [Int]) throws(Damage) -> Frame {
    var frame = Frame(repeating: StepState(), count: steps.count)
    guard let stored else { return frame }
    let fields = try Fields(stored)
    for (position, index) in steps.enumerated() {
      let step = pipeline.steps[index]
      guard let value = fields[step.id.rawValue] else { continue }
      let state = try Fields(value)
      frame[position] = try StepState(stored: state, step)
      frame[position].parts = try state["parts"].map { value throws(Damage) in
        try parts(Fields(value), Array(pipeline.partSteps(of: index)))
      }
    }
    return frame
  }

  private func parts(_ stored: Fields, _ steps: [Int]) throws(Damage) -> PartsState {
    let count = try stored.int("count")
    var active: [Int: Frame] = [:]
    for (name, value) in try stored.members("active") {
      guard let number = Int(name), (0..<max(count, 0)).contains(number) else {
        throw Damage(message: "expected the number of a part, not '\(name)'")
      }
      active[number] = try frame(value, steps)
    }
    return PartsState(count: max(count, 0), active: active)
  }
}

extension Item {
  /// What needs no place in the row of an item: most that are done have sent their file.
  fileprivate var usualBytesMoved: Int64 {
    guard status == .done, case .file(let file) = subject else { return 0 }
    return file.size
  }
}
