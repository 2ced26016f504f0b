/// The syntax tree of a regular expression.
indirect enum PatternTree: Sendable {
  case empty
  case scalar(UInt32, ignoresCase: Bool)
  case set(ScalarSet)
  case any(includingNewline: Bool)
  case assertion(PatternAssertion)
  case sequence([PatternTree])
  case choice([PatternTree])
  case repetition(PatternTree, minimum: Int, maximum: Int?, isLazy: Bool)
}

/// Turns a tree into instructions.
struct PatternCompiler {
  private(set) var program: [PatternInstruction] = []
  private(set) var sets: [ScalarSet] = []

  mutating func compile(
    _ tree: PatternTree, groups: Int
  ) throws(RegularExpression.PatternError) {
    try emit(tree)
    try append(.match)
  }

  private mutating func append(
    _ instruction: PatternInstruction
  ) throws(RegularExpression.PatternError) {
    guard program.count < RegularExpression.maximumSize else {
      throw .init(message: "regular expression is too large")
    }
    program.append(instruction)
  }

  private mutating func emit(_ tree: PatternTree) throws(RegularExpression.PatternError) {
    switch tree {
    case .empty: break
    case .scalar(let scalar, let ignoresCase):
      try append(ignoresCase ? .foldedScalar(canonicalCase(scalar)) : .scalar(scalar))
    case .set(let set):
      sets.append(set)
      try append(.set(sets.count - 1))
    case .any(let includingNewline): try append(includingNewline ? .any : .anyButNewline)
    case .assertion(let assertion): try append(.assertion(assertion))
    case .sequence(let parts):
      for part in parts { try emit(part) }
    case .choice(let options): try emitChoice(options)
    case .repetition(let body, let minimum, let maximum, let isLazy):
      try emitRepetition(body, minimum, maximum, isLazy: isLazy)
    }
  }

  private mutating func emitChoice(
    _ options: [PatternTree]
  ) throws(RegularExpression.PatternError) {
    var ends: [Int] = []
    for option in options.dropLast() {
      let split = program.count
      try append(.split(split + 1, 0))
      try emit(option)
      ends.append(program.count)
      try append(.jump(0))
      program[split] = .split(split + 1, program.count)
    }
    if let last = options.last { try emit(last) }
    for end in ends { program[end] = .jump(program.count) }
  }

  private mutating func emitRepetition(
    _ body: PatternTree, _ minimum: Int, _ maximum: Int?, isLazy: Bool
  ) throws(RegularExpression.PatternError) {
    for _ in 0..<minimum {
      let size = program.count
      try emit(body)
      // A part that emits nothing would be repeated a million times for nothing.
      if program.count == size { break }
    }
    func split(_ into: Int, _ past: Int) -> PatternInstruction {
      isLazy ? .split(past, into) : .split(into, past)
    }
    if let maximum {
      var splits: [Int] = []
      for _ in 0..<max(0, maximum - minimum) {
        splits.append(program.count)
        try append(.split(0, 0))
        let size = program.count
        try emit(body)
        if program.count == size { break }
      }
      for place in splits { program[place] = split(place + 1, program.count) }
    } else {
      let loop = program.count
      try append(.split(0, 0))
      try emit(body)
      try append(.jump(loop))
      program[loop] = split(loop + 1, program.count)
    }
  }
}
