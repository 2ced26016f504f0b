import CEL
import TestSupport
import Testing

/// Expressions that no one would write: each has a result or an error soon.
struct GeneratedExpressionTests {
  private static let environment: Environment = {
    var environment = Environment.standard
    environment.declare("a", as: .dyn)
    environment.declare("b.c", as: .string)
    environment.declare("list", as: .list(.dyn))
    environment.declare("m", as: .map(.string, .dyn))
    return environment
  }()

  private static let values: [String: Value] = [
    "a": 3, "b.c": "text", "list": [1, "two", 3.0, [4]], "m": ["a": 1, "b": ["c": .null]],
  ]

  @Test(arguments: 0..<UInt64(2))
  func `no expression crashes or runs for long`(_ part: UInt64) throws {
    let fuzz = Fuzz("expressions", inputs: 2400, share: 0.15, part: part, of: 2)
    while let seed = try fuzz.next() {
      var generator = ExpressionGenerator(seed: seed)
      let source = generator.source()
      fuzz.trying(source, seed: seed)
      let time = ProcessorTime.ofThread {
        Self.run(source, isChecked: true)
        Self.run(source, isChecked: false)
      }
      #expect(time < 1, "seed \(seed): \(source)")
    }
  }

  @Test func `the generator makes expressions that have values, errors and issues`() {
    var generator = ExpressionGenerator(seed: 7)
    var outcomes: [String: Int] = [:]
    for _ in 0..<500 {
      outcomes[Self.run(generator.source(), isChecked: true), default: 0] += 1
      outcomes[Self.run(generator.source(), isChecked: false), default: 0] += 1
    }
    #expect(outcomes.values.allSatisfy { $0 > 20 })
    #expect(outcomes.count == 3)
  }

  @Test func `checked and unchecked evaluation agree`() {
    var generator = ExpressionGenerator(seed: 11)
    var compared = 0
    for _ in 0..<1000 {
      let source = generator.source()
      guard let checked = Self.environment.compile(source).expression,
        let unchecked = Self.environment.compile(source, isChecked: false).expression
      else { continue }
      let limits = EvaluationLimits(cost: 50_000)
      let first = try? checked.evaluate(Self.values, limits: limits)
      let second = try? unchecked.evaluate(Self.values, limits: limits)
      #expect(first == second, "\(source)")
      compared += 1
    }
    #expect(compared > 100)
  }

  @discardableResult
  private static func run(_ source: String, isChecked: Bool) -> String {
    let compilation = environment.compile(source, isChecked: isChecked)
    guard let expression = compilation.expression else {
      let end = source.unicodeScalars.count
      let places = compilation.issues.map(\.range)
      #expect(!places.isEmpty && places.allSatisfy { $0.upperBound <= end }, "\(source)")
      return "issues"
    }
    do {
      let value = try expression.evaluate(values, limits: EvaluationLimits(cost: 50_000))
      return value.jsonText().isEmpty ? "empty" : "value"
    } catch {
      return error.message.isEmpty ? "silent" : "error"
    }
  }
}
