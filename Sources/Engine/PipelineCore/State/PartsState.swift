public import CEL

/// How far the parts of an item are.
///
/// A part costs a frame while it is worked on, and afterwards only its collected values, which a store keeps in
/// a row of its own.
public struct PartsState: Hashable, Sendable {
  /// Number of parts.
  public let count: Int
  /// The values collected from each finished part, by number, in the order of the declarations.
  public private(set) var collected: [Int: [Value]] = [:]
  /// The steps of the parts that have started and are not done, by number.
  public var active: [Int: Frame] = [:]

  /// Parts of which none is done, and those in `active` have started.
  public init(count: Int, active: [Int: Frame] = [:]) {
    (self.count, self.active) = (count, active)
  }

  /// Number of parts that are done.
  public var done: Int { collected.count }

  mutating func update(_ number: Int, _ change: (inout Frame) -> Void) {
    guard active[number] != nil else { return }
    change(&active[number, default: []])
  }

  /// The first part that has not started: parts start in order, so it comes after as many as have started.
  var next: Int? {
    let started = collected.count + active.count
    guard started < count else { return nil }
    let isFree = { (part: Int) in self.collected[part] == nil && self.active[part] == nil }
    // A store that has lost rows has also lost the order.
    return (started..<count).first(where: isFree) ?? (0..<started).first(where: isFree)
  }

  /// Records that a part is done.
  public mutating func conclude(_ number: Int, _ values: [Value]) {
    active[number] = nil
    collected[number] = values
  }

  func values(at index: Int) -> [Value] { (0..<count).compactMap { collected[$0]?[index] } }

  package func with(_ change: (StepState) -> StepState) -> PartsState {
    var parts = self
    parts.active = active.mapValues { $0.map(change) }
    return parts
  }

  /// The parts without their collected values.
  public var withoutCollected: Self { PartsState(count: count, active: active) }
}

/// What happened to the rows of parts, for a store that keeps one for each part that is done.
public enum PartChange: Hashable, Sendable {
  /// The part is done, and these values were collected from it, in the order of the declarations.
  case concluded(ItemKey, [Value])
  /// All parts of an item's step have ended or start over: their rows are obsolete.
  case forgotten(ItemKey, step: Int)
}

extension Item {
  /// The item without the values collected from its parts.
  public var withoutCollected: Item {
    guard frame.contains(where: { $0.parts != nil }) else { return self }
    var item = self
    for index in item.frame.indices {
      item.frame[index].parts = item.frame[index].parts?.withoutCollected
    }
    return item
  }

  /// Whether parts of the item are in progress, so that a store may have rows of them.
  public var hasParts: Bool { frame.contains { $0.parts != nil } }

  /// Adds the row of a finished part; ignores rows of parts that have started over since.
  public mutating func restore(_ part: ItemKey.Part, _ values: [Value], of pipeline: Pipeline) {
    guard pipeline.steps.indices.contains(part.step) else { return }
    let position = pipeline.steps[part.step].position
    guard frame.indices.contains(position), frame[position].generation == part.generation,
      let parts = frame[position].parts, (0..<parts.count).contains(part.number)
    else { return }
    frame[position].parts?.conclude(part.number, values)
  }
}
