/// A regular expression in RE2 syntax without `\C`, as the specification requires.
///
/// Matching simulates an automaton (after Thompson and Pike), in at most the product of the sizes of pattern and text.
struct RegularExpression: Sendable {
  struct PatternError: Error { let message: String }

  /// The maximum number of instructions for a pattern; `((a{99}){99}){99}` would need a million.
  static let maximumSize = 4000
  static let maximumLength = 4000
  private let program: RegexProgram
  /// Two slots for each group and for the whole match: where it starts and where it ends.
  let slotCount: Int

  init(_ pattern: String) throws(PatternError) {
    var parser = PatternParser(pattern)
    let tree = try parser.parse()
    var compiler = RegexCompiler(groupCount: parser.groupCount, maximumLength: Self.maximumSize)
    do {
      program = try compiler.program(of: tree)
    } catch { throw PatternError(message: "regular expression is too large") }
    slotCount = 2 * (parser.groupCount + 1)
  }

  var size: Int { program.size }

  func matches(in text: String, _ meter: inout Meter) throws(EvaluationError) -> Bool {
    try meter.charge(program.size / 8)
    let input = text.unicodeScalars.map(\.value)
    let allowance = min(meter.remaining, .max / 16) * 8 + 8
    var matcher = LinearMatcher(program: program, input: input, steps: allowance)
    let answer = try? matcher.matches()
    try meter.charge((allowance - matcher.steps + matcher.moves) / 8)
    // The charge throws where the matcher stopped.
    return answer == true
  }

  /// The capture of the first group, or of the whole pattern without groups, at the first match.
  func capture(in text: String, _ meter: inout Meter) throws(EvaluationError) -> String? {
    try meter.charge(program.size / 8)
    let scalars = Array(text.unicodeScalars)
    let allowance = min(meter.remaining, .max / 16) * 8 + 8
    var matcher = CapturingMatcher(program: program, input: scalars.map(\.value), steps: allowance)
    let slots = try? matcher.firstMatch()
    // The charge throws where the matcher stopped.
    try meter.charge((allowance - matcher.steps + scalars.count) / 8)
    guard let slots else { return nil }
    let group = slots.count > 2 ? 1 : 0
    guard slots[2 * group] >= 0, slots[2 * group + 1] >= slots[2 * group] else { return nil }
    var captured = String.UnicodeScalarView()
    captured.append(contentsOf: scalars[slots[2 * group]..<slots[2 * group + 1]])
    return String(captured)
  }
}
