import Basics
import Foundation
import PipelineDocument
import TestSupport
import Testing

/// Every fix that the broken fixtures are offered is put in place and read again.
struct FixTests {
  /// The text with `fix` in place; lines end with LF.
  private func apply(_ fix: Diagnostic.Fix, to text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { Array($0.unicodeScalars) }
    var scalars = String.UnicodeScalarView()
    for (index, line) in lines.enumerated() {
      for (column, scalar) in (line + ["\n"]).enumerated() {
        let place = SourcePosition(line: index + 1, column: column + 1)
        if place == fix.range.start { scalars.append(contentsOf: fix.replacement.unicodeScalars) }
        if place >= fix.range.start, place < fix.range.end { continue }
        scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  @Test(arguments: FixtureTests.broken)
  func `a fix removes the diagnostic that offers it`(_ name: String) throws {
    let url = TestFiles.fixtures.appending(path: "err/\(name).yaml")
    let text = try String(contentsOf: url, encoding: .utf8)
    for diagnostic in PipelineDocument.load(text: text, file: name).diagnostics {
      guard let fix = diagnostic.fix else { continue }
      let fixed = PipelineDocument.load(text: apply(fix, to: text), file: name).diagnostics
      let rest = fixed.filter {
        $0.range.start == diagnostic.range.start && $0.code == diagnostic.code
          && $0.message == diagnostic.message
      }
      #expect(rest.isEmpty, "\(diagnostic.range): \(diagnostic.message)")
    }
  }

  @Test(arguments: DiagnosticCode.allCases)
  func `a fix in the example of a page removes the diagnostic that offers it`(
    _ code: DiagnosticCode
  ) throws {
    guard let text = Check.page(for: code)?.wrong else { return }
    for diagnostic in PipelineDocument.load(text: text, file: "a").diagnostics {
      guard let fix = diagnostic.fix else { continue }
      let fixed = PipelineDocument.load(text: apply(fix, to: text), file: "a").diagnostics
      let rest = fixed.filter {
        $0.range.start == diagnostic.range.start && $0.code == diagnostic.code
          && $0.message == diagnostic.message
      }
      #expect(rest.isEmpty, "\(diagnostic.range): \(diagnostic.message)")
    }
  }

  @Test func `many kinds of diagnostics offer a fix`() throws {
    var codes: Set<DiagnosticCode> = []
    for name in FixtureTests.broken {
      let url = TestFiles.fixtures.appending(path: "err/\(name).yaml")
      let text = try String(contentsOf: url, encoding: .utf8)
      for diagnostic in PipelineDocument.load(text: text, file: name).diagnostics {
        if diagnostic.fix != nil { codes.insert(diagnostic.code) }
      }
    }
    #expect(
      codes.isSuperset(of: [
        .unquotedExpression, .unknownKey, .invalidChoice, .expressionExpected, .unknownInput,
        .unknownStep, .unknownOutput, .unknownRetryPolicy, .undeclaredReference, .invalidMethod,
      ]))
  }
}
