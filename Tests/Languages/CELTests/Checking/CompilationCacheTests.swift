import Testing

@testable import CEL

struct CompilationCacheTests {
  private let cache = CompilationCache()
  private var environment: Environment {
    Environment.standard.declaring("a.b", as: .int).declaring("c", as: .string)
  }

  /// The type, or the first issue, of a text that may be known.
  private func outcome(_ source: String, _ environment: Environment) -> String {
    let compilation = environment.compile(source, with: cache)
    return compilation.expression.map { "\($0.type)" } ?? compilation.issues.first?.message ?? ""
  }

  @Test func `a text that is met again is not compiled again`() {
    _ = environment.compile("a.b + 1", with: cache)
    #expect(cache.compilation(of: "a.b + 1", in: environment) != nil)
    #expect(cache.compilation(of: "a.b + 1", in: environment.declaring("x", as: .int)) != nil)
    #expect(cache.compilation(of: "a.b + 2", in: environment) == nil)
  }

  @Test func `a name of another type makes another expression`() {
    #expect(outcome("[a.b]", environment) == "list(int)")
    #expect(outcome("[a.b]", environment.declaring("a.b", as: .string)) == "list(string)")
    #expect(outcome("[a.b]", environment) == "list(int)")
  }

  @Test func `a name that hides another by being longer is seen`() {
    let outside = environment.declaring("m", as: .dyn)
    #expect(outcome("m.n", outside) == "dyn")
    #expect(outcome("m.n", outside.declaring("m.n", as: .bool)) == "bool")
    #expect(outcome(".m.n", outside) == "dyn")
    #expect(outcome(".m.n", outside.declaring("m.n", as: .bool)) == "bool")
    #expect(outcome("has(m.n)", outside) == "bool")
    #expect(
      outside.declaring("m.n", as: .bool).compile("has(m.n)", with: cache).expression?
        .references.map(\.variable) == ["m.n"])
  }

  @Test func `an expression that depends on a constant or a definition is compiled each time`()
    throws
  {
    var constant = environment
    constant.declare("k", constant: 1)
    #expect(outcome("k", constant) == "int")
    constant.declare("k", constant: "text")
    #expect(outcome("k", constant) == "string")
    constant.define("k", as: try #require(environment.compile("[a.b]").expression))
    #expect(outcome("k", constant) == "list(int)")
  }

  @Test func `a text with issues is looked at again, because suggestions change`() {
    #expect(outcome("d", environment) == "undeclared reference 'd'")
    #expect(outcome("d", environment.declaring("d", as: .int)) == "int")
    #expect(environment.compile("cc", with: cache).issues.first?.suggestion == "c")
    #expect(
      environment.declaring("ccc", as: .int).compile("cc", with: cache).issues.first?.suggestion
        != nil)
  }
}
