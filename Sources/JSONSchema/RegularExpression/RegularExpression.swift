/// A regular expression in the ECMA-262 dialect with the `u` flag, as JSON Schema requires
/// (core §6.4), matched anywhere in a string, over Unicode scalars.
///
/// Expressions without back-references and look-around run in time linear in the string; the
/// others, and huge repetitions, end after a fixed number of steps with an error.
/// Beyond strict `u` syntax, any punctuation may be escaped, and a lone `{`, `}` or `]` is
/// literal, as ECMA-262 annex B allows. Not supported: `Script_Extensions`, modifiers `(?i:…)`.
public struct RegularExpression: Sendable {
  /// Why a text is not a valid regular expression.
  public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The message, in lower case, without a final full stop.
    public let message: String
    /// The number of Unicode scalars before the error.
    public let offset: Int

    /// Message and position.
    public var description: String { "\(message) at offset \(offset)" }
  }

  /// A match was stopped because it took too many steps.
  public struct StepLimitReached: Error, Hashable, Sendable {}

  /// The expression as written.
  public let source: String
  private let program: RegexProgram

  /// Compiles an expression.
  public init(_ source: String) throws(SyntaxError) {
    var parser = RegexParser(source)
    let tree = try parser.parse()
    var compiler = RegexCompiler(groupCount: parser.groupCount)
    self.source = source
    program = try compiler.program(of: tree)
  }

  /// Whether the expression matches somewhere in `text`.
  public func matches(_ text: String) throws(StepLimitReached) -> Bool {
    var steps = Self.stepLimit
    return try matches(text, steps: &steps)
  }

  /// Whether the expression matches, taking its steps from an allowance that several matches
  /// share; a few steps a scalar are free, so that long documents do not use it up.
  func matches(_ text: String, steps allowance: inout Int) throws(StepLimitReached) -> Bool {
    let input = text.unicodeScalars.map(\.value)
    let free = 64 * (input.count + 1)
    var steps = allowance + free
    defer { allowance = min(allowance, steps) }
    return try run(input, steps: &steps)
  }

  private func run(_ input: [UInt32], steps: inout Int) throws(StepLimitReached) -> Bool {
    if program.needsBacktracking {
      var matcher = BacktrackingMatcher(program: program, input: input, steps: steps)
      defer { steps = matcher.steps }
      return try matcher.matches()
    }
    var matcher = LinearMatcher(program: program, input: input, steps: steps)
    defer { steps = matcher.steps }
    return try matcher.matches()
  }

  /// How many steps one match, or one validation, may take.
  static let stepLimit = 2_000_000
}

/// The syntax tree of an expression.
indirect enum RegexNode {
  case empty
  case set(ScalarSet)
  case start
  case end
  case wordBoundary(isNegated: Bool)
  case sequence([RegexNode])
  case alternatives([RegexNode])
  case capture(RegexNode, group: Int)
  case backreference(group: Int)
  case look(RegexNode, isAhead: Bool, isNegated: Bool)
  case repetition(RegexNode, minimum: Int, maximum: Int?, isLazy: Bool, groups: Range<Int>)
}

/// An instruction; numbers are places in the program, in its sets, slots or registers.
enum RegexInstruction {
  case set(Int)
  case setBackward(Int)
  case split(preferred: Int, other: Int)
  case jump(Int)
  case start
  case end
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

/// A compiled expression.
struct RegexProgram: Sendable {
  var instructions: [RegexInstruction] = []
  var sets: [ScalarSet] = []
  var slotCount = 0
  var registerCount = 0
  var needsBacktracking = false
  /// Whether a match can only begin at the start of the string.
  var isAnchored = false
}

extension RegexInstruction: Sendable {}
