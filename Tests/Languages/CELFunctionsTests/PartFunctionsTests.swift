import CEL
import CELFunctions
import Testing

/// Dividing files into parts, and checking the parts that a server returns.
struct PartFunctionsTests {
  private static let environment: Environment = {
    var environment = Environment.standard
    environment.add(.uploads)
    return environment
  }()

  private func evaluate(_ source: String) throws -> Value {
    try #require(Self.environment.compile(source).expression).evaluate([:])
  }

  /// The message of the expression's error.
  private func error(_ source: String) throws -> String {
    let expression = try #require(Self.environment.compile(source).expression)
    do {
      return "no error: \(try expression.evaluate([:]))"
    } catch {
      return error.message
    }
  }

  private func lengths(_ call: String) throws -> Value { try evaluate("\(call).map(p, p.length)") }

  @Test(arguments: [
    (#"{"size": 0}"#, "'size' is a whole number above 0"),
    (#"{"min": "5"}"#, "'min' is a whole number above 0"),
    (#"{"last": "keep"}"#, #"'last' is "short" or "merge""#),
    (#"{"sise": 5}"#, "its options are 'size', 'min', 'multiple', 'max_count', 'last'"),
    (#"{"size": 9223372036854775807, "multiple": 262144}"#, "no part is that large"),
  ])
  func `options that mean nothing are named`(options: String, message: String) throws {
    #expect(try error("parts(10, \(options))") == "'parts': \(message)")
  }

  @Test func `a shorter last part is separate, or is joined to the one before it`() throws {
    #expect(try lengths(#"parts(25, {"size": 10})"#) == [10, 10, 5])
    #expect(try lengths(#"parts(25, {"size": 10, "last": "merge"})"#) == [10, 15])
    #expect(try lengths(#"parts(5, {"size": 10, "last": "merge"})"#) == [5])
    #expect(try lengths(#"parts(30, {"size": 10, "last": "merge"})"#) == [10, 10, 10])
  }

  @Test func `parts grow with the file, so that there are not too many`() throws {
    #expect(
      try evaluate(#"parts(5 * TiB, {"size": 8 * MiB, "max_count": 10000}).size() <= 10000"#)
        == true)
    #expect(try lengths(#"parts(100, {"size": 10, "max_count": 3})"#) == [34, 34, 32])
  }

  @Test func `part sizes are multiples, and at least the smallest allowed`() throws {
    #expect(try lengths(#"parts(25, {"size": 9, "multiple": 4})"#) == [12, 12, 1])
    #expect(try lengths(#"parts(25, {"size": 1, "min": 20})"#) == [20, 5])
  }

  @Test func `parts are numbered from 1, and an empty file has one`() throws {
    #expect(
      try evaluate(#"parts(0, {})"#) == [["number": 1, "index": 0, "offset": 0, "length": 0]])
    #expect(
      try evaluate(#"parts(11, {"size": 10})[1]"#) == [
        "number": 2, "index": 1, "offset": 10, "length": 1,
      ])
  }

  private static let operations = #"{"offset": 0, "length": 4}, {"offset": 4, "length": 6}"#

  @Test(arguments: [
    ("[]", "the parts end at 0, but the file has 10 bytes"),
    (#"[{"offset": 0, "length": 4}]"#, "the parts end at 4, but the file has 10 bytes"),
    (
      #"[{"offset": 0, "length": 4}, {"offset": 5, "length": 5}]"#,
      "no part has the bytes from 4 to 5"
    ),
    (
      #"[{"offset": 0, "length": 7}, {"offset": 4, "length": 6}]"#,
      "part 2 of the list starts at 4, but the bytes before it end at 7"
    ),
    (#"[{"offset": 0, "length": 20}]"#, "the parts end at 20, but the file has 10 bytes"),
    (
      #"[{"offset": -1, "length": 11}]"#, "part 1 of the list has no 'offset' and 'length' in bytes"
    ),
    (#"[{"number": 1}]"#, "part 1 of the list has no 'offset' and 'length' in bytes"),
    (#"[{"offset": 1, "length": 9223372036854775807}]"#, "no part has the bytes from 0 to 1"),
  ])
  func `a list that is not the file is refused`(list: String, message: String) throws {
    #expect(try error("covering(\(list), 10)") == "'covering': \(message)")
  }

  @Test func `a list that is the file is returned unchanged, in any order`() throws {
    #expect(try evaluate("covering([\(Self.operations)], 10) == [\(Self.operations)]") == true)
    #expect(
      try evaluate(
        #"covering([{"offset": 4, "length": 6, "url": "u"}, {"offset": 0, "length": 4, "url": "v"}], 10)[0].url"#
      ) == "u")
    #expect(try evaluate(#"covering([{"offset": 0, "length": 0}], 0).size()"#) == 1)
  }
}
