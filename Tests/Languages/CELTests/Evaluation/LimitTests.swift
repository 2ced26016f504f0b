import CEL
import Testing

struct LimitTests {
  /// Enough for any sensible expression, little enough for a debug build.
  private static let limits = EvaluationLimits(cost: 100_000)

  /// `n` bindings, each twice as large as the one before.
  private static func doubling(_ start: String, _ count: Int, _ step: (String) -> String) -> String
  {
    var source = "x\(count)"
    for index in stride(from: count, through: 1, by: -1) {
      let previous = index == 1 ? start : "x\(index - 1)"
      source = "cel.bind(x\(index), \(step(previous)), \(source))"
    }
    return source
  }

  private static let digits = "[0,1,2,3,4,5,6,7,8,9]"

  private static func nested(_ depth: Int, _ macro: String, _ body: String) -> String {
    (0..<depth).reduce(body) { inner, level in "\(digits).\(macro)(v\(level), \(inner))" }
  }

  static let sources: [String] = [
    doubling("'abcdefgh'", 60) { "\($0) + \($0)" },
    doubling("b'abcdefgh'", 60) { "\($0) + \($0)" },
    doubling("[1]", 60) { "\($0) + \($0)" },
    doubling("[1]", 60) { "[\($0), \($0)]" },
    doubling("{'a': 1}", 60) { "{'a': \($0), 'b': \($0)}" },
    doubling("optional.of([1])", 60) { "optional.of([\($0), \($0)])" },
    doubling("'ab'", 60) { "\($0).replace('', \($0))" },
    doubling("'ab'", 60) { "\($0).split('').join(\($0))" },
    doubling("'ab'", 60) { "'%s%s'.format([\($0), \($0)])" },
    "cel.bind(d, \(doubling("[1]", 60) { "[\($0), \($0)]" }), d == d)",
    "size(\(doubling("[1]", 60) { "[\($0), \($0)]" }).map(x, string(x.size())).join('')) + "
      + "'%s'.format([\(doubling("[1]", 60) { "[\($0), \($0)]" })]).size()",
    nested(8, "map", "1"), nested(8, "all", "true"), nested(8, "exists", "false"),
    nested(8, "all", "1/0 == 1 || true"),
    nested(6, "all", "'aaaaaaaaaaaaaaaaaaa'.matches('(a+)+' + 'b') || true"),
    "cel.bind(l, \(doubling("[1, 2]", 13) { "\($0) + \($0)" }), l.all(a, l.all(b, a in l || b in l)))",
    "cel.bind(t, \(doubling("'aaaa'", 14) { "\($0) + \($0)" }), "
      + "\(digits).all(x, \(digits).all(y, t.matches('(a?){500}' + 'b') || t.contains(t) || true)))",
  ]

  @Test(arguments: sources.indices)
  func `endless growth and endless loops stop at the limit`(_ index: Int) throws {
    let error = try failure(Self.sources[index], limits: Self.limits)
    #expect(error?.code == .costExceeded)
    #expect(error?.range.isEmpty == false)
  }

  @Test func `the limit is not absorbed`() throws {
    let source = "\(Self.nested(8, "all", "true")) || true"
    #expect(try failure(source, limits: Self.limits)?.code == .costExceeded)
  }

  @Test func `a text does not exceed the limit`() throws {
    let source = Self.doubling("'abcdefgh'", 10) { "\($0) + \($0)" }
    let compiled = try expression(source)
    #expect(throws: Never.self) { try compiled.evaluate(limits: .init(cost: 10_000, size: 8_192)) }
    let error = #expect(throws: EvaluationError.self) {
      try compiled.evaluate(limits: .init(cost: 10_000, size: 8_191))
    }
    #expect(error?.code == .tooLarge)
    let escaped = try expression("base64.encode(b'abcdef')")
    #expect(throws: EvaluationError.self) {
      try escaped.evaluate(limits: .init(cost: 10_000, size: 7))
    }
  }

  @Test func `a definition that others read twice is evaluated and referred to once`() throws {
    var environment = Environment.standard
    environment.declare("x", as: .int)
    var name = "x"
    for index in 0..<150 {
      let value = try #require(environment.compile("\(name) + \(name) * 0").expression)
      environment.define("d\(index)", as: value)
      name = "d\(index)"
    }
    let compiled = try #require(environment.compile(name).expression)
    #expect(compiled.references.map(\.path) == ["x"])
    #expect(try compiled.evaluate(["x": 7], limits: EvaluationLimits(cost: 1_000)) == 7)
  }

  @Test func `an expression whose cost equals the limit is evaluated`() throws {
    let compiled = try expression("1 + 2 + 3")
    #expect(try compiled.evaluate(limits: EvaluationLimits(cost: 2)) == 6)
    #expect(throws: EvaluationError.self) {
      try compiled.evaluate(limits: EvaluationLimits(cost: 1))
    }
    #expect(throws: EvaluationError.self) {
      try compiled.evaluate(limits: EvaluationLimits(cost: .min))
    }
  }
}
