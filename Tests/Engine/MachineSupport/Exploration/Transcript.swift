import PipelineCore

/// A machine's actions and state, move by move, for developers to read and for tests to compare.
///
/// ```text
/// 3.0  0/0 upload 1.1 retry
///      → timer 4.0
///      0/0 upload: status pending, failures 1, failure bad (500), notBefore 4.0
///      0/0 waits for the delay of upload
///      stored: 0/0
/// ```
public struct Transcript: Sendable {
  /// The lines.
  public private(set) var lines: [String] = []

  /// Nothing has happened yet.
  public init() {}

  /// All lines.
  public var text: String { lines.map { $0 + "\n" }.joined() }

  /// Each move with everything that it caused.
  public var steps: [String] {
    var steps: [String] = []
    for line in lines {
      if line.hasPrefix(" ") {
        steps[steps.count - 1] += line + "\n"
      } else {
        steps.append(line + "\n")
      }
    }
    return steps
  }

  mutating func note(
    _ move: String, _ effects: [Effect], _ checkpoint: Checkpoint, from old: Machine,
    to new: Machine, at now: Instant
  ) {
    lines.append("\(Self.text(now))  \(move)")
    var found = effects.map { "→ \(new.text($0))" }
    found += Self.differences(old.state, new.state, but: ["frame", "loops", "random"])
      .map { "run: \($0)" }
    for loop in new.state.loops.indices {
      found += loopChanges(old.state.loops[loop], new.state.loops[loop], loop)
    }
    found += frameChanges(nil, old, new)
    let keys = Set(Self.active(old) + Self.active(new)).sorted()
    for key in keys { found += itemChanges(key, old, new) }
    for key in Set(old.blockers.keys).union(new.blockers.keys).sorted(by: Self.precedes)
    where old.blockers[key] != new.blockers[key] {
      found.append("\(Self.name(key)) \(new.blockers[key].map { "waits: \($0)" } ?? "goes on")")
    }
    if old.reservedDiskBytes != new.reservedDiskBytes {
      found.append("\(new.reservedDiskBytes) B reserved")
    }
    if old.queuedTransfers != new.queuedTransfers {
      found.append("\(new.queuedTransfers) transfers")
    }
    found += Self.stored(checkpoint)
    lines += found.map { "     \($0)" }
  }

  private static func stored(_ checkpoint: Checkpoint) -> [String] {
    var rows = checkpoint.items.map(\.key).sorted().map { "\($0)" }
    if checkpoint.state != nil { rows.insert("run", at: 0) }
    rows += checkpoint.cancelledLoops.map { "loop \($0) cancelled" }
    guard !rows.isEmpty else { return [] }
    return ["stored\(checkpoint.isDurable ? " for good" : ""): \(rows.joined(separator: " "))"]
  }

  private func loopChanges(_ old: LoopState, _ new: LoopState, _ loop: Int) -> [String] {
    var found: [String] = []
    for status in Item.Status.allCases where old.counts[status] != new.counts[status] {
      found.append("\(new.counts[status]) \(status)")
    }
    let (before, after) = (old.ready.map(\.key.ordinal), new.ready.map(\.key.ordinal))
    if before != after { found.append("ready \(after)") }
    found += Self.differences(old, new, but: ["counts", "active", "ready"])
    return found.isEmpty ? [] : ["loop \(loop): \(found.joined(separator: ", "))"]
  }

  private func itemChanges(_ key: ItemKey, _ old: Machine, _ new: Machine) -> [String] {
    guard let after = Self.item(key, new) else { return ["\(key) leaves"] }
    var found: [String] = []
    if let before = Self.item(key, old) {
      let changes = Self.differences(before, after, but: ["frame"])
      if !changes.isEmpty { found.append("\(key): \(changes.joined(separator: ", "))") }
    } else {
      found.append("\(key) begins")
    }
    found += frameChanges(key, old, new)
    for part in Self.parts(of: key, new) { found += frameChanges(part, old, new) }
    return found
  }

  /// The parts of an item that are being worked on.
  private static func parts(of key: ItemKey, _ machine: Machine) -> [ItemKey] {
    machine.steps(of: key).flatMap { step, state in
      (state.parts?.active.keys.sorted() ?? []).map {
        key.part($0, of: step, generation: state.generation)
      }
    }
  }

  private func frameChanges(_ key: ItemKey?, _ old: Machine, _ new: Machine) -> [String] {
    let before = old.steps(of: key)
    return new.steps(of: key).enumerated().compactMap { index, entry in
      let known = before.indices.contains(index) ? before[index].state : StepState()
      guard known != entry.state else { return nil }
      let changes = Self.differences(known, entry.state, but: [])
      let step = new.pipeline.steps[entry.step].id
      return "\(Self.name(key)) \(step): \(changes.joined(separator: ", "))"
    }
  }

  private static func active(_ machine: Machine) -> [ItemKey] {
    machine.state.loops.flatMap { $0.active.values.map(\.key) }
  }

  private static func item(_ key: ItemKey, _ machine: Machine) -> Item? {
    machine.state.loops[key.loop].active[key.ordinal]
  }

  private static func precedes(_ left: ItemKey?, _ right: ItemKey?) -> Bool {
    let root = ItemKey(loop: -1, ordinal: -1)
    return (left ?? root) < (right ?? root)
  }

  private static func name(_ key: ItemKey?) -> String { key.map { "\($0)" } ?? "run" }

  /// The stored properties of `new` that are not those of `old`, each with its value.
  private static func differences<T>(_ old: T, _ new: T, but left: Set<String>) -> [String] {
    zip(Mirror(reflecting: old).children, Mirror(reflecting: new).children)
      .compactMap { before, after in
        guard let name = after.label, !left.contains(name) else { return nil }
        let value = text(after.value)
        return text(before.value) == value ? nil : "\(name) \(value)"
      }
  }

  private static func text(_ value: Any) -> String {
    switch value {
    case let instant as Instant: "\(Double(instant.milliseconds) / 1000)"
    case let failure as Failure: "'\(failure.message)'\(failure.status.map { " (\($0))" } ?? "")"
    case let file as FileValue: "\(file.path) of \(file.size) B"
    case let outputs as [OutputValue]: "[\(outputs.map(text).joined(separator: ", "))]"
    case let output as OutputValue:
      "\(output.value.map { "\($0)" } ?? "lost")"
        + (output.expires.map { " until \(text($0))" } ?? "")
    case let parts as PartsState:
      "\(parts.done) of \(parts.count) done, in progress \(parts.active.keys.sorted())"
        + parts.collected.sorted { $0.key < $1.key }.map { ", \($0.key) left \($0.value)" }.joined()
    case let buckets as [String: TokenBucket]:
      // A dictionary has another order in each process.
      "["
        + buckets.sorted { $0.key < $1.key }
        .map { "\($0.key): full at \(text($0.value.full)), rest \($0.value.rest)" }
        .joined(separator: ", ") + "]"
    case let pace as Pace: "\(pace.requestSeconds ?? 0) s, \(pace.bytesPerSecond ?? 0) B/s"
    case let optional as any Wrapping: optional.content.map(text) ?? "none"
    default: "\(value)"
    }
  }
}

/// An optional of any kind.
private protocol Wrapping {
  var content: Any? { get }
}

extension Optional: Wrapping {
  fileprivate var content: Any? { map { $0 } }
}
