import Basics
import JSONSchema
import Testing

struct JSONNodeTests {
  @Test(arguments: [
    ("1", "true"), ("0", "false"), ("null", "0"), ("[]", "{}"), ("\"1\"", "1"),
    ("[1,2]", "[2,1]"), ("{\"a\":1}", "{\"a\":1,\"b\":2}"), ("\"\\u00e9\"", "\"e\\u0301\""),
    ("{\"\\u00e9\":1}", "{\"e\\u0301\":1}"),
  ])
  func `different values are not equal`(_ left: String, _ right: String) throws {
    #expect(try !node(left).isEqual(to: node(right)))
  }

  @Test(arguments: [
    ("1", "1.0"), ("{\"a\":1,\"b\":[2.0]}", "{\"b\":[2],\"a\":1e0}"), ("\"\\u0041\"", "\"A\""),
  ])
  func `equal values are equal on either side`(_ left: String, _ right: String) throws {
    #expect(try node("\n " + left).isEqual(to: node(right)))
  }

  @Test func `large objects compare without regard to order`() throws {
    let keys = (0..<40).map { "\"k\($0)\":\($0)" }
    let one = try node("{\(keys.joined(separator: ","))}")
    let other = try node("{\(keys.reversed().joined(separator: ","))}")
    #expect(one.isEqual(to: other))
  }

  @Test(arguments: [
    ("", "{\"a/b\":[10,{\"~\":20}],\"\":30}"), ("/a~1b/1/~0", "20"), ("/", "30"),
    ("/a~1b/0", "10"),
  ])
  func `a pointer leads to its value`(_ text: String, _ expected: String) throws {
    let root = try node("{\"a/b\":[10,{\"~\":20}],\"\":30}")
    let pointer = try #require(JSONPointer(text: text))
    #expect(root.node(at: pointer)?.compactText == expected)
    #expect(pointer.description == text)
  }

  @Test(arguments: ["/x", "/a~1b/2", "/a~1b/01", "/a~1b/-", "/a~1b/0/x"])
  func `a pointer that leads nowhere finds nothing`(_ text: String) throws {
    let root = try node("{\"a/b\":[10,{\"~\":20}]}")
    #expect(root.node(at: try #require(JSONPointer(text: text))) == nil)
  }

  @Test(arguments: ["a", "/~", "/~2", "#/a"])
  func `an invalid pointer is refused`(_ text: String) {
    #expect(JSONPointer(text: text) == nil)
  }

  @Test(arguments: [1, 20])
  func `of members with one key the last counts, so that an object equals itself`(
    _ others: Int
  ) throws {
    let rest = (0..<others).map { ", \"\($0)\": 0" }.joined()
    let twice = try node(#"{"a": 1, "a": 2\#(rest)}"#)
    #expect(twice.isEqual(to: twice))
    #expect(try twice.isEqual(to: node(#"{"a": 2\#(rest)}"#)))
    #expect(try !twice.isEqual(to: node(#"{"a": 1\#(rest)}"#)))
    #expect(try findings(#"{"uniqueItems": true}"#, #"[{"a": 1, "a": 2}, {"a": 2}]"#).count == 1)
  }
}
