import CEL
import Foundation
import TestSupport
import Testing

/// The example of `CEL.docc/CEL.md`, which this file contains word for word.
struct DocumentationTests {
  @Test func `the example of the documentation has its documented result`() throws {
    // example
    var environment = Environment.standard
    environment.declare("response.status", as: .int)
    environment.declare("response.headers", as: .map(.string, .string))

    let compilation = environment.compile(
      "response.status == 429 && 'retry-after' in response.headers")
    guard let expression = compilation.expression else {
      for issue in compilation.issues { print(issue.range, issue.message) }
      return
    }

    let mustWait = try expression.evaluate([
      "response.status": 429,
      "response.headers": ["retry-after": "120"],
    ])
    // mustWait == true, expression.type == .bool
    // library
    let library = Library(
      name: "greetings",
      functions: [
        .init(
          "greet",
          .function(.string, returns: .string) { (arguments, meter) throws(EvaluationError) in
            .string("hello, " + (arguments[0].stringValue ?? ""))
          })
      ])
    environment.add(library)
    // end
    #expect(mustWait == true)
    #expect(expression.type == .bool)
    let greeting = try #require(environment.compile("greet('you')").expression)
    #expect(try greeting.evaluate() == "hello, you")
  }

  @Test func `the documentation contains this very code`() throws {
    let test = try Self.lines(of: URL(filePath: #filePath))
    let article = try Self.lines(
      of: Conformance.folder.appending(path: "../../Sources/Languages/CEL/CEL.docc/CEL.md"))
    for (start, end) in [("// example", "// library"), ("// library", "// end")] {
      let first = try #require(test.firstIndex(of: start))
      let last = try #require(test.firstIndex(of: end))
      let code = Array(test[(first + 1)..<last])
      #expect(code.count > 5)
      #expect(article.indices.contains { article[$0...].starts(with: code) })
    }
  }

  private static func lines(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
