import Synchronization

/// Numbers that decide the behavior of the environment, each drawn under a name,
/// so that a tape can record and replay them.
package struct Draws: Sendable {
  private var random: SplitMix64
  private let tape: DrawTape?

  package init(seed: UInt64, tape: DrawTape? = nil) {
    random = SplitMix64(seed: seed)
    self.tape = tape
  }

  /// What `draw` makes of the generator, or the tape's value under the name.
  package mutating func draw<Value: LosslessStringConvertible>(
    _ name: StaticString, _ draw: (inout SplitMix64) -> Value
  ) -> Value {
    guard let tape else { return draw(&random) }
    if let told = tape.next("\(name)") {
      if let value = Value(told) { return value }
      tape.note("'\(name)' cannot be '\(told)'")
    }
    let value = draw(&random)
    tape.append(value.description, "\(name)")
    return value
  }

  /// Whether an event happens; draws nothing if that is certain, so that a fault that is off does not change others.
  package mutating func chance(_ probability: Double, _ name: StaticString) -> Bool {
    guard probability > 0, probability < 1 else { return probability >= 1 }
    return draw(name) { $0.nextFraction() < probability }
  }

  /// The same, but draws for impossible events too; impossible events are not written down.
  package mutating func flip(_ probability: Double, _ name: StaticString) -> Bool {
    guard probability > 0 else {
      _ = random.next()
      return false
    }
    return draw(name) { $0.nextFraction() < probability }
  }

  /// A number from 0 on, below `count`.
  package mutating func index(below count: Int, _ name: StaticString) -> Int {
    let index = draw(name) { Int($0.next() % UInt64(count)) }
    if index < count { return max(index, 0) }
    tape?.note("'\(name)' is \(index), but there are \(count)")
    return count - 1
  }

  package mutating func pick<Element>(_ elements: [Element], _ name: StaticString) -> Element {
    elements[index(below: elements.count, name)]
  }

  /// Seconds of the distribution, in whole milliseconds.
  package mutating func seconds(_ distribution: Distribution, _ name: StaticString) -> Duration {
    .milliseconds(draw(name) { Int64(distribution.sample(using: &$0) * 1000) })
  }
}

/// Draws by name, each list in the order in which they were drawn: written by one run, and read by another.
package final class DrawTape: Sendable {
  private struct Content {
    var lists: [String: [String]] = [:]
    /// How far a replay has read each list; `nil` where the tape is written.
    var positions: [String: Int]?
    var missing: [String: Int] = [:]
    var notes: [String] = []
  }

  private let content = Mutex(Content())

  package init() {}

  package init(_ lists: [String: [String]]) {
    content.withLock { content in
      content.lists = lists
      content.positions = [:]
    }
  }

  package var lists: [String: [String]] { content.withLock { $0.lists } }

  fileprivate func next(_ name: String) -> String? {
    content.withLock { content in
      guard let position = content.positions?[name, default: 0] else { return nil }
      guard let list = content.lists[name], position < list.count else {
        content.missing[name, default: 0] += 1
        return nil
      }
      content.positions?[name] = position + 1
      return list[position]
    }
  }

  fileprivate func append(_ value: String, _ name: String) {
    content.withLock { content in
      if content.positions == nil { content.lists[name, default: []].append(value) }
    }
  }

  fileprivate func note(_ text: String) { content.withLock { $0.notes.append(text) } }

  /// How the draws of a replay differed from the tape, by name; missing ones came from the generator.
  package var misfits: [String] {
    content.withLock { content in
      guard let positions = content.positions else { return [] }
      let missing = content.missing.sorted { $0.key < $1.key }.map {
        "\($0.value) draws of '\($0.key)' are missing"
      }
      let left = content.lists.sorted { $0.key < $1.key }.compactMap { name, list in
        let count = list.count - positions[name, default: 0]
        return count > 0 ? "\(count) draws of '\(name)' are left over" : nil
      }
      return content.notes + missing + left
    }
  }
}
