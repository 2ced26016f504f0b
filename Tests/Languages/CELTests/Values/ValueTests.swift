import CEL
import Testing

struct ValueTests {
  @Test func `equality of values is by kind and code points`() {
    #expect(Value.int(1) != .uint(1))
    #expect(Value.int(1) != .double(1))
    #expect(Value.double(.nan) == .double(.nan))
    #expect(Value.string("\u{e9}") != .string("e\u{301}"))
    #expect(Value.map(["a": 1, "b": 2]) == .map(["b": 2, "a": 1]))
    #expect(Value.map(["a": 1, "b": 2]).hashValue == Value.map(["b": 2, "a": 1]).hashValue)
    #expect(Value.double(0).hashValue == Value.double(-0.0).hashValue)
    #expect(Value.optional(nil) != .optional(.null))
    #expect(Set<Value>(["\u{e9}", "e\u{301}", "\u{e9}"]).count == 2)
  }

  @Test(arguments: [
    Value.null, true, -5, .uint(5), 1.5, .double(.infinity), "a\"b\\\n😀", .bytes([0, 0x22, 255]),
    [1, "a", [.uint(2)]], ["a": ["b": .null]], .optional(nil), .optional([1]),
    .type(TypeName("int")),
    .duration(.milliseconds(-1500)), .int(.min), .double(1e300), [], [:],
  ])
  func `the description is an expression with the same value`(_ value: Value) throws {
    #expect(try evaluate(value.description) == value)
  }

  @Test func `a timestamp's description is an expression, too`() throws {
    let value = Value.timestamp(try #require(Timestamp(seconds: 1, nanoseconds: 500_000_000)))
    #expect(try evaluate(value.description) == value)
  }

  @Test func `text of numbers and times is that of the conversion`() {
    #expect(Value.double(3).textValue == "3")
    #expect(Value.duration(.milliseconds(3500)).textValue == "3.5s")
    #expect(Value.bytes([0xFF]).textValue == nil)
    #expect(Value.list([]).textValue == nil)
    #expect(Value.null.textValue == nil)
  }

  @Test func `a value has a small size`() {
    #expect(MemoryLayout<Value>.stride <= 24)
  }
}
