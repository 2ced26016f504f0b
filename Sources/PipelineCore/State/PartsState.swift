public import CEL

/// How far the parts of an item are.
///
/// A part costs a frame while it is worked on, and afterwards only what was collected from it.
public struct PartsState: Hashable, Sendable {
  /// What was collected from each part that is done, in the order of the declarations; `nil` for all others.
  public private(set) var collected: [[Value]?]
  /// The steps of the parts that have begun and are not done, by number.
  public var active: [Int: Frame] = [:]
  /// Number of parts that are done.
  public private(set) var done = 0
  /// The first part that has not begun, if any is left; parts before it have begun.
  private(set) var next = 0

  /// Parts of which none has begun.
  public init(count: Int) { collected = Array(repeating: nil, count: count) }

  /// Parts of which some are done and others have begun.
  public init(collected: [[Value]?], active: [Int: Frame]) {
    self.collected = collected
    self.active = active
    done = collected.count { $0 != nil }
  }

  /// Number of parts.
  public var count: Int { collected.count }

  /// Changes the steps of a part that is being worked on.
  mutating func update(_ number: Int, _ change: (inout Frame) -> Void) {
    guard active[number] != nil else { return }
    change(&active[number, default: []])
  }

  /// The same parts with other frames.
  func with(_ change: (StepState) -> StepState) -> PartsState {
    PartsState(collected: collected, active: active.mapValues { $0.map(change) })
  }

  /// Number of the next part to begin; `nil` if all have begun.
  mutating func takeNext() -> Int? {
    while collected.indices.contains(next) {
      defer { next += 1 }
      if collected[next] == nil, active[next] == nil { return next }
    }
    return nil
  }

  /// Records that a part is done.
  mutating func conclude(_ number: Int, _ values: [Value]) {
    active[number] = nil
    if collected[number] == nil { done += 1 }
    collected[number] = values
  }

  /// The values that were collected for the declaration at `index`, in the order of the parts.
  func values(at index: Int) -> [Value] { collected.compactMap { $0?[index] } }
}
