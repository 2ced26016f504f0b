/// A regular expression in the ECMA-262 dialect with the `u` flag, matched anywhere in a string (core §6.4).
///
/// Expressions with back-references, look-around or huge repetitions end after a fixed number of steps with an error; any other
/// needs linear time. Escaped punctuation and a lone `{`, `}` or `]` are literal, as annex B allows. Not supported:
/// `Script_Extensions`, modifiers `(?i:…)`.
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

  /// A match was stopped because it needed too many steps.
  public struct StepLimitReached: Error, Hashable, Sendable {}

  /// The expression as written.
  public let source: String
  private let program: RegexProgram

  /// Compiles an expression.
  public init(_ source: String) throws(SyntaxError) {
    var parser = RegexParser(source)
    let tree = try parser.parse()
    // Repetitions are written out, so a program can be much longer than its expression.
    var compiler = RegexCompiler(groupCount: parser.groupCount, maximumLength: 200_000)
    self.source = source
    do {
      program = try compiler.program(of: tree)
    } catch { throw SyntaxError(message: "the repetitions are too large", offset: 0) }
  }

  /// Whether the expression matches somewhere in `text`.
  public func matches(_ text: String) throws(StepLimitReached) -> Bool {
    var steps = Self.stepLimit
    return try matches(text, steps: &steps)
  }

  /// Whether the expression matches, with steps that several matches share; a few a scalar are free.
  func matches(_ text: String, steps allowance: inout Int) throws(StepLimitReached) -> Bool {
    let input = text.unicodeScalars.map(\.value)
    let free = 64 * (input.count + 1)
    var steps = allowance + free
    defer { allowance = min(allowance, steps) }
    return try run(input, steps: &steps)
  }

  private func run(_ input: [UInt32], steps: inout Int) throws(StepLimitReached) -> Bool {
    do {
      if program.needsBacktracking {
        var matcher = BacktrackingMatcher(program: program, input: input, steps: steps)
        defer { steps = matcher.steps }
        return try matcher.matches()
      }
      var matcher = LinearMatcher(program: program, input: input, steps: steps)
      defer { steps = matcher.steps }
      return try matcher.matches()
    } catch { throw StepLimitReached() }
  }

  /// Maximum number of steps of one match or one validation.
  static let stepLimit = 2_000_000
}
