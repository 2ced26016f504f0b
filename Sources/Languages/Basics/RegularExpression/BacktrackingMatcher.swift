/// Tries one alternative after another, as back-references and look-around require, with a step limit.
package struct BacktrackingMatcher {
  package typealias StepLimitReached = RegexProgram.StepLimitReached

  private enum Frame {
    case resume(place: Int, position: Int)
    case slot(Int, Int)
    case register(Int, Int)
  }

  /// Bounds the memory of one match.
  private static let maximumFrames = 1_000_000
  private let program: RegexProgram
  private let input: [UInt32]
  /// Start and end of each group, -1 while it has not taken part.
  private var slots: [Int]
  private var registers: [Int]
  private var frames: [Frame] = []
  package private(set) var steps: Int

  package init(program: RegexProgram, input: [UInt32], steps: Int) {
    (self.program, self.steps, self.input) = (program, steps, input)
    slots = [Int](repeating: -1, count: program.slotCount)
    registers = [Int](repeating: -1, count: program.registerCount)
  }

  package mutating func matches() throws(StepLimitReached) -> Bool {
    for start in 0...input.count {
      if try run(from: 0, at: start) { return true }
      if program.isAnchored { return false }
    }
    return false
  }

  /// Whether the program from `place` on reaches its end; captures stay when it does.
  private mutating func run(
    from start: Int, at startPosition: Int
  ) throws(StepLimitReached) -> Bool {
    let base = frames.count
    var place = start
    var position = startPosition
    while true {
      steps -= 1
      guard steps > 0, frames.count <= Self.maximumFrames else { throw StepLimitReached() }
      if case .match = program.instructions[place] { return keepOnlyRestorations(from: base) }
      if try step(&place, &position) { continue }
      guard let next = backtrack(to: base) else { return false }
      (place, position) = next
    }
  }

  private mutating func step(
    _ place: inout Int, _ position: inout Int
  ) throws(StepLimitReached) -> Bool {
    switch program.instructions[place] {
    case .set(let set):
      guard position < input.count, program.sets[set].contains(input[position])
      else { return false }
      position += 1
    case .setBackward(let set):
      guard position > 0, program.sets[set].contains(input[position - 1]) else { return false }
      position -= 1
    case .split(let preferred, let other):
      frames.append(.resume(place: other, position: position))
      place = preferred
      return true
    case .jump(let target):
      place = target
      return true
    case .start, .end, .lineStart, .lineEnd, .wordBoundary:
      guard program.instructions[place].holds(in: input, at: position) else { return false }
    case .save(let slot): set(slot, position)
    case .clear(let range): for slot in range where slots[slot] != -1 { set(slot, -1) }
    case .backreference(let group, let isBackward):
      guard matchGroup(group, isBackward: isBackward, &position) else { return false }
    case .look(let isNegated, let next):
      guard try look(from: place + 1, at: position, isNegated: isNegated) else { return false }
      place = next
      return true
    case .markProgress(let register):
      frames.append(.register(register, registers[register]))
      registers[register] = position
    case .requireProgress(let register): guard registers[register] != position else { return false }
    case .match: return true
    }
    place += 1
    return true
  }

  private mutating func set(_ slot: Int, _ value: Int) {
    frames.append(.slot(slot, slots[slot]))
    slots[slot] = value
  }

  private mutating func look(
    from place: Int, at position: Int, isNegated: Bool
  ) throws(StepLimitReached) -> Bool {
    let base = frames.count
    let found = try run(from: place, at: position)
    // Captures of a negative look-around must not be visible outside.
    if isNegated, found { _ = backtrack(to: base) }
    return found != isNegated
  }

  private mutating func matchGroup(_ group: Int, isBackward: Bool, _ position: inout Int) -> Bool {
    let start = slots[2 * group]
    let end = slots[2 * group + 1]
    guard start >= 0, end >= start else { return true }
    let length = end - start
    steps -= length
    let from = isBackward ? position - length : position
    guard from >= 0, from + length <= input.count,
      input[start..<end].elementsEqual(input[from..<(from + length)])
    else { return false }
    position = isBackward ? from : from + length
    return true
  }

  /// Undoes frames down to the last open choice above `base`, which it returns.
  private mutating func backtrack(to base: Int) -> (Int, Int)? {
    while frames.count > base, let frame = frames.popLast() {
      switch frame {
      case .resume(let place, let position): return (place, position)
      case .slot(let slot, let value): slots[slot] = value
      case .register(let register, let value): registers[register] = value
      }
    }
    return nil
  }

  /// A look-around that has matched is not entered again, but its captures can be undone.
  private mutating func keepOnlyRestorations(from base: Int) -> Bool {
    let kept = frames[base...].filter { frame in if case .resume = frame { false } else { true } }
    frames.replaceSubrange(base..., with: kept)
    return true
  }
}
