import CEL
import Testing

struct CheckerTests {
  @Test(arguments: [
    ("1 + 'a'", "1 + 'a'", "no-such-overload"),
    ("!1", "!1", "no-such-overload"),
    ("1 && true", "1", "type-mismatch"),
    ("1 ? 2 : 3", "1", "type-mismatch"),
    ("true ? 1 : 'a'", "1 : 'a'", "no-such-overload"),
    ("'a'.size(1)", "'a'.size(1)", "no-such-overload"),
    ("nothing", "nothing", "undeclared-reference"),
    ("nothing()", "nothing", "undeclared-function"),
    ("'a'.nothing()", "nothing", "undeclared-function"),
    ("math.nothing(1)", "math.nothing", "undeclared-function"),
    ("1.5.foo", "foo", "type-mismatch"),
    ("[1]['a']", "'a'", "type-mismatch"),
    ("{'a': 1}[1]", "1", "type-mismatch"),
    ("1[0]", "1", "type-mismatch"),
    ("1.map(x, x)", "1", "type-mismatch"),
    ("[1].filter(x, x)", "x", "type-mismatch"),
    ("{1.5: 1}", "1.5", "type-mismatch"),
    ("'a'.matches('(')", "'('", "invalid-pattern"),
    ("1 == 'a'", "1 == 'a'", "no-such-overload"),
    ("optional.of(1).orValue('a')", "optional.of(1).orValue('a')", "no-such-overload"),
    ("[?1]", "1", "type-mismatch"),
  ])
  func `an expression without a type is reported at its place`(
    _ source: String, _ place: String, _ code: String
  ) throws {
    let compilation = issues(source)
    #expect(compilation.expression == nil)
    let issue = try #require(compilation.issues.first)
    #expect(issue.code.name == code, "\(issue.message)")
    #expect(text(source, issue.range) == place)
    #expect(compilation.issues.count == 1, "\(compilation.issues.map(\.message))")
  }

  @Test func `a refused call lists the accepted types`() {
    #expect(
      issues("'a'.startsWith(1)").issues.first?.message
        == "'startsWith' does not accept string.(int); it accepts string.(string)")
    #expect(
      issues("1u % 1.0").issues.first?.message
        == "operator '%' does not accept (uint, double); it accepts (int, int), (uint, uint)")
    #expect(
      issues("math.greatest('a')").issues.first?.message
        .hasPrefix("'math.greatest' does not accept (string)") == true)
  }

  @Test func `each thing wrong is reported once`() {
    let source = "a1 + b1 == c1 && 'x'.foo(d1)"
    let places = issues(source).issues.map { text(source, $0.range) }
    #expect(places == ["a1", "b1", "c1", "foo", "d1"])
  }

  @Test(arguments: [
    ("1 + 2", ValueType.int), ("[1, 'a']", .list(.dyn)),
    ("{'a': [1u]}", .map(.string, .list(.uint))),
    ("a", .dyn), ("a == 1", .bool), ("[]", .list(.dyn)), ("{}", .map(.dyn, .dyn)),
    ("optional.none()", .optional(.dyn)), ("type(1)", .type(.int)), ("int", .type(.int)),
    ("[[], [[]], [[[]]]]", .list(.list(.list(.list(.dyn))))),
    ("timestamp('2020-01-01T00:00:00Z') - timestamp('2020-01-01T00:00:00Z')", .duration),
    ("[1].map(x, string(x))", .list(.string)),
    ("{'a': 1}.transformMap(k, v, k)", .map(.string, .string)),
    ("o.name", .string), ("o.?name", .optional(.string)), ("o['name']", .string),
    ("o.maybe", .nullable(.int)),
    ("o.open.x", .dyn), ("[duration('1s'), null][0]", .duration), ("o.maybe == null", .bool),
    ("math.greatest(1, 2.0)", .dyn), ("math.greatest(1, 2)", .int),
    ("[o].map(x, x.name)", .list(.string)),
    ("cel.bind(x, 1, [x])", .list(.int)),
    ("optional.of(1).optMap(x, string(x))", .optional(.string)),
    ("{'a': 1}.transformMapEntry(k, v, {v: k})", .map(.int, .string)),
  ])
  func `types are deduced`(_ source: String, _ type: ValueType) throws {
    let open = ObjectType(name: "open", fields: [:], isOpen: true)
    let object = ObjectType(
      name: "thing",
      fields: ["name": .string, "maybe": .nullable(.int), "open": .object(open)])
    let compiled = try expression(source, declaring: ["a": .dyn, "o": .object(object)])
    #expect(compiled.type == type)
  }

  @Test func `types are assignable as gradual typing has it`() {
    #expect(ValueType.int.isAssignable(to: .dyn))
    #expect(ValueType.list(.dyn).isAssignable(to: .list(.int)))
    #expect(ValueType.null.isAssignable(to: .nullable(.int)))
    #expect(ValueType.int.isAssignable(to: .nullable(.int)))
    #expect(ValueType.object(.init(name: "o", fields: [:])).isAssignable(to: .map(.string, .dyn)))
    #expect(!ValueType.null.isAssignable(to: .int))
    #expect(!ValueType.int.isAssignable(to: .double))
    #expect(!ValueType.list(.string).isAssignable(to: .list(.int)))
    #expect(!ValueType.object(.init(name: "o", fields: [:])).isAssignable(to: .map(.int, .dyn)))
  }
}
