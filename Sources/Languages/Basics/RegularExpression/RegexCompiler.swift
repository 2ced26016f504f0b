package struct RegexCompiler {
  package typealias TooLarge = RegexProgram.TooLarge
  private let maximumLength: Int
  private var program = RegexProgram()
  private let groupCount: Int

  package init(groupCount: Int, maximumLength: Int) {
    (self.groupCount, self.maximumLength) = (groupCount, maximumLength)
  }

  package mutating func program(of tree: RegexNode) throws(TooLarge) -> RegexProgram {
    program.slotCount = 2 * (groupCount + 1)
    program.needsBacktracking = Self.needsBacktracking(tree)
    program.isAnchored = Self.isAnchored(tree)
    try emit(tree, isBackward: false)
    try append(.match)
    return program
  }

  private static func needsBacktracking(_ node: RegexNode) -> Bool {
    switch node {
    case .backreference, .look: true
    case .sequence(let nodes), .alternatives(let nodes): nodes.contains(where: needsBacktracking)
    case .capture(let inner, _), .repetition(let inner, _, _, _, _): needsBacktracking(inner)
    default: false
    }
  }

  private static func isAnchored(_ node: RegexNode) -> Bool {
    switch node {
    case .start: true
    case .sequence(let nodes): nodes.first.map(isAnchored) ?? false
    case .alternatives(let nodes): nodes.allSatisfy(isAnchored)
    case .capture(let inner, _): isAnchored(inner)
    default: false
    }
  }

  @discardableResult
  private mutating func append(_ instruction: RegexInstruction) throws(TooLarge) -> Int {
    guard program.instructions.count < maximumLength else { throw TooLarge() }
    program.instructions.append(instruction)
    return program.instructions.count - 1
  }

  private var next: Int { program.instructions.count }

  private mutating func emit(_ node: RegexNode, isBackward: Bool) throws(TooLarge) {
    switch node {
    case .empty: break
    case .set(let set):
      program.sets.append(set)
      let place = program.sets.count - 1
      try append(isBackward ? .setBackward(place) : .set(place))
    case .start: try append(.start)
    case .end: try append(.end)
    case .lineStart: try append(.lineStart)
    case .lineEnd: try append(.lineEnd)
    case .wordBoundary(let isNegated): try append(.wordBoundary(isNegated: isNegated))
    case .sequence(let nodes):
      for inner in isBackward ? nodes.reversed() : nodes { try emit(inner, isBackward: isBackward) }
    case .alternatives(let nodes): try emitAlternatives(nodes, isBackward: isBackward)
    case .capture(let inner, let group):
      try append(.save(2 * group + (isBackward ? 1 : 0)))
      try emit(inner, isBackward: isBackward)
      try append(.save(2 * group + (isBackward ? 0 : 1)))
    case .backreference(let group): try append(.backreference(group: group, isBackward: isBackward))
    case .look(let inner, let isAhead, let isNegated):
      let place = try append(.match)
      try emit(inner, isBackward: !isAhead)
      try append(.match)
      program.instructions[place] = .look(isNegated: isNegated, next: next)
    case .repetition: try emitRepetition(node, isBackward: isBackward)
    }
  }

  private mutating func emitAlternatives(_ nodes: [RegexNode], isBackward: Bool) throws(TooLarge) {
    var exits: [Int] = []
    for (place, inner) in nodes.enumerated() {
      guard place < nodes.count - 1 else {
        try emit(inner, isBackward: isBackward)
        break
      }
      let split = try append(.match)
      try emit(inner, isBackward: isBackward)
      exits.append(try append(.match))
      program.instructions[split] = .split(preferred: split + 1, other: next)
    }
    for exit in exits { program.instructions[exit] = .jump(next) }
  }

  private mutating func emitRepetition(_ node: RegexNode, isBackward: Bool) throws(TooLarge) {
    guard case .repetition(let inner, let minimum, let maximum, let isLazy, let groups) = node
    else { return }
    let slots = (2 * groups.lowerBound)..<(2 * groups.upperBound)
    for _ in 0..<minimum {
      let before = next
      if !slots.isEmpty { try append(.clear(slots)) }
      try emit(inner, isBackward: isBackward)
      // Repeating an empty program changes nothing.
      if next == before { return }
    }
    guard let maximum else {
      try emitLoop(inner, slots, isLazy: isLazy, isBackward: isBackward)
      return
    }
    var splits: [Int] = []
    for _ in minimum..<max(minimum, maximum) {
      splits.append(try append(.match))
      try emitOnce(inner, slots, isBackward: isBackward)
    }
    for split in splits { setSplit(split, isLazy: isLazy, exit: next) }
  }

  private mutating func setSplit(_ place: Int, isLazy: Bool, exit: Int) {
    program.instructions[place] =
      isLazy ? .split(preferred: exit, other: place + 1) : .split(preferred: place + 1, other: exit)
  }

  /// One optional round; a round that consumes nothing is refused (ECMA-262 §22.2.2.3.1).
  private mutating func emitOnce(
    _ inner: RegexNode, _ slots: Range<Int>, isBackward: Bool
  ) throws(TooLarge) {
    guard program.needsBacktracking else {
      try emit(inner, isBackward: isBackward)
      return
    }
    let register = program.registerCount
    program.registerCount += 1
    try append(.markProgress(register))
    if !slots.isEmpty { try append(.clear(slots)) }
    try emit(inner, isBackward: isBackward)
    try append(.requireProgress(register))
  }

  private mutating func emitLoop(
    _ inner: RegexNode, _ slots: Range<Int>, isLazy: Bool, isBackward: Bool
  ) throws(TooLarge) {
    let split = try append(.match)
    try emitOnce(inner, slots, isBackward: isBackward)
    try append(.jump(split))
    setSplit(split, isLazy: isLazy, exit: next)
  }
}

package indirect enum RegexNode {
  case empty
  case set(ScalarSet)
  case start, end, lineStart, lineEnd
  case wordBoundary(isNegated: Bool)
  case sequence([RegexNode])
  case alternatives([RegexNode])
  case capture(RegexNode, group: Int)
  case backreference(group: Int)
  case look(RegexNode, isAhead: Bool, isNegated: Bool)
  case repetition(RegexNode, minimum: Int, maximum: Int?, isLazy: Bool, groups: Range<Int>)
}

/// An instruction; numbers are places in the program, in its sets, slots or registers.
enum RegexInstruction: Sendable {
  case set(Int)
  case setBackward(Int)
  case split(preferred: Int, other: Int)
  case jump(Int)
  case start, end, lineStart, lineEnd
  case wordBoundary(isNegated: Bool)
  case save(Int)
  case clear(Range<Int>)
  case backreference(group: Int, isBackward: Bool)
  /// The body follows and ends in `match`; `next` comes after it.
  case look(isNegated: Bool, next: Int)
  case markProgress(Int)
  case requireProgress(Int)
  case match
}

package struct RegexProgram: Sendable {
  /// The repetitions are written out, and are too large for the allowance.
  package struct TooLarge: Error {}
  package struct StepLimitReached: Error {}
  var instructions: [RegexInstruction] = []
  var sets: [ScalarSet] = []
  var slotCount = 0
  var registerCount = 0
  package var needsBacktracking = false
  /// Whether a match is only possible at the start of the string.
  var isAnchored = false
  package var size: Int { instructions.count }
}
