import CEL
import Testing

struct EvaluationTests {
  @Test(arguments: [
    ("1 + 9223372036854775807", "overflow"), ("1u - 2u", "overflow"), ("1 / 0", "division-by-zero"),
    ("1 % 0", "division-by-zero"), ("[1][1]", "index-out-of-range"),
    ("[1][-1]", "index-out-of-range"),
    ("{'a': 1}.b", "no-such-key"), ("{'a': 1}['b']", "no-such-key"),
    ("{1: 1, 1u: 2}", "invalid-key"),
    ("{dyn(1.5): 1}", "invalid-key"), ("int('x')", "invalid-argument"), ("int(1e19)", "overflow"),
    ("uint(-1)", "overflow"), ("timestamp('2020')", "invalid-argument"),
    ("duration('1')", "invalid-argument"), ("dyn(1) + 'a'", "no-such-overload"),
    ("dyn('a') && true", "no-such-overload"), ("optional.none().value()", "absent-value"),
    ("string(b'\\xff')", "invalid-argument"), ("'a'.charAt(2)", "index-out-of-range"),
    ("'x'.matches('(' + '')", "invalid-argument"), ("math.bitShiftLeft(1, -1)", "invalid-argument"),
    ("timestamp(0).getHours('Nowhere/Else')", "invalid-argument"),
    ("timestamp('9999-12-31T23:59:59Z') - timestamp('0001-01-01T00:00:00Z')", "overflow"),
    ("timestamp('2262-04-11T23:47:16.854775808Z') - timestamp(0)", "overflow"),
    ("'%s'.format([])", "invalid-argument"),
    ("'%z'.format([1])", "invalid-argument"), ("dyn(null).a", "no-such-key"),
  ])
  func `an evaluation without a value fails with a stable code`(
    _ source: String, _ code: String
  ) throws {
    let error = try #require(try failure(source))
    #expect(error.code.name == code, "\(error.message)")
    #expect(error.message.first?.isUppercase == false)
    #expect(!error.message.hasSuffix("."))
    #expect(!error.range.isEmpty)
  }

  @Test(arguments: [
    "dyn({'data': null}).?data.?id", "dyn(null).?id", "dyn(null)[?'id']", "dyn({'a': null}).?a[?0]",
  ])
  func `optional selection finds nothing in null`(_ source: String) throws {
    let error = try failure("[0][\(source).orValue('none') == 'none' ? 9 : 0]")
    #expect(error?.code.name == "index-out-of-range")
  }

  @Test func `an error names the part that has no value`() throws {
    let source = "1 + 2 > 3 || [1, 2][5 - 1] == 4"
    let error = try #require(try failure(source))
    #expect(text(source, error.range) == "[1, 2][5 - 1]")
  }

  @Test func `an error does not reveal the content of strings`() throws {
    let secret: [String: Value] = ["s": "hunter2", "m": ["hunter2": "hunter2"]]
    let sources = [
      "int(s)", "s + 1", "m[s + s]", "timestamp(s)", "bool(s)", "duration(s)", "s.charAt(99)",
      "base64.decode(s + '!')", "'a'.matches('[' + s)", "m.x", "s.x", "s[0]", "-s", "m + 1",
      "s in s",
      "timestamp(0).getDate(s)", "'%d'.format([s])", "(s + '%').format([])",
    ]
    for source in sources {
      let error = try #require(try failure(source, secret))
      #expect(!error.message.contains("hunter2"), "\(source): \(error.message)")
    }
  }

  @Test func `a variable without a value is an error only where it is used`() throws {
    let compiled = try expression("a || b", declaring: ["a": .bool, "b": .bool])
    #expect(try compiled.evaluate(["a": true]) == true)
    #expect(try compiled.evaluate(["b": true]) == true)
    #expect(throws: EvaluationError.self) { try compiled.evaluate(["a": false]) }
  }

  @Test func `a value of another kind than declared is an error`() throws {
    let compiled = try expression("a.size() + b", declaring: ["a": .string, "b": .int])
    #expect(try compiled.evaluate(["a": "xy", "b": 1]) == 3)
    for values: [String: Value] in [["a": [1], "b": 1], ["a": 1, "b": 1], ["a": "x", "b": "y"]] {
      #expect(throws: EvaluationError.self) { try compiled.evaluate(values) }
    }
  }

  @Test func `the same expression runs on many threads at once`() async throws {
    let compiled = try expression(
      "cel.bind(x, a * 2, [1, 2, 3].map(y, x + y).exists(z, z == a * 2 + 3))",
      declaring: ["a": .int])
    let results = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<64 {
        group.addTask {
          (0..<50).allSatisfy { _ in (try? compiled.evaluate(["a": .int(Int64(number))])) == true }
        }
      }
      return await group.reduce(into: [Bool]()) { $0.append($1) }
    }
    #expect(results.count == 64)
    #expect(results.allSatisfy { $0 })
  }

  @Test func `text is compared by code points`() throws {
    #expect(try evaluate("'\\u00e9' == 'e\\u0301'") == false)
    #expect(try evaluate("{'\\u00e9': 1}.size() == 1 && !('e\\u0301' in {'\\u00e9': 1})") == true)
    #expect(try evaluate("'e\\u0301'.size()") == 2)
    #expect(try evaluate("'\\uffff' < '\\U00010000'") == true)
  }

  @Test func `locals of nested macros do not mix`() throws {
    #expect(
      try evaluate("[1, 2].map(x, [3, 4].map(y, [x, y].map(x, x * 10)))")
        == [[[10, 30], [10, 40]], [[20, 30], [20, 40]]])
    #expect(
      try evaluate("[1].map(x, cel.bind(y, x + 1, [y, x].transformList(i, v, i + v)))") == [[2, 2]])
  }
}
