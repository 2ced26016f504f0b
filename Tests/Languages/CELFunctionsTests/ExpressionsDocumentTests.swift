import CEL
import CELFunctions
import Foundation
import TestSupport
import Testing

/// `docs/expressions.md` lists the functions and their results.
struct ExpressionsDocumentTests {
  private static func text() throws -> String {
    let file = Conformance.folder.appending(path: "../../docs/expressions.md")
    return try String(contentsOf: file, encoding: .utf8)
  }

  @Test func `every function and constant is in the document`() throws {
    let text = try Self.text()
    var names = Library.all.flatMap(\.functions).map(\.name)
    names = names.filter { !$0.contains("@") && !$0.contains("_") }
    names = names.map { $0.replacing("math.", with: "") }
    names += Library.uploads.functions.map(\.name) + Library.uploads.constants.map(\.name)
    for name in names {
      #expect(text.contains("`\(name)") || text.contains("`math.\(name)`"), "\(name)")
    }
  }

  /// Examples have the form `expression` is `value`.
  @Test func `every example has its documented result`() throws {
    var environment = Environment.standard
    environment.add(.uploads)
    var count = 0
    for line in try Self.text().split(separator: "\n") {
      let parts = line.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
      for index in parts.indices where parts[index] == " is " && index + 1 < parts.count {
        let (source, expected) = (parts[index - 1], parts[index + 1])
        let compilation = environment.compile("(\(source)) == (\(expected))")
        let compiled = try #require(
          compilation.expression, "\(source): \(compilation.issues.map(\.message))")
        #expect(try compiled.evaluate() == true, "\(source)")
        count += 1
      }
    }
    #expect(count > 12)
  }
}
