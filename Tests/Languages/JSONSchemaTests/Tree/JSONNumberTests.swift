import Basics
import JSONSchema
import Testing

struct JSONNumberTests {
  private func number(_ text: String) throws -> JSONNumber {
    try #require(JSONNumber(text: text))
  }

  @Test(arguments: ["", "-", "01", ".5", "1.", "1e", "+1", "0x1", " 1", "NaN", "1e+", "--1"])
  func `text that is not a JSON number is refused`(_ text: String) {
    #expect(JSONNumber(text: text) == nil)
  }

  @Test(arguments: [
    ("1", "1.0"), ("1", "10e-1"), ("0", "-0.0e5"), ("1e2", "100"), ("-1.50", "-15e-1"),
    ("18446744073709551616", "1844674407370955161.6e1"), ("1e400", "10e399"),
  ])
  func `equal values are equal however they are written`(_ left: String, _ right: String) throws {
    #expect(try number(left) == number(right))
    #expect(try number(left).hashValue == number(right).hashValue)
  }

  @Test(arguments: [
    ("1", "2"), ("-2", "-1"), ("-1", "0"), ("0", "0.0000001"), ("9.99", "10"),
    ("18446744073709551615", "18446744073709551616"), ("1e400", "1.1e400"),
    ("-1e400", "-1"), ("1e-400", "1e-399"), ("123456789012345678", "123456789012345679"),
    ("0.1", "0.10000000000000000000000001"), ("1", "1e99999999999999999999"),
  ])
  func `order follows the exact value`(_ smaller: String, _ larger: String) throws {
    #expect(try number(smaller) < number(larger))
    #expect(try !(number(larger) < number(smaller)))
    #expect(try number(smaller) != number(larger))
  }

  @Test(arguments: [
    ("10", "5", true), ("10", "3", false), ("0", "7", true), ("1.1", "0.1", true),
    ("1.15", "0.1", false), ("1e308", "0.5", true), ("1e308", "3", false),
    ("12391239123", "1e-8", true), ("0.0075", "0.0001", true), ("0.00751", "0.0001", false),
    ("1e1000000", "7", false), ("1e1000000", "8", true), ("-9", "3", true),
    ("100000000000000000000000000000", "10000000000000000000000000000", true),
    ("100000000000000000000000000001", "10000000000000000000000000000", false),
    (
      "121932631137021795226185032733622923332237463801111263526900",
      "123456789012345678901234567890", true
    ),
    (
      "121932631137021795226185032733622923332237463801111263526901",
      "123456789012345678901234567890", false
    ), ("1", "1e400", false),
  ])
  func `multiples are exact`(_ value: String, _ divisor: String, _ isMultiple: Bool) throws {
    #expect(try number(value).isMultiple(of: number(divisor)) == isMultiple)
  }

  @Test(arguments: [
    ("1", true), ("1.0", true), ("1.5", false), ("15e-1", false), ("150e-1", true),
    ("1e400", true), ("0.0", true),
  ])
  func `a number without fraction is an integer`(_ text: String, _ isInteger: Bool) throws {
    #expect(try number(text).isInteger == isInteger)
  }

  @Test func `an integer is returned only if it fits`() throws {
    #expect(try number("9223372036854775807").integer == .max)
    #expect(try number("-9223372036854775808").integer == .min)
    #expect(try number("9223372036854775808").integer == nil)
    #expect(try number("1.2e1").integer == 12)
    #expect(try number("1.25e1").integer == nil)
    #expect(try number("0e9").integer == 0)
  }
}
