import Basics
import TestSupport
import Testing

@testable import JSONSchema

/// Both engines must have the same result where both have one.
struct MatcherAgreementTests {
  @Test(arguments: 0..<20)
  func `the linear and the backtracking engine agree`(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<30 {
      let source = Self.expression(depth: 3, &generator)
      var parser = RegexParser(source)
      let tree = try parser.parse()
      var compiler = RegexCompiler(groupCount: parser.groupCount, maximumLength: 10_000)
      let program = try compiler.program(of: tree)
      for _ in 0..<4 {
        let text = (0..<generator.next(9)).map { _ in "abc\n".randomElement(using: &generator) }
          .compactMap { $0.map(String.init) }.joined()
        let input = text.unicodeScalars.map(\.value)
        var linear = LinearMatcher(program: program, input: input, steps: 100_000)
        var other = BacktrackingMatcher(program: program, input: input, steps: 3_000)
        let answer = try linear.matches()
        // Exponential cases have no second opinion.
        guard let second = try? other.matches() else { continue }
        #expect(answer == second, "\(source.debugDescription) on \(text.debugDescription)")
      }
    }
  }

  private static func expression(depth: Int, _ generator: inout SeededGenerator) -> String {
    guard depth > 0 else { return ["a", "b", "c", ".", "[ab]", "[^a]", "\\w"][generator.next(7)] }
    let inner = { (generator: inout SeededGenerator) in
      expression(depth: depth - 1, &generator)
    }
    switch generator.next(8) {
    case 0: return "(" + inner(&generator) + "|" + inner(&generator) + ")"
    case 1: return "(?:" + inner(&generator) + ")*"
    case 2: return "(" + inner(&generator) + ")+?"
    case 3: return "(?:" + inner(&generator) + "){1,2}"
    case 4: return "^" + inner(&generator)
    case 5: return inner(&generator) + "$"
    case 6: return "(?:" + inner(&generator) + "|)" + "\\b"
    default: return inner(&generator) + inner(&generator)
    }
  }
}
