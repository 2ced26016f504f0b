/// A regular expression in RE2 syntax, as the specification requires.
///
/// Matching simulates an automaton (after Thompson and Pike): its time is at most proportional to
/// the product of the sizes of pattern and text. Not supported: `\C`, which matches part of a code
/// point.
struct RegularExpression: Sendable {
  /// Why a pattern is invalid.
  struct PatternError: Error {
    let message: String
  }

  /// The maximum number of instructions for a pattern; `((a{99}){99}){99}` would need a million.
  static let maximumSize = 4000
  static let maximumLength = 4000

  private let program: [PatternInstruction]
  private let sets: [ScalarSet]
  /// Two slots for each group and for the whole match: its start and its end.
  let slotCount: Int

  init(_ pattern: String) throws(PatternError) {
    var parser = PatternParser(pattern)
    let tree = try parser.parse()
    var compiler = PatternCompiler()
    try compiler.compile(tree, groups: parser.groupCount)
    program = compiler.program
    sets = compiler.sets
    slotCount = 2 * (parser.groupCount + 1)
  }

  /// The number of instructions.
  var size: Int { program.count }

  /// Whether the pattern occurs anywhere in the text.
  func matches(in text: String, _ meter: inout Meter) throws(EvaluationError) -> Bool {
    var machine = PatternMachine(program: program, sets: sets)
    return try machine.run(text, &meter)
  }
}

enum PatternInstruction: Sendable {
  case scalar(UInt32)
  /// A scalar, ignoring case; the operand is in its canonical case.
  case foldedScalar(UInt32)
  case set(Int)
  case any
  case anyButNewline
  case assertion(PatternAssertion)
  case jump(Int)
  /// Either way, the first by preference.
  case split(Int, Int)
  case match
}

enum PatternAssertion: Sendable {
  case textStart, textEnd, lineStart, lineEnd, wordBoundary, noWordBoundary

  func holds(after previous: UInt32?, before next: UInt32?) -> Bool {
    switch self {
    case .textStart: previous == nil
    case .textEnd: next == nil
    case .lineStart: previous == nil || previous == 0x0A
    case .lineEnd: next == nil || next == 0x0A
    case .wordBoundary: isWord(previous) != isWord(next)
    case .noWordBoundary: isWord(previous) == isWord(next)
    }
  }

  /// Words are of ASCII letters, digits and `_`, as in RE2.
  private func isWord(_ scalar: UInt32?) -> Bool {
    guard let scalar else { return false }
    switch scalar {
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: return true
    default: return false
    }
  }
}

/// Runs a program over a text, all threads at once.
private struct PatternMachine {
  let program: [PatternInstruction]
  let sets: [ScalarSet]
  /// For each instruction, the step at which a thread was last added to it.
  private var marks: [Int]
  private var current: [Int] = []
  private var following: [Int] = []
  private var stack: [Int] = []
  private var step = 0
  private var work = 0

  init(program: [PatternInstruction], sets: [ScalarSet]) {
    self.program = program
    self.sets = sets
    marks = Array(repeating: -1, count: program.count)
  }

  mutating func run(_ text: String, _ meter: inout Meter) throws(EvaluationError) -> Bool {
    try meter.charge(program.count / 8)
    var previous: UInt32?
    var scalars = text.unicodeScalars.makeIterator()
    var next = scalars.next()?.value
    while true {
      // A match may begin anywhere.
      if add(0, previous, next, toCurrent: true) { return true }
      guard let scalar = next else { return false }
      next = scalars.next()?.value
      step += 1
      if advance(over: scalar, before: next) { return true }
      previous = scalar
      swap(&current, &following)
      following.removeAll(keepingCapacity: true)
      if work >= 1024 {
        try meter.charge(work / 8)
        work = 0
      }
    }
  }

  /// Advances every thread by one scalar; returns whether one reached the match.
  private mutating func advance(over scalar: UInt32, before next: UInt32?) -> Bool {
    work += 1 + current.count
    for place in current {
      let isAccepted: Bool
      switch program[place] {
      case .scalar(let expected): isAccepted = scalar == expected
      case .foldedScalar(let expected): isAccepted = canonicalCase(scalar) == expected
      case .set(let index): isAccepted = sets[index].contains(scalar)
      case .any: isAccepted = true
      case .anyButNewline: isAccepted = scalar != 0x0A
      default: isAccepted = false
      }
      if isAccepted, add(place + 1, scalar, next, toCurrent: false) { return true }
    }
    return false
  }

  /// Adds a thread to every instruction reachable without consuming input; returns whether the
  /// match is among them.
  private mutating func add(
    _ start: Int, _ previous: UInt32?, _ next: UInt32?, toCurrent: Bool
  ) -> Bool {
    stack.append(start)
    while let place = stack.popLast() {
      if marks[place] == step { continue }
      marks[place] = step
      work += 1
      switch program[place] {
      case .match:
        return true
      case .jump(let target): stack.append(target)
      case .split(let first, let second):
        stack.append(second)
        stack.append(first)
      case .assertion(let assertion):
        if assertion.holds(after: previous, before: next) { stack.append(place + 1) }
      default:
        if toCurrent { current.append(place) } else { following.append(place) }
      }
    }
    return false
  }
}
