/// What an expression says.
package indirect enum RegexNode {
  case empty
  case set(ScalarSet)
  case start
  case end
  case lineStart
  case lineEnd
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
  case start
  case end
  case lineStart
  case lineEnd
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
package struct RegexProgram: Sendable {
  /// The repetitions are written out, and are too large for the allowance.
  package struct TooLarge: Error {}

  /// A match was given up because it took too many steps.
  package struct StepLimitReached: Error {}

  var instructions: [RegexInstruction] = []
  var sets: [ScalarSet] = []
  var slotCount = 0
  var registerCount = 0
  package var needsBacktracking = false
  /// Whether a match can only begin at the start of the string.
  var isAnchored = false

  /// The number of instructions.
  package var size: Int { instructions.count }
}
