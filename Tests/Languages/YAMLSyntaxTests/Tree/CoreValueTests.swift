import Testing

import YAMLSyntax

struct CoreValueTests {
  @Test(arguments: [
    "no", "on", "yes", "off", "y", "nUll", "0o8", "0xG", "0b1", "1_000", "1:30", "+.nan", "-.nan",
    ".", "-", "+", "1e", "1e+", "e3", "0x", "0o", "-0x1F", "2001-01-01", "=", "tRUE", "1.2.3",
    "..5",
  ])
  func `text that no version or only YAML 1.1 resolves is a string`(text: String) {
    #expect(CoreValue(plain: text) == .string(text))
  }

  @Test(arguments: [
    ("", CoreValue.null), ("~", .null), ("null", .null), ("Null", .null), ("NULL", .null),
    ("true", .bool(true)), ("True", .bool(true)), ("FALSE", .bool(false)),
    ("0", .int(0)), ("-12", .int(-12)), ("+7", .int(7)), ("017", .int(17)), ("0o17", .int(15)),
    ("0x1F", .int(31)), ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
    ("9223372036854775808", .bigInt("9223372036854775808")),
    ("0xFFFFFFFFFFFFFFFF", .bigInt("0xFFFFFFFFFFFFFFFF")),
    ("1.", .double(1)), (".5", .double(0.5)), ("-1.5e3", .double(-1500)), ("1E2", .double(100)),
    (".inf", .double(.infinity)), ("-.INF", .double(-.infinity)), ("+.Inf", .double(.infinity)),
  ])
  func `a plain scalar resolves by the core schema`(text: String, expected: CoreValue) {
    #expect(CoreValue(plain: text) == expected)
  }

  @Test(arguments: [".nan", ".NaN", ".NAN"])
  func `not a number is a double`(text: String) {
    guard case .double(let number) = CoreValue(plain: text) else {
      Issue.record("not a double")
      return
    }
    #expect(number.isNaN)
  }

  @Test(arguments: [
    ("'1'", CoreValue.string("1")), ("\"true\"", .string("true")), ("|\n  1", .string("1")),
    ("! 1", .string("1")), ("!!str 1", .string("1")), ("!!float 1", .double(1)),
    ("!!int '0x10'", .int(16)), ("!!bool true", .bool(true)), ("!!null ''", .null),
    ("!local 1", .string("1")), ("!!int abc", .string("abc")),
  ])
  func `quotes and tags decide before the text does`(yaml: String, expected: CoreValue) {
    #expect(YAMLDocument.parse(yaml).root?.scalarValue == expected)
  }

  @Test(arguments: ["!!int abc", "!!bool 1", "!!null x", "!!float x", "!!int 1.5"])
  func `a text that does not fit its tag is reported`(yaml: String) {
    #expect(YAMLDocument.parse(yaml).issues.map(\.code) == [.tagMismatch])
  }
}
