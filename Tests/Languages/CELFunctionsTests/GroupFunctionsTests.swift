import CEL
import CELFunctions
import Testing

/// Grouping values with the same key.
struct GroupFunctionsTests {
  private static let environment: Environment = {
    var environment = Environment.standard
    environment.add(.uploads)
    return environment
  }()

  private func evaluate(_ source: String) throws -> Value {
    try #require(Self.environment.compile(source).expression).evaluate([:])
  }

  @Test func `a key that is missing is named by the numbers`() throws {
    let expression = try #require(Self.environment.compile("groups([1], [1, 2])").expression)
    let failure = #expect(throws: EvaluationError.self) { try expression.evaluate([:]) }
    #expect(failure?.message.contains("1 keys and 2 items") == true)
  }

  @Test func `groups have the order of their first items, and items keep theirs`() throws {
    #expect(try evaluate("groups([], [])") == [])
    #expect(
      try evaluate("groups(['b', 'a', 'b', 'a', 'c'], [1, 2, 3, 4, 5]).map(g, [g.key, g.items])")
        == [["b", [1, 3]], ["a", [2, 4]], ["c", [5]]])
  }

  @Test func `a key can be any value`() throws {
    #expect(
      try evaluate("groups([['a', 1], ['a', 2], ['a', 1]], [1, 2, 3]).map(g, size(g.items))")
        == [2, 1])
  }
}
