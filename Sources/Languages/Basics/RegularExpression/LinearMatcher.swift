/// Follows all paths through a program at once, so that no string needs more than linear time.
package struct LinearMatcher {
  package typealias StepLimitReached = RegexProgram.StepLimitReached
  private let program: RegexProgram
  private let input: [UInt32]
  private var current: [Int] = []
  private var following: [Int] = []
  /// For each instruction the position at which it was last added.
  private var added: [Int]
  private var stack: [Int] = []
  package private(set) var steps: Int
  /// How often a path was tested against a scalar, plus the number of scalars.
  package private(set) var moves = 0

  package init(program: RegexProgram, input: [UInt32], steps: Int) {
    (self.program, self.steps, self.input) = (program, steps, input)
    added = [Int](repeating: -1, count: program.instructions.count)
  }

  package mutating func matches() throws(StepLimitReached) -> Bool {
    if add(0, at: 0, toCurrent: true) { return true }
    for position in input.indices {
      if program.isAnchored, current.isEmpty { return false }
      moves += 1 + current.count
      for place in current {
        guard case .set(let set) = program.instructions[place],
          program.sets[set].contains(input[position])
        else { continue }
        if add(place + 1, at: position + 1, toCurrent: false) { return true }
      }
      if !program.isAnchored, add(0, at: position + 1, toCurrent: false) { return true }
      guard steps > 0 else { throw StepLimitReached() }
      swap(&current, &following)
      following.removeAll(keepingCapacity: true)
    }
    return false
  }

  /// Adds an instruction and all those reachable without consuming; returns true if that includes the end.
  private mutating func add(_ start: Int, at position: Int, toCurrent: Bool) -> Bool {
    stack.append(start)
    while let place = stack.popLast() {
      guard added[place] != position else { continue }
      added[place] = position
      steps -= 1
      switch program.instructions[place] {
      case .set: if toCurrent { current.append(place) } else { following.append(place) }
      case .split(let preferred, let other):
        stack.append(other)
        stack.append(preferred)
      case .jump(let target): stack.append(target)
      case .start, .end, .lineStart, .lineEnd, .wordBoundary:
        if program.instructions[place].holds(in: input, at: position) { stack.append(place + 1) }
      case .save, .clear: stack.append(place + 1)
      case .match:
        stack.removeAll(keepingCapacity: true)
        return true
      // The other instructions occur only in programs for the other matcher.
      case .setBackward, .backreference, .look, .markProgress, .requireProgress: break
      }
    }
    return false
  }
}

extension RegexInstruction {
  func holds(in input: [UInt32], at position: Int) -> Bool {
    switch self {
    case .start: return position == 0
    case .end: return position == input.count
    case .lineStart: return position == 0 || input[position - 1] == 0x0A
    case .lineEnd: return position == input.count || input[position] == 0x0A
    case .wordBoundary(let isNegated):
      let before = position > 0 && ScalarSet.word.contains(input[position - 1])
      let after = position < input.count && ScalarSet.word.contains(input[position])
      return (before != after) != isNegated
    default: return false
    }
  }
}
