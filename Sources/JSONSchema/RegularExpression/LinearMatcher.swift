/// Follows all paths through a program at once, so that no string takes more than linear time.
struct LinearMatcher {
  private let program: RegexProgram
  private let input: [UInt32]
  private var current: [Int] = []
  private var following: [Int] = []
  /// For each instruction the position at which it was last added.
  private var added: [Int]
  private var stack: [Int] = []
  /// The steps that are left.
  private(set) var steps: Int

  init(program: RegexProgram, input: [UInt32], steps: Int) {
    self.program = program
    self.steps = steps
    self.input = input
    added = [Int](repeating: -1, count: program.instructions.count)
  }

  mutating func matches() throws(RegularExpression.StepLimitReached) -> Bool {
    if add(0, at: 0, to: \.current) { return true }
    for position in input.indices {
      if program.isAnchored, current.isEmpty { return false }
      for place in current {
        guard case .set(let set) = program.instructions[place],
          program.sets[set].contains(input[position])
        else { continue }
        if add(place + 1, at: position + 1, to: \.following) { return true }
      }
      if !program.isAnchored, add(0, at: position + 1, to: \.following) { return true }
      guard steps > 0 else {
        throw RegularExpression.StepLimitReached()
      }
      swap(&current, &following)
      following.removeAll(keepingCapacity: true)
    }
    return false
  }

  /// Adds an instruction and all those reachable without consuming; returns true if that includes the end.
  private mutating func add(
    _ start: Int, at position: Int, to list: WritableKeyPath<LinearMatcher, [Int]>
  ) -> Bool {
    stack.append(start)
    while let place = stack.popLast() {
      guard added[place] != position else { continue }
      added[place] = position
      steps -= 1
      switch program.instructions[place] {
      case .set: self[keyPath: list].append(place)
      case .split(let preferred, let other):
        stack.append(other)
        stack.append(preferred)
      case .jump(let target): stack.append(target)
      case .start: if position == 0 { stack.append(place + 1) }
      case .end: if position == input.count { stack.append(place + 1) }
      case .wordBoundary(let isNegated):
        if RegexWord.isBoundary(input, position) != isNegated { stack.append(place + 1) }
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

/// The notion of a word that `\b` and `\w` share (ECMA-262 §22.2.2.9.4).
enum RegexWord {
  static func isWord(_ value: UInt32) -> Bool {
    switch value {
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
    default: false
    }
  }

  static func isBoundary(_ input: [UInt32], _ position: Int) -> Bool {
    let before = position > 0 && isWord(input[position - 1])
    let after = position < input.count && isWord(input[position])
    return before != after
  }
}
